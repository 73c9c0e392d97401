import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PROVIDER_KINDS } from "../../contract/pos/upstream.ts";
import type { TopupOffer, VoucherOffer } from "../../contract/v1/offers.ts";
import { DAY, MINUTE, SECOND } from "../../lib/clock.ts";
import {
  AMAZON_ES,
  AMAZON_US,
  ENTEL,
  type FakeReloadly,
  MOVISTAR,
} from "../../testing/fake-reloadly.ts";
import { OWNER, startReloadlyShop } from "../../testing/providers-under-test.ts";
import { runProgram } from "../../testing/run-program.ts";
import type { TestGateway } from "../../testing/test-gateway.ts";
import { listDeviations } from "../deviation-store.ts";
import { toGiftCardApi } from "./reloadly-call.ts";

let till: TestGateway;
let fake: FakeReloadly;
let log: string;

beforeEach(async () => {
  log = "";
  const logStream = {
    write(line: string) {
      log += line;
    },
  };
  ({ till, fake } = await startReloadlyShop({ logStream }));
});
afterEach(async () => {
  await settle();
  await till.expectCleanBooks();
  await till.close();
  await fake.close();
});

async function settle(): Promise<void> {
  await till.settle();
  await till.gateway.context.engine.idle();
  await till.settle();
}

async function buy(transactionId: string, offerId: string, value?: number) {
  const body = {
    offerId,
    transactionId,
    recipientPhoneNumber: "+50251234567",
    ...(value !== undefined && { value: { type: "ZEND", value } }),
  };
  await till.v1("POST", "/topups/purchases", body, "live");
  await settle();
  return (await till.v1("GET", `/topups/purchases/${transactionId}`, undefined, "live")).body;
}

async function listOffers(): Promise<TopupOffer[]> {
  const path = "/topups/offers?_limit=50&_offset=0";
  return (await till.v1("GET", path, undefined, "live")).body.list;
}

async function sync() {
  return till.gateway.context.upstreamSync.sync(OWNER);
}

describe("the catalog of Reloadly", () => {
  it("has an offer for each fixed amount and for each range, at the cost after the discount", async () => {
    const offers = await listOffers();
    const facts = offers.map(({ offerId, brandName, country, cost, send }) => {
      const { fixed, min, max } = cost;
      return [offerId, brandName, country, fixed ?? [min, max], send.fixed];
    });
    expect(facts).toHaveLength(4);
    expect(facts).toEqual(
      expect.arrayContaining([
        ["RLD-88-10.50-USD", "Tigo Guatemala", "GT", 1004, 1050],
        ["RLD-88-20.00-USD", "Tigo Guatemala", "GT", 1912, 2000],
        ["RLD-88-5.00-USD", "Tigo Guatemala", "GT", 478, 500],
        ["RLD-90-USD", "Claro Guatemala", "GT", [90, 9000], undefined],
      ]),
    );
  });

  it.each([
    ["an amount that is not exact", { fixedAmounts: [5, 7.005] }, /fixedAmounts has an amount/],
    ["another currency", { senderCurrencyCode: "EUR" }, /senderCurrencyCode is not USD/],
    ["no country", { country: null }, /country.isoName is missing/],
    ["an operator with a fee", { fees: { international: 0.2 } }, /fees are not supported/],
    ["an unknown denomination", { denominationType: "OTHER" }, /denominationType is not FIXED/],
  ])("leaves out and notes %s", async (_, change, words) => {
    fake.operators = [{ ...fake.operators[0], ...change }, ...fake.operators.slice(1)];
    const { deviations = [] } = await sync();
    expect(deviations.map(({ what }) => what).join()).toMatch(words);
    const ids = (await listOffers()).map(({ offerId }) => offerId);
    expect(ids).not.toContain("RLD-88-7.01-USD");
    expect(ids).toContain("RLD-90-USD");
  });

  it("stays unchanged if the exchange rate of an operator changes", async () => {
    const before = await listOffers();
    fake.operators = fake.operators.map((operator) => ({
      ...operator,
      fx: { rate: 7.01, currencyCode: "GTQ" },
    }));
    const { sections } = await sync();
    expect(sections.topups).toEqual({ added: 0, changed: 0, removed: 0 });
    expect(await listOffers()).toEqual(before);
  });

  it("stays unchanged if a page of operators is an empty object", async () => {
    const before = await listOffers();
    fake.interfere = ({ path, reply }) => {
      if (path === "/operators") reply(200, {});
      return path === "/operators";
    };
    await expect(sync()).rejects.toThrow("it has no operators");
    expect(await listOffers()).toEqual(before);
  });

  it("stays unchanged if the operators are a page for people", async () => {
    const before = await listOffers();
    fake.interfere = ({ path, response }) => {
      if (path === "/operators") response.end("<html>welcome</html>");
      return path === "/operators";
    };
    await expect(sync()).rejects.toThrow("it is no JSON object");
    expect(await listOffers()).toEqual(before);
  });
});

