import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND, toTimestamp } from "../../../lib/clock.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const COST = 297;
const PRICE = 2_635;
const LINE: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

function lineTo(end: string): TestLine {
  return { ...LINE, recipientPhoneNumber: `+5025123${end}` };
}

async function getSale(saleId: string) {
  return (await owner.pos("GET", `/sales/${saleId}`)).body;
}

async function available(): Promise<number> {
  return (await owner.pos("GET", "/wallet")).body.figures.available;
}

describe("a sale", () => {
  it("has a consecutive number, gives change, and sends an ordinary purchase", async () => {
    const first = await owner.sell([{ ...LINE, transactionId: "till-1" }], 5_000);
    expect(first.status).toBe(200);
    const { lines, ...sale } = first.body;
    expect(sale).toEqual({
      saleId: expect.any(String),
      saleNumber: 1,
      environment: "test",
      training: false,
      createdAt: toTimestamp(till.clock.now()),
      staff: { staffId: owner.staffId, name: "Olga" },
      shiftId: expect.any(String),
      currency: "GTQ",
      currencyDivisor: 100,
      total: PRICE,
      discount: 0,
      taxes: [],
      cashRounding: 0,
      tenders: [{ kind: "CASH", amount: PRICE, tendered: 5_000 }],
      change: 5_000 - PRICE,
      refundDue: 0,
      refundTenders: [],
      refunded: 0,
      receiptsPrinted: 0,
    });
    expect(lines).toHaveLength(1);
    const purchase = (await till.v1("GET", "/topups/purchases/till-1")).body;
    expect(purchase).toMatchObject({
      status: "IN_PROGRESS",
      cost: COST,
      costCurrency: "USD",
      price: PRICE,
      priceCurrency: "GTQ",
      recipientPhoneNumber: LINE.recipientPhoneNumber,
    });
    expect((await owner.sell([LINE])).body.saleNumber).toBe(2);
    expect(await available()).toBe(100_000 - 2 * COST);
  });

  it("has one number and one tender for several lines, and sends each line", async () => {
    const lines = [LINE, lineTo("9001"), lineTo("9004")];
    const sold = (await owner.sell(lines, 10_000)).body;
    expect(sold.total).toBe(3 * PRICE);
    expect(sold.change).toBe(10_000 - 3 * PRICE);
    await till.advance(SECOND);
    const sale = await getSale(sold.saleId);
    const outcomes = (sale.lines as { outcome: string }[]).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["DELIVERED", "NOT_DELIVERED", "STILL_SENDING"]);
    expect(sale.refundDue).toBe(PRICE);
  });

  it("sells no line if a line cannot be sold", async () => {
    const cases: [TestLine, string][] = [
      [{ ...LINE, offerId: "NO_SUCH_OFFER", price: 1 }, "OFFER_NOT_FOUND"],
      [{ ...LINE, offerId: "MOVISTAR_SV_TOPUP_20", price: 1 }, "OFFER_DISABLED"],
      [{ ...LINE, offerId: "DU_AE_TOPUP_RANGE", price: 1 }, "VALUE_REQUIRED"],
      [{ ...LINE, transactionId: "twice", price: PRICE }, "DUPLICATE_TRANSACTION_ID"],
    ];
    await till.v1("POST", "/topups/purchases", { ...LINE, transactionId: "twice" });
    await till.advance(SECOND);
    const before = await digestDatabase(till.gateway.context.db);
    for (const [bad, errorCode] of cases) {
      const answer = await owner.sell([LINE, bad], 100_000);
      expect([answer.status, answer.body.errorCode]).toEqual([400, errorCode]);
      expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
    }
  });

  it("causes an error that names an invalid field", async () => {
    const cases: [string, object, string][] = [
      ["no lines", { lines: [] }, "lines"],
      ["a cheque", { tenders: [{ kind: "CHEQUE", amount: 5_000 }] }, "tenders.0.kind"],
      ["cash below nothing", { tenders: [{ kind: "CASH", tendered: -1 }] }, "tenders.0.tendered"],
      ["cash that is a text", { tenders: [{ kind: "CASH", tendered: "5" }] }, "tenders.0.tendered"],
      ["cash of no amount", { tenders: [{ kind: "CASH" }] }, "tenders.0.tendered"],
      [
        "cash that no drawer holds",
        { tenders: [{ kind: "CASH", tendered: 1_000_000_000_000 }] },
        "tenders.0.tendered",
      ],
      [
        "more by card than there is",
        { tenders: [{ kind: "CARD", amount: 1_000_000_000_000 }] },
        "tenders.0.amount",
      ],
      [
        "a card receipt of two lines",
        { tenders: [{ kind: "CARD", amount: 1, reference: "A\n17" }] },
        "tenders.0.reference",
      ],
      [
        "a card that is handed over",
        { tenders: [{ kind: "CARD", amount: 1, tendered: 1 }] },
        "tenders.0.tendered",
      ],
      ["an id that is none", { saleId: "1" }, "saleId"],
      ["an id in capitals", { saleId: "A0000000-0000-4000-8000-000000000000" }, "saleId"],
      ["a discount", { discount: 5 }, "discount"],
    ];
    const good = await owner.prepareSale([LINE]);
    for (const [name, change, field] of cases) {
      const answer = await owner.pos("POST", "/sales", { ...good, ...change });
      expect([answer.status, answer.body.errorCode], name).toEqual([400, "INVALID_REQUEST"]);
      expect(Object.keys(answer.body.fields), name).toEqual([field]);
    }
  });

  it("cannot have 21 lines, or a line without a price", async () => {
    const { lines, ...rest } = await owner.prepareSale([LINE]);
    const many = { ...rest, lines: Array.from({ length: 21 }, () => lines[0]) };
    expect((await owner.pos("POST", "/sales", many)).body.fields).toHaveProperty("lines");
    const unpriced = { ...rest, lines: [{ ...lines[0], price: undefined }] };
    const answer = await owner.pos("POST", "/sales", unpriced);
    expect(answer.body.fields).toEqual({ "lines.0.price": "is required" });
  });

  it("cannot be read by an unknown id", async () => {
    const answer = await owner.pos("GET", `/sales/${randomUUID()}`);
    expect([answer.status, answer.body.errorCode]).toEqual([404, "NOT_FOUND"]);
  });
});

