import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultsOfShape, type Shape, type ShapeOfObject } from "../conformance/record-shape.ts";
import { MINUTE, SECOND } from "../lib/clock.ts";
import { readSandboxOffers } from "../testing/live-catalog.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

/**
 * Checks that every record is as specified (rules#record-whole): each field has its type, there are
 * no other fields, lists are never null, and optional fields are absent until they have a value.
 */
let till: TestGateway;
beforeAll(async () => {
  till = await startTestGateway();
  await buy("fixed", { offerId: "TIGO_GT_TOPUP_25" });
  await buy("range", {
    offerId: "DU_AE_TOPUP_RANGE",
    recipientPhoneNumber: "+971552345678",
    value: { type: "PRICE", value: 550 },
    sender: { country: "US", phoneNumber: "+12025550123" },
  });
  await buy("country-only", { offerId: "TIGO_GT_TOPUP_25", sender: { country: "US" } });
  await buy("refused", { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251239002" });
  await buy("waiting", { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251239004" });
});
afterAll(() => till.close());

async function buy(transactionId: string, input: object): Promise<void> {
  const body = { recipientPhoneNumber: "+50251234567", ...input, transactionId };
  expect((await till.v1("POST", "/topups/purchases", body)).status).toBe(200);
  await till.advance(SECOND);
}

const LOG: Shape = [{ dateTime: "time", status: "text", statusMessage: "text" }];
const ERROR: Shape = { code: "text", description: "text", message: "text" };
const ALLOWANCES = {
  dataGB: "number",
  dataUnlimited: "boolean",
  durationDays: "integer",
  smsNumber: "integer",
  smsUnlimited: "boolean",
  voiceMinutes: "integer",
  voiceUnlimited: "boolean",
} as const;

const PURCHASE: ShapeOfObject = {
  transactionId: "text",
  offerId: "text",
  brand: "text",
  brandName: "text",
  country: "text",
  status: "text",
  createdAt: "time",
  updatedAt: "time",
  log: LOG,
  cost: "integer",
  costBase: "integer",
  costFee: "integer",
  costCurrency: "text",
  costCurrencyDivisor: "integer",
  price: "integer",
  priceBase: "integer",
  priceFee: "integer",
  priceCurrency: "text",
  priceCurrencyDivisor: "integer",
  priceType: "text",
  productType: "text",
  regions: ["text"],
  subTypes: ["text"],
  notes: "text",
  shortNotes: "text",
  recipientPhoneNumber: "text",
  send: "integer",
  sendCurrency: "text",
  sendCurrencyDivisor: "integer",
  ...ALLOWANCES,
};
const CONFIRMATION: Shape = {
  confirmationNumber: "text",
  externalReferenceId: "text",
  transactionTime: "time",
};
const VALUE: Shape = { type: "text", value: "integer" };

const TRANSACTION: ShapeOfObject = {
  transactionId: "text",
  amount: "integer",
  currency: "text",
  currencyDivisor: "integer",
  type: "text",
  productType: "text",
  status: "text",
  createdAt: "time",
  updatedAt: "time",
  log: LOG,
};

const UNIT = { currency: "text", currencyDivisor: "integer" } as const;
const COST = { ...UNIT, discount: "number", fee: "integer", feePct: "number" } as const;
const PRICE = {
  ...UNIT,
  margin: "number",
  suggestedFixed: "integer",
  suggestedFx: "number",
  fee: "integer",
} as const;
const FIXED_BLOCK = { fixed: "integer" } as const;
const RANGE_BLOCK = { fx: "number", min: "integer", max: "integer" } as const;
const OFFER: ShapeOfObject = {
  offerId: "text",
  brand: "text",
  brandName: "text",
  country: "text",
  createdAt: "time",
  updatedAt: "time",
  enabled: "boolean",
  notes: "text",
  shortNotes: "text",
  priceType: "text",
  productType: "text",
  regions: ["text"],
  subTypes: ["text"],
  ...ALLOWANCES,
};
const FIXED_OFFER: Shape = {
  ...OFFER,
  cost: { ...COST, ...FIXED_BLOCK },
  price: { ...PRICE, ...FIXED_BLOCK },
  send: { ...UNIT, ...FIXED_BLOCK },
};
const RANGE_OFFER: Shape = {
  ...OFFER,
  cost: { ...COST, ...RANGE_BLOCK },
  price: { ...PRICE, ...RANGE_BLOCK, increment: "integer" },
  send: { ...UNIT, ...RANGE_BLOCK },
};

async function get(path: string) {
  return (await till.v1("GET", path)).body;
}

describe("the topup purchase", () => {
  it.each<[string, ShapeOfObject]>([
    ["fixed", { ...PURCHASE, confirmation: CONFIRMATION }],
    [
      "range",
      {
        ...PURCHASE,
        confirmation: CONFIRMATION,
        value: VALUE,
        sender: { country: "text", phoneNumber: "text" },
      },
    ],
    ["country-only", { ...PURCHASE, confirmation: CONFIRMATION, sender: { country: "text" } }],
    ["refused", { ...PURCHASE, error: ERROR }],
    ["waiting", PURCHASE],
  ])("%s has exactly its fields", async (transactionId, shape) => {
    expect(faultsOfShape(await get(`/topups/purchases/${transactionId}`), shape)).toEqual([]);
  });

  it("has the same record in a list", async () => {
    const { list, ...page } = await get("/topups/purchases?_limit=10&_offset=0");
    expect(faultsOfShape(page, { limit: "integer", offset: "integer", total: "integer" })).toEqual(
      [],
    );
    expect(list).toHaveLength(5);
    for (const record of list) {
      expect(await get(`/topups/purchases/${record.transactionId}`)).toEqual(record);
    }
  });

  it("contains the data of its offer", async () => {
    const offer = await get("/topups/offers/DU_AE_TOPUP_RANGE");
    expect(await get("/topups/purchases/range")).toMatchObject({
      brand: offer.brand,
      country: "AE",
      regions: offer.regions,
      subTypes: offer.subTypes,
      priceType: "RANGE",
      productType: "TOPUP",
      cost: 501,
      costCurrency: "USD",
      costCurrencyDivisor: 100,
      price: 550,
      send: 1941,
      sendCurrency: "AED",
      sendCurrencyDivisor: 100,
      value: { type: "PRICE", value: 550 },
      sender: { country: "US", phoneNumber: "+12025550123" },
    });
  });

  it("has the times of its first and last log entries as createdAt and updatedAt", async () => {
    await till.advance(15 * MINUTE);
    for (const record of (await get("/topups/purchases?_limit=10&_offset=0")).list) {
      expect(record.log[0].dateTime).toBe(record.createdAt);
      expect(record.log.at(-1).dateTime).toBe(record.updatedAt);
      expect(record.log.at(-1).status).toBe(record.status);
    }
  });
});

describe("the generic transaction", () => {
  it.each<[string, ShapeOfObject]>([
    ["fixed", TRANSACTION],
    ["refused", { ...TRANSACTION, error: ERROR }],
    ["waiting", TRANSACTION],
  ])("%s has exactly its fields", async (transactionId, shape) => {
    expect(faultsOfShape(await get(`/transactions/${transactionId}`), shape)).toEqual([]);
  });

  it("repeats the status, times, error and log of its purchase", async () => {
    const purchase = await get("/topups/purchases/refused");
    const { status, createdAt, updatedAt, error, log } = purchase;
    expect(await get("/transactions/refused")).toEqual({
      transactionId: "refused",
      amount: purchase.cost,
      currency: purchase.costCurrency,
      currencyDivisor: purchase.costCurrencyDivisor,
      type: "DEBIT",
      productType: "TOPUP",
      status,
      createdAt,
      updatedAt,
      error,
      log,
    });
  });

  it("represents a recharge as a CREDIT, not as a purchase", async () => {
    const { list } = await get("/transactions?_limit=10&_offset=0&productType=WALLET_RECHARGE");
    expect(list).toHaveLength(1);
    expect(faultsOfShape(list[0], TRANSACTION)).toEqual([]);
    expect(list[0]).toMatchObject({
      amount: 100_000,
      type: "CREDIT",
      productType: "RECHARGE_SANDBOX",
      status: "DONE",
    });
    const purchase = await till.v1("GET", `/topups/purchases/${list[0].transactionId}`);
    expect(purchase.status).toBe(404);
  });
});

describe("the offers", () => {
  it("have exactly the fields of their price type", async () => {
    const found = [];
    for (let offset = 0, total = 1; offset < total; offset += 1_024) {
      const page = await get(`/topups/offers?_limit=1024&_offset=${offset}`);
      total = page.total;
      found.push(...page.list);
    }
    expect(found).toEqual(await readSandboxOffers(till));
    for (const offer of found) {
      const shape = offer.priceType === "FIXED" ? FIXED_OFFER : RANGE_OFFER;
      expect(faultsOfShape(offer, shape, offer.offerId)).toEqual([]);
    }
  });
});

it("the balance response has exactly the specified fields", async () => {
  const shape = { availableBalance: "integer", ...UNIT } as const;
  expect(faultsOfShape(await get("/balance"), shape)).toEqual([]);
});