describe("an operator of Reloadly with local amounts", () => {
  async function listLocal(...operators: Record<string, unknown>[]) {
    fake.operators = operators;
    const { deviations = [] } = await sync();
    const offers = (await listOffers()).toSorted((a, b) => a.offerId.localeCompare(b.offerId));
    return { offers, ids: offers.map(({ offerId }) => offerId), deviations };
  }

  it("sells them in the currency of the destination, at the cost of the exchange rate", async () => {
    const { offers, deviations } = await listLocal(MOVISTAR, ENTEL);
    const facts = offers.map(({ offerId, cost, send, notes }) => {
      const [paid, sent] = [cost, send].map(({ fixed, min, max }) => fixed ?? [min, max]);
      return [offerId, paid, cost.currency, sent, send.currency, notes];
    });
    expect(facts).toEqual([
      ["RLD-91-25.00-GTQ", 295, "USD", 2500, "GTQ", "3 days"],
      ["RLD-91-50.00-GTQ", 589, "USD", 5000, "GTQ", "Week\n7 days"],
      ["RLD-92-CLP", [100, 994], "USD", [1000, 10_000], "CLP", ""],
    ]);
    expect(deviations).toEqual([]);
  });

  it.each([
    ["a fixed amount", "RLD-91-50.00-GTQ", undefined, { amount: "50.00", cost: 589 }],
    ["an amount of a range", "RLD-92-CLP", 2500, { amount: "2500", cost: 249 }],
  ])("sends %s with useLocalAmount", async (_, offerId, value, { amount, cost }) => {
    await listLocal(MOVISTAR, ENTEL);
    expect(await buy("sale-1", offerId, value)).toMatchObject({ status: "DONE", cost });
    expect(fake.submissions).toMatchObject([{ amount, useLocalAmount: true }]);
    const { stored } = await till.gateway.context.upstream.getStatus(OWNER);
    expect(stored?.fault).toBeUndefined();
  });

  it("the cost of a local amount follows the operator's exchange rate", async () => {
    await listLocal(MOVISTAR);
    const { offers } = await listLocal({ ...MOVISTAR, fx: { rate: 7.5, currencyCode: "GTQ" } });
    expect(offers.map(({ cost }) => cost.fixed)).toEqual([300, 600]);
  });

  it("leaves out and notes a local amount that is not exact", async () => {
    const { ids, deviations } = await listLocal({ ...MOVISTAR, localFixedAmounts: [25, 50.005] });
    expect(ids).toEqual(["RLD-91-25.00-GTQ"]);
    expect(deviations.map(({ what }) => what)).toEqual([
      "topups: localFixedAmounts has an amount that is not exact",
    ]);
  });

  it.each([
    ["no exchange rate", { fx: null }, 1],
    ["an exchange rate of another currency", { fx: { rate: 20, currencyCode: "MXN" } }, 1],
    ["an unknown currency", { destinationCurrencyCode: "XYZ" }, 1],
    ["no local amounts", { localFixedAmounts: [] }, 0],
    ["the account's currency", { destinationCurrencyCode: "USD" }, 0],
  ])("sells amounts of the account with %s", async (_, change, noted) => {
    const { ids, deviations } = await listLocal({ ...MOVISTAR, ...change });
    expect(ids).toEqual(["RLD-91-3.27-USD", "RLD-91-6.54-USD"]);
    expect(deviations).toHaveLength(noted);
    await buy("sale-1", "RLD-91-6.54-USD");
    expect(fake.submissions).toMatchObject([{ amount: "6.54", useLocalAmount: false }]);
  });
});