describe("a repeated sale", () => {
  it("returns the same sale in its present state", async () => {
    const sale = await owner.prepareSale([LINE], 5_000);
    const first = await owner.pos("POST", "/sales", sale);
    await till.advance(SECOND);
    const second = await owner.pos("POST", "/sales", sale);
    expect(second.status).toBe(200);
    expect(second.body.saleNumber).toBe(first.body.saleNumber);
    expect(second.body.lines[0].outcome).toBe("DELIVERED");
    expect(await available()).toBe(100_000 - COST);
  });

  it("returns the same sale for twenty simultaneous requests", async () => {
    const sale = await owner.prepareSale([LINE, lineTo("4568")]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => owner.pos("POST", "/sales", sale)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.saleNumber))).toEqual(new Set([1]));
    await till.advance(SECOND);
    expect(await available()).toBe(100_000 - 2 * COST);
    expect((await owner.pos("GET", "/sales?limit=10&offset=0")).body.total).toBe(1);
  });

  it("returns the same sale after a restart and a price change", async () => {
    const sale = await owner.prepareSale([LINE]);
    await owner.pos("POST", "/sales", sale);
    await changeRate("8");
    await till.restart();
    const again = await owner.pos("POST", "/sales", sale);
    expect(again.body).toMatchObject({ saleNumber: 1, total: PRICE });
  });

  it("returns the same sale if an earlier version stored the whole digest of its request", async () => {
    const sale = await owner.prepareSale([LINE]);
    await owner.pos("POST", "/sales", sale);
    await writerOf(till.gateway.context.db)
      .updateTable("sales")
      .set({ request_hash: sql`request_hash || ${"0".repeat(40)}` })
      .execute();
    expect((await owner.pos("POST", "/sales", sale)).body).toMatchObject({ saleNumber: 1 });
  });

  it("fails with other content, because the id is taken", async () => {
    const sale = await owner.prepareSale([LINE], 5_000);
    await owner.pos("POST", "/sales", sale);
    await till.advance(SECOND);
    const before = await digestDatabase(till.gateway.context.db);
    const [line] = sale.lines;
    for (const other of [
      { ...sale, tenders: [{ kind: "CASH", tendered: 5_001 }] },
      { ...sale, lines: [{ ...line, recipientPhoneNumber: "+50259999999" }] },
      { ...sale, lines: [{ ...line, transactionId: randomUUID() }] },
      { ...sale, lines: [line, { ...line, transactionId: randomUUID() }] },
    ]) {
      const answer = await owner.pos("POST", "/sales", other);
      expect([answer.status, answer.body.errorCode]).toEqual([409, "SALE_ID_TAKEN"]);
    }
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });

  it("returns the same sale for any order of the request's fields", async () => {
    const { saleId, lines, tenders } = await owner.prepareSale([LINE]);
    await owner.pos("POST", "/sales", { saleId, lines, tenders });
    const [{ tendered, kind } = {}] = tenders;
    const turned = { tenders: [{ tendered, kind }], lines, saleId };
    const again = await owner.pos("POST", "/sales", turned);
    expect([again.status, again.body.saleNumber]).toEqual([200, 1]);
  });
});

