import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOUR } from "../../../lib/clock.ts";
import {
  type FakeReloadly,
  type ReloadlyExchange,
  startFakeReloadly,
} from "../../../testing/fake-reloadly.ts";
import { startReloadlyShop } from "../../../testing/providers-under-test.ts";
import type { TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

const OFFER = "RLD-88-5.00-USD";

let till: TestGateway;
let owner: TestTill;
let first: FakeReloadly;
let second: FakeReloadly;

beforeEach(async () => {
  ({ till, fake: first } = await startReloadlyShop());
  owner = await openTill(till);
  second = await startFakeReloadly(till.clock);
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
  await Promise.all([first, second].map((fake) => fake.close()));
});

async function settle(): Promise<void> {
  await till.settle();
  await till.gateway.context.engine.idle();
  await till.settle();
}

/** Connects the second provider as the screen does, without a review of its catalog. */
async function connect(change: object = {}) {
  const { url: baseUrl, clientId, secret: key } = second;
  const typed = { kind: "reloadly", baseUrl, clientId, key, allowPrivate: true };
  const input = { ...typed, newName: "South", approvesCatalog: false, ...change };
  const answer = await owner.pos("PUT", "/upstream", input);
  await settle();
  return answer;
}

async function passHours(hours: number): Promise<void> {
  await till.advance(hours * HOUR);
  await settle();
  owner = await owner.signIn(owner.staffId, OWNER_PIN);
}

async function buy(transactionId: string, offerId: string): Promise<string> {
  const body = { offerId, transactionId, recipientPhoneNumber: "+50251234567" };
  const answer = await till.v1("POST", "/topups/purchases", body, "live");
  await settle();
  if (answer.status !== 200) return answer.body.errorCode;
  return (await till.v1("GET", `/topups/purchases/${transactionId}`, undefined, "live")).body
    .status;
}

async function listOffers(): Promise<string[]> {
  const { body } = await till.v1("GET", "/topups/offers?_limit=200&_offset=0", undefined, "live");
  return body.list.map(({ offerId }: { offerId: string }) => offerId);
}

const inEuro = () => {
  second.balance = { balance: 10, currencyCode: "EUR", currencyName: "Euro" };
};
const refusesCredentials = () => {
  second.revokeTokens();
  second.interfere = ({ path, refuse }) => {
    if (path === "/oauth/token") refuse(401, "INVALID_CREDENTIALS", "Access Denied");
    return path === "/oauth/token";
  };
};
const answersHtml = () => {
  second.interfere = ({ response }: ReloadlyExchange) => {
    response.end("<!doctype html><title>Welcome</title>");
    return true;
  };
};

const CASES: [string, () => void, RegExp, number, object][] = [
  [
    "settles in another currency",
    inEuro,
    /Its wallet is kept in EUR, yours in USD\./,
    400,
    {
      baseUrl: "must be a gateway whose wallet is kept in USD",
      reason: "CURRENCY",
      theirs: "EUR",
      ours: "USD",
    },
  ],
  [
    "refuses the credentials",
    refusesCredentials,
    /is refused/,
    400,
    { key: "is refused", reason: "REFUSED" },
  ],
  ["answers with a page for people", answersHtml, /cannot be used/, 503, { reason: "UNCLEAR" }],
];

describe.each(CASES)("a provider that %s", (_title, misbehave, words, status, fields) => {
  it("cannot be connected, the error says why, and the other provider sells", async () => {
    misbehave();
    const answer = await connect();
    expect(answer).toMatchObject({ status, body: { message: expect.stringMatching(words) } });
    expect(answer.body.fields).toEqual(fields);
    expect((await owner.pos("GET", "/providers")).body.list).toHaveLength(1);
    expect(await buy("sale-1", OFFER)).toBe("DONE");
  });

  it("keeps its catalog, and its page says why no new one comes", async () => {
    second.operators = [{ ...second.operators[0], operatorId: 91 }];
    expect((await connect()).status).toBe(200);
    const before = await listOffers();
    expect(before).toContain("RLD-91-5.00-USD:p2");
    misbehave();
    await passHours(2);
    const { body } = await owner.pos("GET", "/upstream?providerId=p2");
    expect(body.syncFailure.message).toMatch(words);
    expect((await owner.pos("GET", "/upstream?providerId=first")).body.syncFailure).toBeUndefined();
    expect(await listOffers()).toEqual(before);
    expect(await buy("sale-1", OFFER)).toBe("DONE");
  });
});

it("the gateway closes at once while a reading of the catalog waits for a busy provider", async () => {
  expect((await connect()).status).toBe(200);
  const isRead = new Promise<void>((resolve) => {
    second.interfere = ({ path, reply }) => {
      if (path !== "/operators") return false;
      reply(429, {}, { "retry-after": "30" });
      setImmediate(resolve);
      return true;
    };
  });
  till.clock.set(till.clock.now() + 2 * HOUR);
  await isRead;
  await till.restart();
  second.interfere = () => false;
});

describe("a provider whose catalog lost half of its offers overnight", () => {
  it("keeps its offers until the owner confirms the smaller catalog on its page", async () => {
    const [tigo] = second.operators;
    second.operators = Array.from({ length: 30 }, (_, n) => ({ ...tigo, operatorId: 500 + n }));
    await connect();
    const before = (await listOffers()).length;
    second.operators = second.operators.slice(0, 10);
    await passHours(2);
    expect((await listOffers()).length).toBe(before);
    const page = await owner.pos("GET", "/upstream?providerId=p2");
    expect(page.body.syncFailure.message).toBe(
      "Its catalog has 30 offers instead of 90. Accept it on the provider's page.",
    );
    const { waiting } = (await owner.pos("GET", "/upstream/catalog?providerId=p2")).body;
    expect(waiting.difference.offers).toMatchObject({ removed: 60, added: 0 });
    const accepted = { fetchedAt: waiting.fetchedAt, providerId: "p2" };
    expect((await owner.pos("POST", "/upstream/catalog/acceptance", accepted)).status).toBe(200);
    expect((await listOffers()).length).toBe(before - 60);
    const after = await owner.pos("GET", "/upstream?providerId=p2");
    expect(after.body.syncFailure).toBeUndefined();
  });
});

describe("a product that matches two others", () => {
  const TWINS = ["RLD-188-5.00-USD:p2", "RLD-189-5.00-USD:p2"] as const;
  const joinBrand = (brand: string, as?: string) =>
    owner.pos("PUT", "/providers/brands", { brand, ...(as && { as }) });
  const joinProduct = (offerId: string, as?: string) =>
    owner.pos("PUT", "/providers/products", { offerId, ...(as && { as }) });

  /** The second provider has two brands that the owner joins to one brand of the first. */
  beforeEach(async () => {
    const [tigo] = second.operators;
    second.operators = [188, 189].map((operatorId) => ({
      ...tigo,
      operatorId,
      fixedAmounts: [5],
      internationalDiscount: 10,
    }));
    await connect();
    for (const brand of ["RLD-188", "RLD-189"]) {
      expect((await joinBrand(brand, "RLD-88")).status).toBe(200);
    }
  });

  it("sells apart, and the provider's page names it until the owner chooses", async () => {
    expect(await listOffers()).toEqual(expect.arrayContaining([OFFER, ...TWINS]));
    const { body } = await owner.pos("GET", "/providers");
    expect(body).toMatchObject({ unclear: 1, joined: [{ as: "RLD-88" }, { as: "RLD-88" }] });
    const { list } = (await owner.pos("GET", "/providers/unclear-products")).body;
    expect(list).toMatchObject([
      {
        country: "GT",
        family: "TOPUP",
        send: { amount: 500, currency: "USD" },
        offers: [
          { offerId: OFFER, providerId: "first", cost: 478 },
          { offerId: TWINS[0], providerId: "p2", cost: 450 },
          { offerId: TWINS[1], providerId: "p2", cost: 450 },
        ],
      },
    ]);
    await buy("sale-1", OFFER);
    const chosen = await joinProduct(TWINS[0], OFFER);
    expect(chosen.body.list[0].offers[1]).toMatchObject({ offerId: TWINS[0], as: OFFER });
    expect((await owner.pos("GET", "/providers")).body.unclear).toBe(0);
    const offers = await listOffers();
    expect([offers.includes(TWINS[0]), offers.includes(TWINS[1])]).toEqual([false, true]);
    await buy("sale-2", OFFER);
    expect([[...first.books.keys()], [...second.books.keys()]]).toEqual([["sale-1"], ["sale-2"]]);
    await joinProduct(TWINS[0]);
    expect(await listOffers()).toContain(TWINS[0]);
  });

  it("equals one product only, of an earlier provider", async () => {
    expect((await joinProduct(TWINS[0], OFFER)).status).toBe(200);
    const refused = [
      await joinProduct(TWINS[1], OFFER),
      await joinProduct(TWINS[1], TWINS[0]),
      await joinProduct(OFFER, TWINS[1]),
      await joinProduct(TWINS[1], "RLD-90-USD"),
    ];
    const fields = refused.map(({ body }) => body.fields.as);
    const rule = "must be an offer of an earlier provider that it matches";
    expect(fields).toEqual(["is joined already", rule, rule, rule]);
    expect((await joinProduct("RLD-90-USD", OFFER)).body.errorCode).toBe("NOT_FOUND");
    expect((await joinBrand("RLD-188")).body.joined).toHaveLength(1);
  });
});