describe("a top-up at Reloadly", () => {
  it("states a decimal of the account's currency, and costs the discounted amount", async () => {
    const bought = await buy("sale-1", "RLD-90-USD", 1234);
    expect(bought).toMatchObject({ status: "DONE", cost: 1111 });
    expect(bought.confirmation).toMatchObject({
      confirmationNumber: "4602843",
      externalReferenceId: "7297929551:OrderConfirmed",
    });
    expect(fake.submissions).toEqual([
      {
        operatorId: "90",
        amount: "12.34",
        useLocalAmount: false,
        customIdentifier: "sale-1",
        recipientPhone: { countryCode: "GT", number: "50251234567" },
      },
    ]);
    const { stored } = await till.gateway.context.upstream.getStatus(OWNER);
    expect(stored?.fault).toBeUndefined();
  });

  it.each(["REFUNDED", "FAILED"])("charges nothing if its status is %s", async (status) => {
    fake.status = status;
    const { status: ours, error } = await buy("sale-1", "RLD-88-5.00-USD");
    expect([ours, error.code]).toEqual(["FAILED", "PROVIDER_REJECTED"]);
  });

  it("refuses an amount in another currency than the account's, and sends nothing", async () => {
    const offers = await till.gateway.context.catalog.getStated(OWNER);
    const offer = offers.offers.find(({ offerId }) => offerId === "RLD-90-USD") as TopupOffer;
    const inQuetzals = { ...offer, send: { ...offer.send, currency: "GTQ" } };
    const provider = await till.gateway.context.upstream.findProvider(OWNER);
    const order = {
      ...OWNER,
      transactionId: "sale-1",
      offer: inQuetzals,
      recipient: "+50251234567",
      extras: {},
      send: 1000,
      cost: 900,
      acceptedAt: till.clock.now(),
    };
    const answer = await provider?.submit(order, new AbortController().signal);
    expect(answer).toMatchObject({ kind: "rejected", code: "PROVIDER_REJECTED" });
    expect(fake.submissions).toEqual([]);
  });

  it("leaves its outcome to the owner if a lagging list never shows it, and is sent once", async () => {
    fake.interfere = ({ path, accept, request, reply }) => {
      if (path === "/topups") {
        accept();
        fake.submissions.push({});
        request.socket.destroy();
      } else if (path === "/topups/reports/transactions") reply(200, { content: [] });
      return path.startsWith("/topups");
    };
    await buy("sale-1", "RLD-88-5.00-USD");
    for (let hour = 0; hour < 30; hour++) {
      await till.advance(60 * 60 * SECOND);
      await settle();
    }
    expect(fake.submissions).toHaveLength(1);
    const { list } = await till.gateway.context.reconciliation.list(OWNER, { limit: 5, offset: 0 });
    expect(list.map(({ transactionId }) => transactionId)).toEqual(["sale-1"]);
  });

  it("inquires about an order after 15 minutes although the service requests a wait of a day", async () => {
    fake.interfere = ({ path, accept, reply }) => {
      if (path === "/topups") accept();
      if (path.startsWith("/topups")) reply(503, {}, { "retry-after": "86400" });
      return path.startsWith("/topups");
    };
    expect((await buy("sale-1", "RLD-88-5.00-USD")).status).toBe("IN_PROGRESS");
    fake.interfere = () => false;
    await till.advance(16 * MINUTE);
    await settle();
    const path = "/topups/purchases/sale-1";
    expect((await till.v1("GET", path, undefined, "live")).body.status).toBe("DONE");
    expect(fake.submissions).toHaveLength(0);
  });

  it("matches its identifier exactly, even if the list has the same letters in capitals", async () => {
    fake.interfere = ({ path, request, accept, reply }) => {
      if (path === "/topups") {
        accept();
        request.socket.destroy();
      } else if (path === "/topups/reports/transactions") {
        const own = fake.books.get("sale-1");
        reply(200, { content: [{ ...own, customIdentifier: "SALE-1" }, own] });
      }
      return path.startsWith("/topups");
    };
    expect((await buy("sale-1", "RLD-88-5.00-USD")).status).toBe("DONE");
  });

  it("keeps its outcome open if another number has its identifier", async () => {
    await buy("sale-1", "RLD-88-5.00-USD");
    const booked = fake.books.get("sale-1") ?? {};
    fake.books.set("sale-2", {
      ...booked,
      customIdentifier: "sale-2",
      recipientPhone: 50255550000,
    });
    expect((await buy("sale-2", "RLD-88-5.00-USD")).status).toBe("IN_PROGRESS");
  });

  it("keeps its outcome open if the list ignores the identifier", async () => {
    fake.interfere = ({ path, request, reply }) => {
      if (path === "/topups") request.socket.destroy();
      if (path !== "/topups/reports/transactions") return path === "/topups";
      reply(200, { content: [{ customIdentifier: "another", status: "SUCCESSFUL" }] });
      return true;
    };
    expect((await buy("sale-1", "RLD-88-5.00-USD")).status).toBe("IN_PROGRESS");
    await till.advance(16 * 60 * SECOND);
    await settle();
    expect(fake.submissions).toEqual([]);
  });
});