async function changeRate(rate: string): Promise<void> {
  await till.gateway.context.transactor.transact("default", (tx) =>
    tx.updateTable("shops").set({ rate }).execute(),
  );
}

describe("a refused sale", () => {
  it("states the present prices if a price has changed", async () => {
    const sale = await owner.prepareSale([LINE, lineTo("4568")]);
    await changeRate("8");
    const answer = await owner.pos("POST", "/sales", sale);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      errorCode: "PRICE_CHANGED",
      fields: {
        "lines.0.price": "is 2720 now",
        "lines.0.priceNow": "2720",
        "lines.1.priceNow": "2720",
        price: "2720",
      },
    });
    expect(await available()).toBe(100_000);
    expect((await owner.sell([LINE])).body.total).toBe(2_720);
  });

  it("states the due amount if the cash is not enough", async () => {
    const answer = await owner.sell([LINE, LINE], 2 * PRICE - 1);
    expect(answer.status).toBe(400);
    expect(answer.body.errorCode).toBe("TENDER_SHORT");
    expect(answer.body.fields).toEqual({ "tenders.0.tendered": `must be at least ${2 * PRICE}` });
    expect((await owner.sell([LINE, LINE], 2 * PRICE)).body.change).toBe(0);
  });

  it("states approximately how much the wallet can pay if the balance is too low", async () => {
    const scope = { accountId: "default", environment: "test" } as const;
    await till.gateway.context.recharges.setTestWallet(scope, 2 * COST - 1);
    const before = await digestDatabase(till.gateway.context.db);
    const answer = await owner.sell([LINE, LINE]);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      errorCode: "WALLET_SHORT",
      fields: {
        // The wallet's 5.93 USD × 7.75 are 45.95 GTQ.
        upTo: "4500",
        currency: "GTQ",
        currencyDivisor: "100",
      },
    });
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
    expect((await owner.sell([LINE])).status).toBe(200);
  });
});

