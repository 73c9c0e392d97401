/** What the owner sets up from elsewhere before a journey begins. */
import type { APIRequestContext } from "@playwright/test";
import { CLERK, expect, OWNER_PIN, type ShopProcess } from "../fixtures.ts";

export const MARTA = { name: "Marta", pin: "8642" };

/** Rosa, the owner, in a session beside the browser's. */
export async function asOwner(request: APIRequestContext, { url }: ShopProcess) {
  const names = await (await request.get(`${url}/pos/staff/names`)).json();
  const idOf = (name: string): string =>
    names.list.find((person: { name: string }) => person.name === name).staffId;
  const body = { staffId: idOf("Rosa"), pin: OWNER_PIN };
  expect((await request.post(`${url}/pos/session`, { data: body })).ok()).toBe(true);
  return {
    async hireMarta(): Promise<void> {
      const data = { ...MARTA, role: "supervisor" };
      expect((await request.post(`${url}/pos/staff`, { data })).ok()).toBe(true);
    },
    async changeAna(data: object): Promise<void> {
      const ana = `${url}/pos/staff/${idOf(CLERK.name)}`;
      expect((await request.patch(ana, { data })).ok()).toBe(true);
    },
  };
}