describe("the gift cards of Reloadly", () => {
  async function listCards(...products: Record<string, unknown>[]) {
    fake.products = products;
    const { deviations = [], unread = [] } = await sync();
    const path = "/vouchers/offers?_limit=50&_offset=0";
    const list: VoucherOffer[] = (await till.v1("GET", path, undefined, "live")).body.list;
    const offers = list.toSorted((a, b) => a.offerId.localeCompare(b.offerId));
    const noted = deviations.map(({ what }) => what);
    return { offers, ids: offers.map(({ offerId }) => offerId), noted, unread };
  }

  it("cost the price of the denomination without the discount, and the fee", async () => {
    const { offers, noted } = await listCards(AMAZON_ES, AMAZON_US);
    const facts = offers.map(({ offerId, country, cost, price, send }) => {
      const [paid, sent] = [cost, send].map(({ fixed, min, max }) => fixed ?? [min, max]);
      return [offerId, country, paid, cost.fee, price.fee, sent, send.currency];
    });
    expect(facts).toEqual([
      ["RLG-4-25.00-EUR", "ES", 2824, 50, 50, 2500, "EUR"],
      ["RLG-4-50.00-EUR", "ES", 5647, 50, 50, 5000, "EUR"],
      ["RLG-5-USD", "US", [97, 48_500], 50, 50, [100, 50_000], "USD"],
    ]);
    expect(offers[0]).toMatchObject({
      brand: "RLG-2",
      brandName: "Amazon",
      shortNotes: "Amazon Spain",
      deliveryType: "EPIN",
      regions: [],
    });
    expect(noted).toEqual([]);
  });

  const RANGE_ES = {
    ...AMAZON_US,
    recipientCurrencyCode: "EUR",
    maxSenderDenomination: 582.1,
  };

  it.each([
    ["the stated exchange rate", { recipientCurrencyToSenderCurrencyExchangeRate: 1.2 }, 58_200],
    ["the rate of the largest amount", {}, 56_464],
  ])("have a range at %s", async (_, change, max) => {
    const { offers } = await listCards({ ...RANGE_ES, ...change });
    expect(offers.map(({ cost, send }) => [cost.max, send.max])).toEqual([[max, 50_000]]);
  });

  it("read prices from a list of denominations, as the documentation has it", async () => {
    const list = [{ "25.00": 29.105 }, { "50.00": 58.21 }];
    const { ids } = await listCards({
      ...AMAZON_ES,
      fixedRecipientToSenderDenominationsMap: list,
    });
    expect(ids).toEqual(["RLG-4-25.00-EUR", "RLG-4-50.00-EUR"]);
  });

  it("keep products of one brand and region apart from a global product", async () => {
    const { offers } = await listCards(AMAZON_ES, { ...AMAZON_ES, productId: 6, global: true });
    expect(offers.map(({ offerId, regions }) => [offerId, regions])).toEqual([
      ["RLG-4-25.00-EUR", []],
      ["RLG-4-50.00-EUR", []],
      ["RLG-6-25.00-EUR", ["Global"]],
      ["RLG-6-50.00-EUR", ["Global"]],
    ]);
  });

  it.each([
    ["an amount that is not exact", { fixedRecipientDenominations: [25.005] }, /not exact/],
    ["an amount without a price", { fixedRecipientDenominations: [30] }, /lacks a denomination/],
    ["another account's currency", { senderCurrencyCode: "NGN" }, /senderCurrencyCode is not USD/],
    ["an unknown currency", { recipientCurrencyCode: "XYZ" }, /recipientCurrencyCode/],
    ["no country", { country: null }, /country.isoName is missing/],
    ["no brand", { brand: null }, /brand.brandId is missing/],
    ["a fee in percent", { senderFeePercentage: 1 }, /fees are not supported/],
    ["an unreadable fee", { senderFee: "half" }, /fees are not supported/],
    ["a user id", { additionalRequirements: { userIdRequired: true } }, /user id/],
    ["an unknown denomination", { denominationType: "OTHER" }, /is not FIXED or RANGE/],
  ])("leave out and note a product with %s", async (_, change, words) => {
    const { ids, noted } = await listCards({ ...AMAZON_ES, ...change }, AMAZON_US);
    expect(ids).toEqual(["RLG-5-USD"]);
    expect(noted.join()).toMatch(words);
  });

  it("leave out a product that is not active", async () => {
    const { ids, noted } = await listCards({ ...AMAZON_ES, status: "INACTIVE" });
    expect([ids, noted]).toEqual([[], []]);
  });

  it("stay if their list cannot be read, and top-ups are read", async () => {
    await listCards(AMAZON_ES);
    fake.operators = fake.operators.slice(0, 1);
    fake.interfere = ({ path, reply }) => {
      if (path === "/giftcards/products") reply(500, {});
      return path === "/giftcards/products";
    };
    const { ids, unread } = await listCards();
    expect(ids).toEqual(["RLG-4-25.00-EUR", "RLG-4-50.00-EUR"]);
    expect(unread).toEqual([{ part: "vouchers", reason: "It answers with status 500." }]);
    expect(await listOffers()).toHaveLength(3);
  });

  it("count as none, with a note, if the account has no access to them", async () => {
    fake.revokeTokens();
    fake.interfere = ({ path, refuse }) => {
      if (path === "/giftcards/oauth/token") refuse(401, "INVALID_CREDENTIALS", "Access Denied");
      return path === "/giftcards/oauth/token";
    };
    const { ids, noted, unread } = await listCards(AMAZON_ES);
    expect([ids, unread]).toEqual([[], []]);
    expect(noted.join()).toMatch(/the account has no gift cards/);
    expect(await listOffers()).toHaveLength(4);
  });

  it.each([
    ["https://topups.reloadly.com", "https://giftcards.reloadly.com"],
    ["https://topups-sandbox.reloadly.com", "https://giftcards-sandbox.reloadly.com"],
    ["https://proxy.example", "https://proxy.example/giftcards"],
  ])("have, beside %s, the address %s", (baseUrl, expected) => {
    const keys = { clientId: "id", key: "secret", allowPrivate: false };
    expect(toGiftCardApi({ baseUrl, ...keys }).baseUrl).toBe(expected);
  });
});