describe("the outcome of a line", () => {
  async function sellTo(end: string): Promise<() => Promise<Record<string, unknown>>> {
    const { saleId } = (await owner.sell([lineTo(end)])).body;
    return async () => (await getSale(saleId)).lines[0];
  }

  it("changes from SENDING to DELIVERED with the confirmation", async () => {
    const line = await sellTo("4567");
    const soldAt = till.clock.now();
    expect(await line()).toMatchObject({
      outcome: "SENDING",
      slowAfter: toTimestamp(soldAt + 30 * SECOND),
      keepTryingUntil: toTimestamp(soldAt + DAY),
    });
    await till.advance(SECOND);
    expect(await line()).toMatchObject({
      outcome: "DELIVERED",
      status: "DONE",
      finishedAt: toTimestamp(soldAt + SECOND),
      confirmationNumber: expect.stringMatching(/^\d{15}$/),
    });
  });

  it("changes from SENDING to STILL_SENDING after thirty seconds", async () => {
    const line = await sellTo("9006");
    await till.advance(30 * SECOND - 1);
    expect((await line()).outcome).toBe("SENDING");
    await till.advance(1);
    expect((await line()).outcome).toBe("STILL_SENDING");
  });

  it("stays STILL_SENDING from the first recoverable error until the delivery", async () => {
    const line = await sellTo("9003");
    const soldAt = till.clock.now();
    expect(await line()).toMatchObject({
      outcome: "STILL_SENDING",
      nextAttemptAt: toTimestamp(soldAt + 15 * MINUTE),
    });
    await till.advance(30 * MINUTE);
    expect((await line()).outcome).toBe("STILL_SENDING");
    await till.advance(SECOND);
    expect((await line()).outcome).toBe("DELIVERED");
    expect((await line()).nextAttemptAt).toBeUndefined();
  });

  it("becomes NOT_DELIVERED with the reason, and the cash is due for refund", async () => {
    const { saleId } = (await owner.sell([lineTo("9001")])).body;
    const sale = await getSale(saleId);
    expect(sale.refundDue).toBe(PRICE);
    expect(sale.lines[0]).toMatchObject({
      outcome: "NOT_DELIVERED",
      status: "FAILED",
      failure: {
        code: "RECIPIENT_INVALID",
        message: "The provider does not know this number.",
        currency: "USD",
        currencyDivisor: 100,
      },
    });
    expect(await available()).toBe(100_000);
  });

  it("becomes NOT_DELIVERED after twenty-four hours of attempts", async () => {
    const line = await sellTo("9004");
    await till.advance(24 * HOUR - 1);
    owner = await owner.signIn(owner.staffId, OWNER_PIN);
    expect((await line()).outcome).toBe("STILL_SENDING");
    await till.advance(1);
    const failure = { code: "RETRY_WINDOW_EXPIRED" };
    expect(await line()).toMatchObject({ outcome: "NOT_DELIVERED", failure });
  });
});

describe("the list of sales", () => {
  it("finds sales of the period by digits of the recipient, or by sale number", async () => {
    for (const end of ["4567", "4568", "9002"]) await owner.sell([lineTo(end)]);
    async function find(search: string, since = ""): Promise<number[]> {
      const path = `/sales?limit=10&offset=0&search=${search}${since}`;
      const { body } = await owner.pos("GET", path);
      expect(body.total).toBe(body.list.length);
      return body.list.map(({ saleNumber }: { saleNumber: number }) => saleNumber);
    }
    expect(await find("456")).toEqual([2, 1]);
    expect(await find("4568")).toEqual([2]);
    expect(await find("3")).toContain(3);
    expect(await find("99999")).toEqual([]);
    await till.advance(SECOND);
    expect(await find("456", `&since=${toTimestamp(till.clock.now())}`)).toEqual([]);
    const bad = await owner.pos("GET", "/sales?limit=10&offset=0&search=%25");
    expect(bad.status).toBe(400);
    expect(bad.body.fields.search).toContain("must be digits of a number");
  });

  it("shows the newest sales first, in pages, with totals", async () => {
    await owner.sell([LINE]);
    await till.advance(24 * HOUR);
    owner = await owner.signIn(owner.staffId, OWNER_PIN);
    const since = toTimestamp(till.clock.now());
    const numbers: number[] = [];
    for (const end of ["4567", "9001", "9004", "4568"]) {
      numbers.unshift((await owner.sell([lineTo(end)])).body.saleNumber);
    }
    await till.advance(SECOND);
    const path = `/sales?since=${since}&limit=3&offset=0`;
    const { body } = await owner.pos("GET", path);
    expect(body).toMatchObject({
      limit: 3,
      offset: 0,
      total: 4,
      figures: {
        currency: "GTQ",
        currencyDivisor: 100,
        sold: 2 * PRICE,
        sending: PRICE,
        refundDue: PRICE,
        unfinished: 1,
      },
    });
    const listed = (body.list as { saleNumber: number }[]).map(({ saleNumber }) => saleNumber);
    expect(listed).toEqual(numbers.slice(0, 3));
    const rest = (await owner.pos("GET", `/sales?since=${since}&limit=3&offset=3`)).body;
    expect(rest.list).toHaveLength(1);
    expect((await owner.pos("GET", "/sales?limit=10&offset=0")).body.total).toBe(5);
    expect(await getSale(body.list[0].saleId)).toEqual(body.list[0]);
  });

  it("covers at most 31 days, so that no request adds up years", async () => {
    await owner.sell([LINE]);
    for (const [days, total] of [
      [30, 1],
      [2, 0],
    ] as const) {
      till.clock.set(till.clock.now() + days * DAY);
      const later = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
      expect((await later.pos("GET", "/sales?limit=1&offset=0")).body.total).toBe(total);
    }
  });

  it("has totals of zero if there are no sales", async () => {
    const { body } = await owner.pos("GET", "/sales?limit=1&offset=0");
    expect(body.list).toEqual([]);
    expect(body.figures).toMatchObject({ sold: 0, sending: 0, refundDue: 0, unfinished: 0 });
  });

  it.each([
    ["limit=0&offset=0", "limit"],
    ["limit=201&offset=0", "limit"],
    ["limit=1&offset=-1", "offset"],
    ["limit=1", "offset"],
    ["limit=1&offset=0&since=yesterday", "since"],
    ["limit=1&offset=0&since=2026-02-30T00:00:00.000Z", "since"],
    ["limit=1&offset=0&since=2000-01-01T00:00:00.000Z", "since"],
  ])("cannot be requested with %s, and the error names the field", async (query, field) => {
    const answer = await owner.pos("GET", `/sales?${query}`);
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]]);
  });
});

