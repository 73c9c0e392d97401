import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOPUP_SUBTYPES, TRANSACTION_STATUSES } from "../contract/common.ts";
import type { TopupOffer } from "../contract/v1/offers.ts";
import { PRODUCT_TYPE_FILTERS, TRANSACTION_TYPES } from "../contract/v1/transactions.ts";
import { MINUTE, SECOND } from "../lib/clock.ts";
import { readSandboxOffers } from "../testing/live-catalog.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

/**
 * Checks that lists have exact totals, order by time and id, and exact filters
 * (rules#list-newest-first).
 */
let till: TestGateway;
let offers: TopupOffer[];

interface Listed {
  transactionId: string;
  createdAt: string;
  updatedAt: string;
  status: string;
  type: string;
  productType: string;
}
let transactions: Listed[];
let purchases: Listed[];

const TEST = { accountId: "default", environment: "test" } as const;
/** Last digits of recipients. They determine the outcome. */
const ENDS = ["4567", "9001", "9004", "9007", "4568"];

beforeAll(async () => {
  till = await startTestGateway();
  offers = await readSandboxOffers(till);
  const { recharges } = till.gateway.context;
  // Several transactions have the same createdAt or updatedAt, and ids in no order.
  for (let moment = 0; moment < 5; moment++) {
    for (const [n, end] of ENDS.entries()) {
      const transactionId = `${"zmAb0"[n]}-${5 - moment}`;
      const body = {
        offerId: "TIGO_GT_TOPUP_25",
        transactionId,
        recipientPhoneNumber: `+5025123${end}`,
      };
      expect((await till.v1("POST", "/topups/purchases", body)).status).toBe(200);
    }
    await recharges.setTestWallet(TEST, 90_000 - moment);
    await till.settle();
    till.clock.set(till.clock.now() + 1);
    await till.settle();
    if (moment === 2) await till.advance(MINUTE);
    if (moment === 3) {
      // After a pause of the machine, all open purchases are sent again at the same time.
      till.clock.set(till.clock.now() + 20 * MINUTE);
      await till.settle();
    }
    await till.advance(SECOND - 1);
  }
  transactions = (await get("/transactions?_limit=1024&_offset=0")).list;
  purchases = (await get("/topups/purchases?_limit=1024&_offset=0")).list;
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

async function get(path: string) {
  const answer = await till.v1("GET", path);
  expect(answer.status).toBe(200);
  return answer.body;
}

function idsOf(list: { transactionId: string }[]): string[] {
  return list.map(({ transactionId }) => transactionId);
}

function query(parameters: Record<string, string | number | undefined>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(given).toString();
}

describe("the list of transactions", () => {
  it("contains every transaction, including every purchase", () => {
    expect(purchases).toHaveLength(25);
    expect(transactions).toHaveLength(25 + 6);
    const statuses = new Set(purchases.map(({ status }) => status));
    expect(statuses).toEqual(new Set(["DONE", "FAILED", "IN_PROGRESS"]));
  });

  it("orders transactions by time, newest first, and equal times by id", () => {
    for (const list of [transactions, purchases]) {
      const sorted = list.toSorted((a, b) => {
        if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
        return a.transactionId < b.transactionId ? -1 : 1;
      });
      expect(idsOf(list)).toEqual(idsOf(sorted));
    }
    expect(new Set(purchases.map(({ createdAt }) => createdAt)).size).toBe(5);
  });

  it("keeps its order while rows are added between pages", async () => {
    const first = await get("/transactions?_limit=10&_offset=0");
    const second = await get(`/transactions?_limit=10&_offset=10`);
    const both = [...first.list, ...second.list];
    expect(idsOf(both)).toEqual(idsOf(transactions.slice(0, 20)));
  });
});

describe("a page", () => {
  const LISTS = ["/transactions", "/topups/purchases", "/topups/offers"] as const;

  function everythingOf(path: (typeof LISTS)[number]): unknown[] {
    if (path === "/topups/offers") return offers;
    return path === "/transactions" ? transactions : purchases;
  }

  it.each(LISTS)("contains the requested slice and the exact total: %s", async (path) => {
    const all = everythingOf(path);
    const limit = fc.oneof(fc.integer({ min: 1, max: 1024 }), fc.integer({ min: 1, max: 12 }));
    const offset = fc.oneof(
      fc.integer({ min: 0, max: 3_000 }),
      fc.integer({ min: 0, max: 40 }),
      fc.constantFrom(all.length - 1, all.length, all.length + 1, Number.MAX_SAFE_INTEGER),
    );
    await fc.assert(
      fc.asyncProperty(limit, offset, async (limit, offset) => {
        const page = await get(`${path}?${query({ _limit: limit, _offset: offset })}`);
        const list = all.slice(offset, offset + limit);
        expect(page).toEqual({ limit, offset, total: all.length, list });
      }),
      { numRuns: 40 },
    );
  });
});

/** Does not use the server's code, because the test checks that code. */
function nanosOf(timestamp: string): bigint {
  const [, seconds = "", fraction = ""] = /^(.{19})(?:\.(\d+))?Z$/.exec(timestamp) ?? [];
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}

function holds(prefix: string, createdAt: string, instant: string): boolean {
  const [a, b] = [nanosOf(createdAt), nanosOf(instant)];
  switch (prefix) {
    case "lt":
      return a < b;
    case "lte":
      return a <= b;
    case "gt":
      return a > b;
    case "gte":
      return a >= b;
    default:
      return a === b;
  }
}

/**
 * Generates times that equal existing ones, or are just before or after them, in every precision.
 */
const instant = fc
  .record({
    base: fc.nat(),
    shift: fc.constantFrom(-1, 0, 0, 0, 1),
    digits: fc.constantFrom(0, 1, 2, 3, 3, 3, 4, 6, 9),
    tail: fc.constantFrom("000000", "000001", "500000", "999999"),
  })
  .map(({ base, shift, digits, tail }) => {
    const { createdAt, updatedAt } = transactions[base % transactions.length]!;
    const text = new Date(Date.parse(base % 2 ? createdAt : updatedAt) + shift).toISOString();
    const fraction = `${text.slice(20, 23)}${tail}`.slice(0, digits);
    return `${text.slice(0, 19)}${digits === 0 ? "" : `.${fraction}`}Z`;
  });
const prefix = fc.constantFrom("", "lt", "lte", "gt", "gte");

/** Sorts as a list with `updatedAt`: equal times start with unfinished transactions. */
function byLastChange(list: readonly Listed[]): Listed[] {
  const rank = ({ updatedAt, status, transactionId }: Listed) =>
    `${updatedAt} ${/DONE|FAILED/.test(status) ? 0 : 1} ${transactionId}`;
  return list.toSorted((a, b) => (rank(a) < rank(b) ? 1 : -1));
}

describe("the list filters", () => {
  it.each(["", "lt", "lte", "gt", "gte"])(
    "compare createdAt %s to the millisecond",
    async (form) => {
      const moment = purchases[12]!.createdAt;
      const path = `/topups/purchases?_limit=100&_offset=0&createdAt=${form}${moment}`;
      const found = await get(path);
      const expected = purchases.filter(({ createdAt }) => holds(form, createdAt, moment));
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(25);
      expect(idsOf(found.list)).toEqual(idsOf(expected));
      expect(found.total).toBe(expected.length);
    },
  );

  it("find the same purchases as a simple filter in memory, alone and combined", async () => {
    const filter = fc.record(
      {
        status: fc.constantFrom(...TRANSACTION_STATUSES),
        createdAt: fc.tuple(prefix, instant),
        updatedAt: fc.tuple(prefix, instant),
      },
      { requiredKeys: [] },
    );
    let matched = 0;
    await fc.assert(
      fc.asyncProperty(filter, async ({ status, createdAt, updatedAt }) => {
        const times = { createdAt: createdAt?.join(""), updatedAt: updatedAt?.join("") };
        const parameters = { _limit: 1024, _offset: 0, status, ...times };
        const wanted = purchases.filter(
          (purchase) =>
            (status === undefined || purchase.status === status) &&
            (createdAt === undefined || holds(createdAt[0], purchase.createdAt, createdAt[1])) &&
            (updatedAt === undefined || holds(updatedAt[0], purchase.updatedAt, updatedAt[1])),
        );
        const expected = updatedAt === undefined ? wanted : byLastChange(wanted);
        const found = await get(`/topups/purchases?${query(parameters)}`);
        expect(idsOf(found.list)).toEqual(idsOf(expected));
        expect(found.total).toBe(expected.length);
        matched += expected.length > 0 ? 1 : 0;
      }),
      { numRuns: 150 },
    );
    expect(matched).toBeGreaterThan(20);
  });

  it("find the same transactions as a simple filter in memory, alone and combined", async () => {
    const filter = fc.record(
      {
        status: fc.constantFrom(...TRANSACTION_STATUSES),
        createdAt: fc.tuple(prefix, instant),
        updatedAt: fc.tuple(prefix, instant),
        type: fc.constantFrom(...TRANSACTION_TYPES),
        productType: fc.constantFrom(...PRODUCT_TYPE_FILTERS),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filter, async ({ status, createdAt, updatedAt, type, productType }) => {
        const recharge = ["RECHARGE_SANDBOX", "RECHARGE_WITH_CREDIT_CARD"];
        const products: (string | undefined)[] =
          productType === "WALLET_RECHARGE" ? recharge : [productType];
        const wanted = transactions.filter(
          (transaction) =>
            (status === undefined || transaction.status === status) &&
            (type === undefined || transaction.type === type) &&
            (productType === undefined || products.includes(transaction.productType)) &&
            (createdAt === undefined || holds(createdAt[0], transaction.createdAt, createdAt[1])) &&
            (updatedAt === undefined || holds(updatedAt[0], transaction.updatedAt, updatedAt[1])),
        );
        const expected = updatedAt === undefined ? wanted : byLastChange(wanted);
        const times = { createdAt: createdAt?.join(""), updatedAt: updatedAt?.join("") };
        const parameters = { status, type, productType, ...times };
        const path = `/transactions?${query({ _limit: 1024, _offset: 0, ...parameters })}`;
        const found = await get(path);
        expect(idsOf(found.list)).toEqual(idsOf(expected));
        expect(found.total).toBe(expected.length);
      }),
      { numRuns: 150 },
    );
  });

  it("pages through a list by the last change, in which open purchases have their place", async () => {
    const since = "1970-01-01T00:00:00Z";
    const all = idsOf(byLastChange(transactions));
    const open = transactions.filter(({ status }) => status === "IN_PROGRESS");
    expect(open.length).toBeGreaterThan(3);
    expect(new Set(open.map(({ updatedAt }) => updatedAt)).size).toBeLessThan(open.length);
    for (const limit of [1, 3, 7, 40]) {
      const seen: string[] = [];
      for (let offset = 0; offset < all.length + limit; offset += limit) {
        const page = `_limit=${limit}&_offset=${offset}`;
        const found = await get(`/transactions?${page}&updatedAt=gte${since}`);
        expect(found.total).toBe(all.length);
        seen.push(...idsOf(found.list));
      }
      expect(seen).toEqual(all);
    }
  });

  it("refuse a last change that is no time, and name the filter", async () => {
    for (const path of ["/transactions", "/topups/purchases"]) {
      const query = "_limit=1&_offset=0&updatedAt=gte2026-02-30T00:00:00Z";
      const { status, body } = await till.v1("GET", `${path}?${query}`);
      expect([status, Object.keys(body.fields)]).toEqual([400, ["updatedAt"]]);
    }
  });

  it("find CREDIT and DEBIT recharges by productType=WALLET_RECHARGE", async () => {
    const path = "/transactions?_limit=10&_offset=0&productType=WALLET_RECHARGE";
    const { list, total } = await get(path);
    expect(total).toBe(6);
    const kinds = (list as Listed[]).map(({ productType }) => productType);
    expect(new Set(kinds)).toEqual(new Set(["RECHARGE_SANDBOX"]));
    const types = new Set((list as Listed[]).map(({ type }) => type));
    expect(types).toEqual(new Set(["CREDIT", "DEBIT"]));
  });

  it("find the same offers as a simple filter in memory, alone and combined", async () => {
    const any = fc.nat().map((n) => offers[n % offers.length]!);
    const filter = fc.record(
      {
        brand: fc.oneof(
          any.map(({ brand }) => brand),
          fc.constant("NOBODY"),
        ),
        country: any.map(({ country }) => country),
        regions: any.map(({ regions }) => regions[0]!),
        subType: fc.constantFrom(...TOPUP_SUBTYPES),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filter, async (filter) => {
        const { brand, country, regions, subType } = filter;
        const expected = offers.filter(
          (offer) =>
            (brand === undefined || offer.brand === brand) &&
            (country === undefined || offer.country === country) &&
            (regions === undefined || offer.regions.includes(regions)) &&
            (subType === undefined || offer.subTypes.includes(subType)),
        );
        const path = `/topups/offers?${query({ _limit: 20, _offset: 0, ...filter })}`;
        const found = await get(path);
        expect(found.total).toBe(expected.length);
        const ids = (found.list as TopupOffer[]).map(({ offerId }) => offerId);
        expect(ids).toEqual(expected.slice(0, 20).map(({ offerId }) => offerId));
      }),
      { numRuns: 150 },
    );
  });

  it("include disabled offers, which are marked as disabled", async () => {
    expect(offers.filter(({ enabled }) => !enabled).length).toBeGreaterThan(0);
    expect((await get("/topups/offers/MOVISTAR_SV_TOPUP_20")).enabled).toBe(false);
  });

  it("do not change the order of offers: newest first, then by id", () => {
    const sorted = offers.toSorted((a, b) => {
      if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
      return a.offerId < b.offerId ? -1 : 1;
    });
    expect(offers.map(({ offerId }) => offerId)).toEqual(sorted.map(({ offerId }) => offerId));
  });
});