describe("a gift card at Reloadly", () => {
  const OFFER = "RLG-4-25.00-EUR";

  beforeEach(async () => {
    fake.products = [AMAZON_ES, AMAZON_US];
    await sync();
  });

  async function read() {
    return (await till.v1("GET", "/vouchers/purchases/sale-1", undefined, "live")).body;
  }

  async function buyCard(offerId = OFFER, value?: number) {
    const body = {
      offerId,
      transactionId: "sale-1",
      fields: [],
      ...(value !== undefined && { value: { type: "ZEND", value } }),
    };
    await till.v1("POST", "/vouchers/purchases", body, "live");
    await settle();
    return read();
  }

  it("delivers its number and PIN, at the charged cost", async () => {
    const bought = await buyCard();
    expect(bought).toMatchObject({ status: "DONE", cost: 2874 });
    expect(bought.receipt).toMatchObject({
      deliveryType: "EPIN",
      confirmationNumber: "31739",
      epin: "0581",
      voucherId: "6120200345149064",
      instructions: "Enter the code in your account.",
      currency: "EUR",
      send: 2500,
    });
    expect(fake.submissions).toEqual([
      {
        productId: 4,
        quantity: 1,
        unitPrice: 25,
        customIdentifier: "sale-1",
        senderName: "Tillgate",
      },
    ]);
    const { stored } = await till.gateway.context.upstream.getStatus(OWNER);
    expect(stored?.fault).toBeUndefined();
  });

  it("waits if the account has no access to gift cards, and the key stays good for top-ups", async () => {
    fake.revokeTokens();
    fake.interfere = ({ path, refuse }) => {
      if (path === "/giftcards/oauth/token") refuse(401, "INVALID_CREDENTIALS", "Access Denied");
      return path === "/giftcards/oauth/token";
    };
    expect(await buyCard()).toMatchObject({ status: "IN_PROGRESS" });
    const { stored } = await till.gateway.context.upstream.getStatus(OWNER);
    expect([stored?.fault, fake.submissions]).toEqual([undefined, []]);
  });

  it("states an amount of a range as a decimal of the card's currency", async () => {
    expect(await buyCard("RLG-5-USD", 1234)).toMatchObject({ status: "DONE", cost: 1247 });
    expect(fake.submissions).toMatchObject([{ productId: 5, unitPrice: 12.34 }]);
  });

  it.each([
    ["only a number", [{ cardNumber: "X-1", pinCode: null }], { epin: "X-1", voucherId: "" }],
    ["one card instead of a list", { cardNumber: "X-1" }, { epin: "X-1" }],
    ["a number without quotes", [{ cardNumber: 6_120_200_345 }], { epin: "6120200345" }],
    [
      "a link",
      [{ redemptionUrl: "https://redeem.example/1" }],
      { epin: "", redemptionUrl: "https://redeem.example/1" },
    ],
  ])("delivers %s", async (_, cards, receipt) => {
    fake.cards = cards;
    expect((await buyCard()).receipt).toMatchObject(receipt);
  });

  it.each([
    ["cannot be reached", { status: 503, cards: {} }],
    ["has no card yet", { status: 200, cards: [] }],
  ])("has its code after the list of cards %s, and is ordered once", async (_, at) => {
    fake.interfere = ({ path, reply }) => {
      const isCards = path.endsWith("/cards");
      if (isCards) reply(at.status, at.cards);
      return isCards;
    };
    expect((await buyCard()).status).toBe("IN_PROGRESS");
    fake.interfere = () => false;
    await till.advance(2 * MINUTE);
    await settle();
    const { status, receipt } = await read();
    expect([status, receipt.epin, fake.submissions.length]).toEqual(["DONE", "0581", 1]);
  });

  it("counts as delivered without a code after 15 minutes, and the owner is alerted", async () => {
    fake.cards = [];
    await buyCard();
    await till.advance(16 * MINUTE);
    await settle();
    expect(await read()).toMatchObject({ status: "DONE", receipt: { epin: "" } });
    const deviations = await listDeviations(till.gateway.context.db, OWNER);
    expect(deviations).toMatchObject([{ field: "cardNumber", kind: "MISSING", needed: true }]);
  });

  it("waits for a pending order", async () => {
    fake.status = "PENDING";
    expect((await buyCard()).status).toBe("IN_PROGRESS");
    for (const order of fake.orders.values()) order.status = "SUCCESSFUL";
    await till.advance(2 * MINUTE);
    await settle();
    expect((await read()).status).toBe("DONE");
  });

  it.each([
    ["product", { product: { productId: 5, unitPrice: 25 } }],
    ["price", { product: { productId: 4, unitPrice: 50 } }],
  ])("keeps its outcome open if another %s has its identifier", async (_, change) => {
    fake.interfere = ({ path, accept, reply }) => {
      if (path === "/giftcards/orders") reply(200, Object.assign(accept(), change));
      return path === "/giftcards/orders";
    };
    expect((await buyCard()).status).toBe("IN_PROGRESS");
  });

  it("compares the cost in the balance with the expected cost", async () => {
    fake.interfere = ({ path, accept, reply }) => {
      const balanceInfo = { cost: 28.735, currencyCode: "USD" };
      if (path === "/giftcards/orders") reply(200, { ...accept(), amount: 99, balanceInfo });
      return path === "/giftcards/orders";
    };
    expect((await buyCard()).status).toBe("DONE");
    const { stored } = await till.gateway.context.upstream.getStatus(OWNER);
    expect(stored?.fault).toBeUndefined();
  });

  it("stores its codes sealed, and writes none to the log", async () => {
    fake.cards = [{ cardNumber: "SECRET-NUMBER", pinCode: "SECRET-PIN" }];
    expect((await buyCard()).receipt.epin).toBe("SECRET-PIN");
    const rows = await till.gateway.context.db.selectFrom("purchases").selectAll().execute();
    expect(JSON.stringify(rows)).toContain("sale-1");
    expect(JSON.stringify(rows)).not.toContain("SECRET");
    expect(log).toContain("sale-1");
    expect(log).not.toContain("SECRET");
  });
});

