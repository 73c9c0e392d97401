import { Value } from "typebox/value";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PosSearchIndex } from "../../../contract/pos/search-index.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
});
afterAll(() => till.close());

async function read(etag?: string) {
  const headers = { cookie: owner.cookie, ...(etag && { "if-none-match": etag }) };
  return till.call("GET", "/pos/search-index", { headers });
}

it("the search index contains every enabled offer of every family under its brand and country", async () => {
  const { body } = await read();
  expect([...Value.Errors(PosSearchIndex, body)]).toEqual([]);
  const index = body as PosSearchIndex;
  const listed = index.groups.flatMap(({ offers }) => offers.map(([offerId]) => offerId));
  const { offers } = await till.gateway.context.catalog.getSnapshot({
    accountId: "default",
    environment: "test",
  });
  const sold = offers.filter(({ enabled }) => enabled);
  expect(listed.toSorted()).toEqual(sold.map(({ offerId }) => offerId).toSorted());
  expect(offers.length).toBeGreaterThan(sold.length);
  const names = new Map(index.brands.map((brand) => [brand.brand, brand.brandName]));
  for (const { brand, brandName } of sold) expect(names.get(brand)).toBe(brandName);
  const tigo = index.groups.find(
    ({ brand, country, productType }) =>
      brand === "TIGO" && country === "GT" && productType === "TOPUP",
  );
  expect(tigo?.offers.find(([offerId]) => offerId === "TIGO_GT_TOPUP_25")?.[2]).toBe(2_635);
});

it("the search index is sent again only after the catalog or its prices have changed", async () => {
  const first = await read();
  const etag = first.headers.get("etag") ?? "";
  expect((await read(etag)).status).toBe(304);
  const { db } = till.gateway.context;
  await writerOf(db).updateTable("shops").set({ rate: "8" }).execute();
  const changed = await read(etag);
  expect(changed.status).toBe(200);
  expect(changed.headers.get("etag")).not.toBe(etag);
});

it("people who may change prices get the search index of either environment, with the subtypes", async () => {
  const of = async (environment: string): Promise<PosSearchIndex> =>
    (await owner.pos("GET", `/prices/${environment}/offers`)).body;
  expect((await of("live")).groups).toEqual([]);
  await giveLiveCatalog(till, ["TIGO_GT_TOPUP_25"]);
  const [group, ...others] = (await of("live")).groups;
  expect(others).toEqual([]);
  expect(group).toMatchObject({ brand: "TIGO", country: "GT", productType: "TOPUP" });
  expect(group?.offers.map(([offerId]) => offerId)).toEqual(["TIGO_GT_TOPUP_25"]);
  const esims = (await of("test")).groups.filter(({ productType }) => productType === "ESIM");
  expect(esims.flatMap(({ subTypes = [] }) => subTypes)).not.toEqual([]);
});
