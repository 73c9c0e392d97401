import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writerOf } from "../../../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

/** One subscriber whose number is written in several forms. */
let till: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "USD" });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const OFFER = "TIGO_GT_TOPUP_25";
/** An Argentine mobile number, and the form it had before 15 became 9. */
const CANONICAL = "+5491123456789";
const OLD_FORM = "+54111523456789";

function line(recipientPhoneNumber: string) {
  return { productType: "TOPUP", offerId: OFFER, recipientPhoneNumber };
}

describe("phone number in an old form", () => {
  it("a sale check finds the earlier sale to the same subscriber under an old number form", async () => {
    const sold = await owner.sell([{ offerId: OFFER, recipientPhoneNumber: CANONICAL }]);
    expect(sold.status).toBe(200);
    await till.advance(5_000);
    const checked = await owner.pos("POST", "/sales/check", { lines: [line(OLD_FORM)] });
    expect(checked.body.lines[0].earlier).toMatchObject({ same: true });
    const again = await owner.sell([{ offerId: OFFER, recipientPhoneNumber: OLD_FORM }]);
    expect(again.body.lines[0].recipientPhoneNumber).toBe(CANONICAL);
  });

  it("favourites store the canonical form and are removed by either form", async () => {
    const path = `/favourites/${encodeURIComponent(OLD_FORM)}`;
    const kept = await owner.pos("PUT", path, { name: "Ana" });
    expect(kept.body.list).toMatchObject([{ number: CANONICAL, name: "Ana" }]);
    expect((await owner.pos("DELETE", path)).body.list).toEqual([]);
    await owner.pos("PUT", path, { name: "Ana" });
    const canonical = `/favourites/${encodeURIComponent(CANONICAL)}`;
    expect((await owner.pos("DELETE", canonical)).body.list).toEqual([]);
  });

  it("a purchase by /v1 records the canonical form of its recipient", async () => {
    const transactionId = randomUUID();
    const input = { offerId: OFFER, transactionId, recipientPhoneNumber: OLD_FORM };
    expect((await till.v1("POST", "/topups/purchases", input)).status).toBe(200);
    const { body } = await till.v1("GET", `/topups/purchases/${transactionId}`);
    expect(body.recipientPhoneNumber).toBe(CANONICAL);
  });

  it("numbers that an earlier version stored in an old form are rewritten, except under way", async () => {
    const { db, housekeeping } = till.gateway.context;
    const writer = writerOf(db);
    // The simulator's provider is out of order for numbers with this end.
    const other = "+5491123459004";
    const old = "+54111523459004";
    await owner.sell([{ offerId: "CLARO_AR_TOPUP_1000", recipientPhoneNumber: other }]);
    await till.advance(5_000);
    const sold = await owner.sell([{ offerId: OFFER, recipientPhoneNumber: CANONICAL }]);
    await till.advance(5_000);
    const ended = sold.body.lines[0].transactionId;
    await writer
      .updateTable("purchases")
      .set({ recipient: old })
      .where("transaction_id", "=", ended)
      .execute();
    for (const table of ["sale_lines", "purchases"] as const) {
      await writer
        .updateTable(table)
        .set({ recipient: old })
        .where("recipient", "=", other)
        .execute();
    }
    const key = { account_id: "default", environment: "test" } as const;
    for (const [number, name, at] of [
      [other, "Now", 2],
      [old, "Before", 1],
    ] as const) {
      await writer
        .insertInto("favourites")
        .values({ ...key, number, name, created_at: at })
        .execute();
      await writer
        .insertInto("remembered_carriers")
        .values({ ...key, number, brand: name, updated_at: at })
        .execute();
    }
    await writer.updateTable("environment_settings").set({ numbers_rewritten_until: "" }).execute();
    await housekeeping.clearAway();

    const checked = await owner.pos("POST", "/sales/check", { lines: [line(other)] });
    expect(checked.body.lines[0].earlier).toBeDefined();
    const recipients = await db
      .selectFrom("purchases")
      .selectAll()
      .where("recipient", "in", [old, other])
      .execute();
    const numbers = recipients.map((row) => [row.transaction_id, row.recipient] as const);
    expect(new Map(numbers).get(ended)).toBe(other);
    expect(numbers.map(([, number]) => number).toSorted()).toEqual([old, other].toSorted());
    const favourites = await db.selectFrom("favourites").selectAll().execute();
    expect(favourites).toMatchObject([{ number: other, name: "Now" }]);
    const carriers = await db.selectFrom("remembered_carriers").selectAll().execute();
    expect(carriers).toMatchObject([{ number: other, brand: "Now" }]);
  });

  it("the till offers the repaired number and does not accept the typed one", async () => {
    const { body } = await owner.pos(
      "GET",
      `/phone?number=${encodeURIComponent("+5215512345678")}`,
    );
    expect(body).toMatchObject({
      valid: false,
      isRepaired: true,
      choices: [{ number: "+525512345678", valid: true, country: "MX" }],
    });
  });
});