describe("the token of Reloadly", () => {
  it("serves simultaneous requests after one request for it", async () => {
    fake.tokenRequests = 0;
    till.clock.set(till.clock.now() + DAY);
    const { upstream } = till.gateway.context;
    await Promise.all(Array.from({ length: 10 }, () => upstream.test(OWNER)));
    expect(fake.tokenRequests).toBe(1);
  });

  it("comes with the next attempt, seconds after the token service cut the connection", async () => {
    till.clock.set(till.clock.now() + DAY);
    fake.interfere = ({ path, request }) => {
      if (path === "/oauth/token") request.socket.destroy();
      return path === "/oauth/token";
    };
    expect((await buy("sale-1", "RLD-88-5.00-USD")).status).toBe("IN_PROGRESS");
    fake.interfere = () => false;
    await till.advance(6 * SECOND);
    await settle();
    const path = "/topups/purchases/sale-1";
    expect((await till.v1("GET", path, undefined, "live")).body.status).toBe("DONE");
    expect(fake.submissions).toHaveLength(1);
  });

  it("gives way to a new one if it is refused, and the top-up is submitted once", async () => {
    fake.revokeTokens();
    expect((await buy("sale-1", "RLD-88-5.00-USD")).status).toBe("DONE");
    expect(fake.submissions.length).toBe(1);
  });

  it("waits for the end of Retry-After", async () => {
    const { upstream } = till.gateway.context;
    let asked = 0;
    till.clock.set(till.clock.now() + DAY);
    fake.interfere = ({ path, reply }) => {
      if (path === "/oauth/token") asked += 1;
      if (path === "/oauth/token") reply(429, {}, { "retry-after": "30" });
      return path === "/oauth/token";
    };
    await expect(upstream.test(OWNER)).rejects.toThrow("The token service is busy");
    await expect(upstream.test(OWNER)).rejects.toThrow("The token service is busy");
    expect(asked).toBe(1);
    fake.interfere = () => false;
    till.clock.set(till.clock.now() + 31 * SECOND);
    await expect(upstream.test(OWNER)).resolves.toMatchObject({ upstream: 500_023 });
  });
});

