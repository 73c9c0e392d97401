import type { APIRequestContext } from "@playwright/test";
import { OWN_PIN_HEADER } from "../../server/contract/pos/operation.ts";
import { CLERK, chooseOwnPin, expect, OWNER_PIN, type ShopProcess } from "../fixtures.ts";

export const MARTA = { name: "Marta", pin: "8264" };

export async function asOwner(request: APIRequestContext, shop: ShopProcess) {
  const { url } = shop;
  const headers = { [OWN_PIN_HEADER]: OWNER_PIN };
  const names = await (await request.get(`${url}/pos/staff/names`)).json();
  const idOf = (name: string): string =>
    names.list.find((person: { name: string }) => person.name === name).staffId;
  const body = { staffId: idOf("Rosa"), pin: OWNER_PIN };
  expect((await request.post(`${url}/pos/session`, { data: body })).ok()).toBe(true);
  return {
    async hireMarta(): Promise<void> {
      const given = "739154";
      const data = { name: MARTA.name, pin: given, role: "supervisor" };
      const added = await request.post(`${url}/pos/staff`, { data, headers });
      expect(added.ok()).toBe(true);
      const { staffId } = await added.json();
      await chooseOwnPin(shop, { staffId, given, own: MARTA.pin });
    },
    async changeAna(data: object): Promise<void> {
      const ana = `${url}/pos/staff/${idOf(CLERK.name)}`;
      expect((await request.patch(ana, { data, headers })).ok()).toBe(true);
    },
  };
}
