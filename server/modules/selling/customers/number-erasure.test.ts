import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, SECOND } from "../../../lib/clock.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { startReceiver } from "../../../testing/webhook-receiver.ts";

const NUMBER = "+50251234567";
const OTHER = "+50251234568";
const TABLES = ["favourites", "held_sales", "purchases", "sale_lines"];

let gateway: TestGateway;
let owner: TestTill;
beforeEach(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
});
afterEach(async () => {
  await gateway.expectCleanBooks();
  await gateway.close();
});

async function topUp(recipientPhoneNumber: string): Promise<string> {
  const sold = await owner.sell([{ offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber }]);
  expect(sold.status).toBe(200);
  await gateway.advance(2 * SECOND);
  return sold.body.saleId;
}

async function tablesWith(number: string): Promise<string[]> {
  const digits = number.replace("+", "");
  const tables = Object.entries(await digestDatabase(gateway.gateway.context.db));
  return tables.flatMap(([table, rows]) => (rows.includes(digits) ? [table] : [])).toSorted();
}

/** Holds a sale for a number, and discards it. */
async function discardSaleTo(recipientPhoneNumber: string): Promise<void> {
  const heldSaleId = randomUUID();
  const input = { productType: "TOPUP", offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber };
  const shown = {
    brand: "TIGO",
    brandName: "Tigo",
    brandColor: "",
    country: "GT",
    title: "25 GTQ",
    recipientFormatted: recipientPhoneNumber,
    price: 1,
    priceCurrency: "USD",
    priceCurrencyDivisor: 100,
  };
  const held = { heldSaleId, label: "Ana", lines: [{ input, shown }] };
  expect((await owner.pos("POST", "/held-sales", held)).status).toBe(200);
  expect((await owner.pos("DELETE", `/held-sales/${heldSaleId}`)).status).toBe(200);
}

/** Returns figures of past days, because today's figures contain the time of reading. */
const figures = async () =>
  (await owner.pos("GET", "/figures?firstDay=2026-01-01&lastDay=2026-02-03&by=DAY")).body.list;

describe("erasing one customer's number", () => {
  it("removes the number from sales, favourites and history, without changing money and figures", async () => {
    const saleId = await topUp(NUMBER);
    await topUp(OTHER);
    for (const number of [OTHER, NUMBER]) {
      await owner.pos("PUT", `/favourites/${encodeURIComponent(number)}`, { name: "Lucia" });
      await discardSaleTo(number);
    }
    const { list: favourites } = (await owner.pos("GET", "/favourites")).body;
    expect(favourites.map(({ number }: { number: string }) => number)).toEqual([NUMBER, OTHER]);
    const before = await figures();
    expect(await tablesWith(NUMBER)).toEqual(TABLES);

    const erased = await owner.pos("POST", "/customers/erasures", { number: "502 5123 4567" });
    expect([erased.status, erased.body]).toEqual([200, { lines: 1 }]);
    expect(await tablesWith(NUMBER)).toEqual([]);
    expect(await tablesWith(OTHER)).toEqual(TABLES);
    expect(await figures()).toEqual(before);

    const { body: sale } = await owner.pos("GET", `/sales/${saleId}`);
    expect(sale.lines[0]).toMatchObject({ outcome: "DELIVERED", recipientFormatted: "" });
    expect(sale.lines[0]).not.toHaveProperty("recipientPhoneNumber");
    const found = await owner.pos("GET", `/found-sales?typed=${NUMBER.slice(1)}`);
    expect(found.body.list).toEqual([]);
    const trail = await owner.pos("GET", "/audit-trail?action=customer.erase&limit=10");
    expect(trail.body.list).toMatchObject([{ detail: { lines: 1 } }]);
    expect(JSON.stringify(trail.body)).not.toContain("51234567");
  });

  it("removes the number's ended webhook deliveries, and keeps pending deliveries", async () => {
    const receiver = await startReceiver(gateway);
    const hook = {
      environment: "test",
      kind: "TOPUP",
      url: `${receiver.url}/a`,
      allowPrivate: true,
    };
    expect((await owner.pos("POST", "/webhooks", hook)).status).toBe(200);
    await topUp(NUMBER);
    await topUp(OTHER);
    receiver.behave(500);
    await topUp(NUMBER);
    const states = async () => {
      const { list } = (await owner.pos("GET", "/webhooks/deliveries?_limit=9&_offset=0")).body;
      return list.map(({ state }: { state: string }) => state);
    };
    expect(await states()).toEqual(["PENDING", "DELIVERED", "DELIVERED"]);
    await owner.pos("POST", "/customers/erasures", { number: NUMBER });
    expect(await states()).toEqual(["PENDING", "DELIVERED"]);
    await receiver.close();
  });

  it("fails for a few digits, because they match many customers", async () => {
    const refused = await owner.pos("POST", "/customers/erasures", { number: "+502 5" });
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ["number"]]);
  });
});

describe("a shop with a retention period for numbers", () => {
  it("erases the numbers of older sales in its daily housekeeping, and keeps newer numbers", {
    tags: ["thorough"],
  }, async () => {
    const { settings } = gateway.gateway.context;
    await topUp(NUMBER);
    await gateway.advance(20 * DAY);
    owner = await owner.signIn(owner.staffId, "471183");
    await topUp(OTHER);
    const all = await settings.getAll("default");
    const changed = await owner.pos("PUT", "/settings", { ...all, keepNumbersDays: 10 });
    expect([changed.status, changed.body.keepNumbersDays]).toEqual([200, 10]);
    const before = await figures();
    await gateway.advance(DAY);
    owner = await owner.signIn(owner.staffId, "471183");
    expect(await tablesWith(NUMBER)).toEqual([]);
    expect(await tablesWith(OTHER)).toEqual(["purchases", "sale_lines"]);
    expect(await figures()).toEqual(before);
    await gateway.advance(11 * DAY);
    expect(await tablesWith(OTHER)).toEqual([]);
  });
});