describe("a connection to Reloadly", () => {
  function connect(change: object) {
    const { url: baseUrl, clientId, secret: key } = fake;
    const input = { kind: "reloadly", baseUrl, clientId, key, allowPrivate: true } as const;
    return till.gateway.context.upstream.connect(OWNER, { ...input, ...change });
  }

  it.each([
    ["a wrong secret", { key: "another-secret" }, /client id or the client secret is refused/],
    ["no client id", { clientId: undefined }, /The client id must be 8 to 512/],
    ["a key of a gateway", { kind: "gateway" }, /The client id must be left out/],
  ])("fails with %s, and the earlier connection stays", async (_, change, words) => {
    await expect(connect(change)).rejects.toThrow(words);
    const { connected, stored } = await till.gateway.context.upstream.getStatus(OWNER);
    expect([connected, stored?.kind]).toEqual([true, "reloadly"]);
    expect((await buy("sale-1", "RLD-88-5.00-USD")).status).toBe("DONE");
  });

  it("fails if the account has another currency than the wallet", async () => {
    fake.balance = { balance: 10, currencyCode: "EUR", currencyName: "Euro" };
    await expect(connect({})).rejects.toThrow("Its wallet is kept in EUR, yours in USD.");
  });

  it("fails if a page for people answers", async () => {
    fake.interfere = ({ response }) => {
      response.end("<html>welcome</html>");
      return true;
    };
    await expect(connect({ key: "another-secret" })).rejects.toThrow("cannot be used");
  });

  it("passes the tests of a live provider", async () => {
    const { upstream } = till.gateway.context;
    const { tests, usable } = await upstream.judge(OWNER, undefined);
    expect(usable).toBe(true);
    expect(tests.find(({ test }) => test === "HAS_OFFERS")?.outcome).toBe("GOOD");
  });

  it("passes with gift cards and no top-ups, and not without both", async () => {
    fake.operators = [];
    fake.products = [AMAZON_ES];
    const { upstream } = till.gateway.context;
    const hasOffers = async () => {
      const { tests } = await upstream.judge(OWNER, undefined);
      return tests.find(({ test }) => test === "HAS_OFFERS")?.outcome;
    };
    expect(await hasOffers()).toBe("GOOD");
    fake.products = [];
    expect(await hasOffers()).toBe("BAD");
  });

  it("can be made on the command line, with the secret from standard input", {
    tags: ["thorough"],
  }, async () => {
    const env = { TILLGATE_DATA: till.dataDir };
    const run = async (line: string) => {
      const args = `${line} --env live --url ${fake.url} --allow-private yes`.split(" ");
      const input = `${fake.secret}\n`;
      const finished = await runProgram("admin/tillgate.ts", args, { env, input });
      return `${finished.exitCode}${finished.stdout}${finished.stderr}`;
    };
    expect(await run(`upstream connect --kind reloadly --client-id ${fake.clientId}`)).toMatch(
      /^0Connected\./,
    );
    expect(await run("upstream connect --kind reloadly")).toMatch(/^1.*client id must be 8/s);
    expect(await run("upstream connect --kind other")).toContain(
      `1--kind must be ${PROVIDER_KINDS.join(" or ")}, not "other"`,
    );
  });

  it("stores neither the client id nor the secret in the clear", async () => {
    const rows = await till.gateway.context.db.selectFrom("upstreams").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(fake.clientId);
    expect(JSON.stringify(rows)).not.toContain(fake.secret);
  });
});
