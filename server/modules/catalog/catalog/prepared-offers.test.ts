import fc from "fast-check";
import fastify from "fastify";
import type { TSchema } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BillPayOfferPage,
  EsimOfferPage,
  type Offer,
  TopupOfferPage,
  VoucherOfferPage,
} from "../../../contract/v1/offers.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill } from "../../../testing/test-till.ts";

let till: TestGateway;
beforeAll(async () => {
  till = await startTestGateway();
});
afterAll(() => till.close());

const SCOPE = { accountId: "default", environment: "test" } as const;
const PAGES: [path: string, schema: TSchema][] = [
  ["/topups", TopupOfferPage],
  ["/vouchers", VoucherOfferPage],
  ["/esim", EsimOfferPage],
  ["/billpay", BillPayOfferPage],
];

async function readText(path: string): Promise<{ type: string | null; text: string }> {
  const headers = { authorization: `Bearer ${till.key("test")}` };
  const response = await fetch(`${till.url}/v1${path}`, { headers });
  return { type: response.headers.get("content-type"), text: await response.text() };
}

async function serialized(
  schema: TSchema,
  value: unknown,
): Promise<{ type: unknown; text: string }> {
  const app = fastify();
  app.get("/", { schema: { response: { 200: schema } } }, () => value);
  const { body, headers } = await app.inject("/");
  await app.close();
  return { type: headers["content-type"], text: body };
}

async function expectAsSerialized(
  answer: { type: string | null; text: string },
  schema: TSchema,
): Promise<void> {
  const value: unknown = JSON.parse(answer.text);
  const expected = await serialized(schema, value);
  expect(answer.type).toBe(expected.type);
  expect(answer.text.length).toBe(expected.text.length);
  expect(JSON.parse(expected.text)).toEqual(value);
}

describe("a response with prepared offers", () => {
  it.each(PAGES)("equals the serializer's output at %s", async (path, schema) => {
    const list = await readText(`${path}/offers?_limit=1024&_offset=0`);
    await expectAsSerialized(list, schema);
    const [{ offerId }] = JSON.parse(list.text).list;
    const one = await readText(`${path}/offers/${offerId}`);
    const { properties } = schema as unknown as { properties: { list: { items: TSchema } } };
    await expectAsSerialized(one, properties.list.items);
  });

  it("equals the serializer's output in the shop's currency, from the first request after setup", async () => {
    const before = await readText("/topups/offers?_limit=50&_offset=0&country=GT");
    await openTill(till, { currency: "GTQ", rate: "7.75" });
    const list = await readText("/topups/offers?_limit=50&_offset=0&country=GT");
    expect(list.text).not.toBe(before.text);
    expect(JSON.parse(list.text).list[0].price.currency).toBe("GTQ");
    await expectAsSerialized(list, TopupOfferPage);
  });

  it("contains exactly the offers that fit every filter, in order, for any sequence of requests", async () => {
    const { offers } = await till.gateway.context.catalog.getSnapshot(SCOPE);
    const families = {
      TOPUP: "/topups",
      VOUCHER: "/vouchers",
      ESIM: "/esim",
      BILL_PAY: "/billpay",
    };
    const asked = fc
      .tuple(fc.constantFrom(...offers), fc.nat(15), fc.nat(40), fc.integer({ min: 1, max: 60 }))
      .map(([like, which, offset, limit]) => ({
        family: like.productType,
        offset,
        limit,
        filter: {
          ...(which & 1 && { brand: like.brand }),
          ...(which & 2 && like.country && { country: like.country }),
          ...(which & 4 && { regions: like.regions[0]! }),
          ...(which & 8 && like.subTypes[0] && { subType: like.subTypes[0] }),
        },
      }));
    await fc.assert(
      fc.asyncProperty(asked, async ({ family, offset, limit, filter }) => {
        const query = new URLSearchParams({ _limit: `${limit}`, _offset: `${offset}`, ...filter });
        const { body } = await till.v1("GET", `${families[family]}/offers?${query}`);
        const fitting = offers.filter((offer) => fits(offer, family, filter));
        expect(body.total).toBe(fitting.length);
        expect(body.list.map((offer: Offer) => offer.offerId)).toEqual(
          fitting.slice(offset, offset + limit).map(({ offerId }) => offerId),
        );
      }),
      { numRuns: 150 },
    );
  });

  function fits(offer: Offer, family: string, filter: Record<string, string>): boolean {
    const { brand = offer.brand, country = offer.country, regions, subType } = filter;
    const isIn = (list: readonly string[], value: string | undefined) =>
      value === undefined || list.includes(value);
    return (
      offer.productType === family &&
      offer.brand === brand &&
      offer.country === country &&
      isIn(offer.regions, regions) &&
      isIn(offer.subTypes, subType)
    );
  }
});