describe("a receipt", () => {
  it("states the shop's address, support and time zone at the time of printing", async () => {
    const receipt = { address: ["12 Calle 4-56"], support: ["Ayuda: 2222 3333", "مساعدة"] };
    const { saleId } = (await owner.sell([LINE])).body;
    const print = async () => (await owner.pos("POST", `/sales/${saleId}/prints`)).body;
    expect(await print()).toMatchObject({ shopAddress: [], support: [] });
    const settings = (await owner.pos("GET", "/settings")).body;
    const timeZone = "America/Guatemala";
    await owner.pos("PUT", "/settings", { ...settings, receipt, timeZone });
    const { address, support } = receipt;
    expect(await print()).toMatchObject({ shopAddress: address, support, timeZone });
  });

  it("has one original, followed by copies, each of which is recorded", async () => {
    const clerkId = (
      await owner.pos("POST", "/staff", { name: "Carla", role: "clerk", pin: "1739" })
    ).body.staffId;
    const clerk = await owner.signIn(clerkId, "1739");
    const { saleId } = (await owner.sell([LINE])).body;
    const original = await clerk.pos("POST", `/sales/${saleId}/prints`);
    expect(original.body).toMatchObject({
      shopName: "Corner Shop",
      language: "en",
      copy: false,
      copyNumber: 0,
      printedAt: toTimestamp(till.clock.now()),
      printedBy: "Carla",
      sale: { saleId, receiptsPrinted: 1, staff: { name: "Olga" } },
    });
    for (const copyNumber of [1, 2]) {
      const copy = await clerk.pos("POST", `/sales/${saleId}/prints`);
      expect(copy.body).toMatchObject({ copy: true, copyNumber });
    }
    expect((await getSale(saleId)).receiptsPrinted).toBe(3);
    const trail = await till.gateway.context.db
      .selectFrom("audit_trail")
      .selectAll()
      .where("action", "=", "receipt.reprint")
      .execute();
    expect(trail.map(({ staff_id, subject }) => [staff_id, subject])).toEqual([
      [clerkId, saleId],
      [clerkId, saleId],
    ]);
    const details = trail.map(({ detail_json }) => JSON.parse(detail_json) as object);
    const common = { product: "Tigo 25 GTQ", soldBy: "Olga", environment: "test" };
    expect(details).toMatchObject([
      { copy: 1, ...common },
      { copy: 2, ...common },
    ]);
  });

  it("has one original and nine copies if printed ten times at once", async () => {
    const { saleId } = (await owner.sell([LINE])).body;
    const prints = await Promise.all(
      Array.from({ length: 10 }, () => owner.pos("POST", `/sales/${saleId}/prints`)),
    );
    const numbers = prints.map(({ body }) => body.copyNumber as number);
    expect(numbers.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("cannot be printed for an unknown sale", async () => {
    const answer = await owner.pos("POST", `/sales/${randomUUID()}/prints`);
    expect([answer.status, answer.body.errorCode]).toEqual([404, "NOT_FOUND"]);
  });
});
