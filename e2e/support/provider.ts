/** The provider of a shop's live sales: another Tillgate with a small catalog. */

import { expect } from "@playwright/test";
import type { Context } from "../../server/gateway/context.ts";
import { writerOf } from "../../server/testing/direct-writes.ts";
import { walkToLive } from "../../server/testing/way-to-live.ts";
import { inShop } from "./shop-data.ts";
import { type ShopProcess, startShop } from "./shop-process.ts";

export interface Provider {
  readonly gateway: ShopProcess;
  readonly key: string;
}

export const NEW_PIN = "603914";
const PAID_IN = 50_000;

/**
 * Starts a provider on a copy of the data of a new shop.
 * @param brands brands of its catalog; a small catalog is fetched quickly
 */
export async function startProvider(
  template: string,
  brands: readonly string[],
): Promise<Provider> {
  const gateway = await startShop(template);
  const key = await inShop(gateway.dataDir, async ({ accountId, db, keys }) => {
    await writerOf(db).deleteFrom("promos").execute();
    await writerOf(db).deleteFrom("offers").where("brand", "not in", brands).execute();
    await writerOf(db).deleteFrom("brands").where("brand", "not in", brands).execute();
    await writerOf(db)
      .updateTable("catalogs")
      .set((row) => ({ version: row("version", "+", 1) }))
      .execute();
    return (await keys.create({ accountId, environment: "test" }, "the shop")).key;
  });
  return { gateway, key };
}

/** Switches a provider to live. Returns the provider with the shop's live key. */
export async function sellLive({ gateway, key }: Provider): Promise<Provider> {
  const liveKey = await inShop(gateway.dataDir, async (context) => {
    const { accountId, keys, recharges, upstream, upstreamSync } = context;
    const live = { accountId, environment: "live" as const, staffId: undefined };
    await upstream.connect(live, { baseUrl: gateway.url, key, allowPrivate: true });
    await upstreamSync.sync(live);
    await recharges.recharge(live, PAID_IN);
    return (await keys.create(live, "the shop")).key;
  });
  return { gateway, key: liveKey };
}

/** Completes the go-live steps that need the command line or staff, except shifts. */
export async function makeReady(
  { dataDir, url }: Pick<ShopProcess, "dataDir" | "url">,
  { gateway, key }: Provider,
): Promise<void> {
  await inShop(dataDir, async (context) => {
    const live = { accountId: context.accountId, environment: "live" as const, staffId: undefined };
    await context.upstream.connect(live, { baseUrl: gateway.url, key, allowPrivate: true });
    await context.upstreamSync.sync(live);
    await context.recharges.recharge(live, PAID_IN);
    await changeOwnerPin(context);
  });
  await walkAsOwner(url);
}

/**
 * Confirms the checks, runs the backup trial and makes the first live sale, as the owner with the
 * new PIN.
 */
export async function walkAsOwner(url: string): Promise<void> {
  let cookie = "";
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { cookie, ...(body !== undefined && { "content-type": "application/json" }) };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${url}/pos${path}`, init);
    cookie ||= answer.headers
      .getSetCookie()
      .map((set) => set.split(";", 1)[0])
      .join("; ");
    return { status: answer.status, body: await answer.json() };
  };
  const { list } = (await call("GET", "/staff/names")).body;
  const { staffId } = list.find(({ name }: { name: string }) => name === "Rosa");
  cookie = "";
  await call("POST", "/session", { staffId, pin: NEW_PIN });
  const wait = (isSo: () => Promise<boolean>) =>
    expect.poll(isSo, { timeout: 60_000, intervals: [500] }).toBe(true);
  await walkToLive({ pin: NEW_PIN, call, until: wait, wait });
  await call("DELETE", "/session");
}

async function changeOwnerPin({ accountId, staff }: Context): Promise<void> {
  const owner = (await staff.list(accountId)).find(({ role }) => role === "owner");
  if (!owner) throw new Error("there is no owner");
  await staff.change({ accountId, staffId: owner.staffId }, owner.staffId, { pin: NEW_PIN });
}
