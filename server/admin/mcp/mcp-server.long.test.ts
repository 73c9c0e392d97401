import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { PROGRAM_DIR } from "../../program.ts";
import { writerOf } from "../../testing/direct-writes.ts";
import { giveLiveCatalog } from "../../testing/live-catalog.ts";
import { createLiveSimulator } from "../../testing/live-simulator.ts";
import { startTestGateway, type TestGateway } from "../../testing/test-gateway.ts";

/** `tillgate mcp` as a program, with the SDK's own client, against a gateway on the real clock. */
const LIVE = { accountId: "default", environment: "live", staffId: undefined } as const;
const TOPUP = { family: "topups", offerId: "TIGO_GT_TOPUP_25" };
const RECIPIENT = { recipientPhoneNumber: "+50251234567" };

let gateway: TestGateway;
const clients: Client[] = [];
beforeEach(async () => {
  const live = createLiveSimulator(() => gateway);
  gateway = await startTestGateway({ clock: systemClock, providers: { live } });
  await giveLiveCatalog(gateway, [TOPUP.offerId]);
  await gateway.gateway.context.recharges.recharge(LIVE, 100_000);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await gateway.expectCleanBooks();
  await gateway.close();
});

async function connect(environment: "test" | "live", ...flags: string[]): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const program = join(PROGRAM_DIR, "server/admin/tillgate.ts");
  const args = [program, "mcp", "--url", gateway.url, "--key", gateway.key(environment), ...flags];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  clients.push(client);
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const [{ text }] = content as [{ text: string }];
  return { isError, text, answer: isError ? undefined : JSON.parse(text) };
}

async function toolsOf(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name).sort();
}

async function countTransactions(environment: "test" | "live"): Promise<number> {
  const path = "/topups/purchases?_limit=1&_offset=0";
  return (await gateway.v1("GET", path, undefined, environment)).body.total;
}

const READING = [
  "explain_error",
  "find_offers",
  "get_balance",
  "get_offer",
  "get_purchase",
  "quote",
];

describe("tillgate mcp", () => {
  it("reads the catalog, quotes, sells and explains an error in test", async () => {
    const client = await connect("test");
    expect(await toolsOf(client)).toEqual(["buy", ...READING]);
    const { answer: balance } = await call(client, "get_balance");
    expect(balance).toMatchObject({ environment: "test", availableBalance: 100_000 });
    const { answer: found } = await call(client, "find_offers", {
      family: "topups",
      country: "GT",
      text: "tigo",
    });
    expect(found.total).toBeGreaterThan(0);
    expect(found.offers.map(({ offerId }: { offerId: string }) => offerId)).toContain(
      TOPUP.offerId,
    );
    const { answer: offer } = await call(client, "get_offer", TOPUP);
    const { answer: quoted } = await call(client, "quote", TOPUP);
    const bought = await call(client, "buy", { ...TOPUP, ...RECIPIENT, transactionId: "one" });
    const { status, cost, costCurrency } = bought.answer;
    expect([status, cost]).toEqual(["DONE", offer.cost.fixed]);
    expect(quoted.cost).toBe(`${(cost / 100).toFixed(2)} ${costCurrency}`);
    const read = await call(client, "get_purchase", { family: "topups", transactionId: "one" });
    expect(read.answer).toEqual(bought.answer);

    const again = await call(client, "buy", { ...TOPUP, ...RECIPIENT, transactionId: "one" });
    expect([again.isError, again.answer]).toEqual([false, bought.answer]);
    const value = { type: "PRICE", value: 1 };
    const wrong = await call(client, "quote", { ...TOPUP, value });
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining("VALUE_NOT_ALL")]);
    const { answer: explained } = await call(client, "explain_error", {
      code: "VALUE_NOT_ALLOWED",
    });
    expect(explained).toEqual({
      code: "VALUE_NOT_ALLOWED",
      cause: expect.stringMatching(/\w+/),
      remedy: expect.stringMatching(/\w+/),
    });
    expect(await countTransactions("test")).toBe(1);
  });

  it("cannot sell with a live key without --sell-live", async () => {
    const client = await connect("live");
    expect(await toolsOf(client)).toEqual(READING);
    for (const name of ["buy", "confirm_live_purchase"]) {
      expect((await call(client, name, { ...TOPUP, ...RECIPIENT })).isError).toBe(true);
    }
    expect(await countTransactions("live")).toBe(0);
  });

  it("sells live in two steps, once per confirmation, and only at the quoted price", async () => {
    const client = await connect("live", "--sell-live");
    expect(await toolsOf(client)).toEqual(
      ["confirm_live_purchase", ...READING, "prepare_live_purchase"].sort(),
    );
    const prepared = await call(client, "prepare_live_purchase", { ...TOPUP, ...RECIPIENT });
    const { confirmation, cost } = prepared.answer;
    expect([cost, await countTransactions("live")]).toEqual([expect.stringMatching(/ USD$/), 0]);
    const done = await call(client, "confirm_live_purchase", { confirmation });
    expect(done.answer).toMatchObject({ status: "DONE", ...RECIPIENT });
    const twice = await call(client, "confirm_live_purchase", { confirmation });
    expect([twice.answer, await countTransactions("live")]).toEqual([done.answer, 1]);

    const later = await call(client, "prepare_live_purchase", { ...TOPUP, ...RECIPIENT });
    await raiseCosts();
    const dearer = await call(client, "confirm_live_purchase", later.answer);
    expect([dearer.isError, dearer.text]).toEqual([true, expect.stringContaining("has changed")]);
    expect(await countTransactions("live")).toBe(1);
  });
});

async function raiseCosts(): Promise<void> {
  const writer = writerOf(gateway.gateway.context.db);
  const row = await writer
    .selectFrom("offers")
    .select("offer_json")
    .where("environment", "=", "live")
    .executeTakeFirstOrThrow();
  const offer = JSON.parse(row.offer_json);
  offer.cost.fixed += 1;
  await writer
    .updateTable("offers")
    .set({ offer_json: JSON.stringify(offer) })
    .where("environment", "=", "live")
    .execute();
  await writer
    .updateTable("catalogs")
    .set((values) => ({ version: values("version", "+", 1) }))
    .where("environment", "=", "live")
    .execute();
}
