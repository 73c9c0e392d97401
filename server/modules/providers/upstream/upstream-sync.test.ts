import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

/** The shop's live environment syncs the head office's test catalog. */
let office: TestGateway;
let shop: TestGateway;
let owner: TestTill;

beforeEach(async () => {
  office = await startTestGateway();
  shop = await startTestGateway();
  owner = await openTill(shop);
});
afterEach(async () => {
  await shop.close();
  await office.close();
});

/** Removes most of the catalog, so that syncs are quick. */
async function shrink(): Promise<void> {
  const { db } = office.gateway.context;
  await writerOf(db).deleteFrom("offers").where("brand", "not in", BRANDS).execute();
  await writerOf(db).deleteFrom("promos").where("promo_id", "not like", "TIGO%").execute();
  await writerOf(db).deleteFrom("brands").where("brand", "not in", BRANDS).execute();
  await touch();
}
const BRANDS = ["TIGO", "ADIDAS", "AYSA"];

async function touch(): Promise<void> {
  const { db } = office.gateway.context;
  await writerOf(db)
    .updateTable("catalogs")
    .set((row) => ({ version: row("version", "+", 1) }))
    .execute();
}

function connect() {
  const body = { baseUrl: office.url, key: office.key("test"), allowPrivate: true };
  return owner.pos("PUT", "/upstream", body);
}

async function readPage(gateway: TestGateway, environment: "test" | "live", path: string) {
  const query = `${path.includes("?") ? "&" : "?"}_limit=1024&_offset=0`;
  return (await gateway.v1("GET", path + query, undefined, environment)).body;
}

const LISTS = ["topups", "vouchers", "esim", "billpay"].map((family) => `/${family}/offers`);

describe("a sync of the catalog", () => {
  it("imports the whole catalog first, and then only changes, every hour", async () => {
    await shrink();
    await connect();
    await shop.settle();
    for (const path of [...LISTS, "/brands", "/promos", "/promos?language=es"]) {
      const theirs = await readPage(office, "test", path);
      expect(await readPage(shop, "live", path)).toEqual(theirs);
    }
    expect((await readPage(shop, "live", "/topups/offers")).total).toBeGreaterThan(10);
    expect((await readPage(shop, "live", "/promos")).total).toBeGreaterThan(0);
    const text = "/brands/ADIDAS/redemptionInstructions?country=US&deliveryType=EPIN&language=es";
    const there = (await office.v1("GET", text)).body;
    expect(there.language).toBe("es");
    expect((await shop.v1("GET", text, undefined, "live")).body).toEqual(there);
    const brand = (await shop.v1("GET", "/brands/ADIDAS", undefined, "live")).body;
    expect(brand.brandLogo).toBe(`${shop.url}/v1/brands/ADIDAS/logo.svg`);

    const { db } = office.gateway.context;
    const { offer_id: gone } = await db
      .selectFrom("offers")
      .select("offer_id")
      .where("product_type", "=", "VOUCHER")
      .executeTakeFirstOrThrow();
    await writerOf(db).deleteFrom("offers").where("offer_id", "=", gone).execute();
    const changed = await db
      .selectFrom("offers")
      .selectAll()
      .where("offer_id", "=", "TIGO_GT_TOPUP_25")
      .executeTakeFirstOrThrow();
    const offer = JSON.parse(changed.offer_json);
    offer.notes = "Changed";
    const added = { ...offer, offerId: "TIGO_GT_TOPUP_NEW" };
    await writerOf(db)
      .updateTable("offers")
      .set({ offer_json: JSON.stringify(offer) })
      .where("offer_id", "=", offer.offerId)
      .execute();
    await writerOf(db)
      .insertInto("offers")
      .values({ ...changed, offer_id: added.offerId, offer_json: JSON.stringify(added) })
      .execute();
    await touch();
    const report = (await owner.pos("POST", "/upstream/sync")).body;
    expect(report).toMatchObject({
      leftOutCount: 0,
      sections: {
        brands: { added: 0, changed: 0, removed: 0 },
        topups: { added: 1, changed: 1, removed: 0 },
        vouchers: { added: 0, changed: 0, removed: 1 },
      },
    });

    offer.notes = "Changed again";
    await writerOf(db)
      .updateTable("offers")
      .set({ offer_json: JSON.stringify(offer) })
      .where("offer_id", "=", offer.offerId)
      .execute();
    await touch();
    await shop.advance(HOUR);
    const now = (await shop.v1("GET", `/topups/offers/${offer.offerId}`, undefined, "live")).body;
    expect(now.notes).toBe("Changed again");
    await shop.restart();
    expect((await owner.pos("GET", "/upstream")).body).toMatchObject({ connected: true });
  });

  it("retries an initial failure after 1, 5 and 15 minutes, until it succeeds", async () => {
    await shrink();
    const { db } = office.gateway.context;
    // The office responds with its balance but without offers.
    await sql`alter table offers rename to lost_offers`.execute(writerOf(db));
    await touch();
    expect((await connect()).status).toBe(200);
    await shop.settle();
    const failedAt = async () => (await owner.pos("GET", "/upstream")).body.syncFailure.at;
    for (const minutes of [1, 5, 15, 15]) {
      const before = await failedAt();
      await shop.advance(minutes * MINUTE - SECOND);
      expect(await failedAt()).toBe(before);
      await shop.advance(SECOND);
      expect(await failedAt()).not.toBe(before);
    }
    await sql`alter table lost_offers rename to offers`.execute(writerOf(db));
    await touch();
    await shop.advance(15 * MINUTE);
    const { body } = await owner.pos("GET", "/upstream");
    expect(body.syncedAt).toBeDefined();
    expect(body).not.toHaveProperty("syncFailure");
  });

  it("imports a brand without its invalid web addresses", async () => {
    await shrink();
    const { db } = office.gateway.context;
    const row = await db
      .selectFrom("brands")
      .select("detail_json")
      .where("brand", "=", "ADIDAS")
      .executeTakeFirstOrThrow();
    const odd = JSON.parse(row.detail_json);
    odd.brandInfoPdf = "javascript:alert(1)";
    for (const info of odd.redemptionInstructionInfos) info.redemptionVideo = "data:text/html,x";
    await writerOf(db)
      .updateTable("brands")
      .set({ detail_json: JSON.stringify(odd) })
      .where("brand", "=", "ADIDAS")
      .execute();
    await touch();
    await connect();
    await shop.settle();
    expect((await owner.pos("GET", "/upstream")).body.sync.leftOut).toEqual([]);
    const { body } = await shop.v1("GET", "/brands/ADIDAS", undefined, "live");
    expect(body.brandInfoPdf).toBe("");
    const text = "/brands/ADIDAS/redemptionInstructions?country=US&deliveryType=EPIN";
    expect((await shop.v1("GET", text, undefined, "live")).body.redemptionVideo).toBe("");
  });

  it("leaves out unsellable items, and retains the old catalog if the sync fails", async () => {
    await shrink();
    const { db } = office.gateway.context;
    const row = await db
      .selectFrom("offers")
      .selectAll()
      .where("offer_id", "=", "TIGO_GT_TOPUP_25")
      .executeTakeFirstOrThrow();
    const odd = JSON.parse(row.offer_json);
    odd.cost.currency = "EUR";
    await writerOf(db)
      .updateTable("offers")
      .set({ offer_json: JSON.stringify(odd) })
      .where("offer_id", "=", odd.offerId)
      .execute();
    const turned = { ...JSON.parse(row.offer_json), offerId: "TIGO_GT_TOPUP_50" };
    turned.shortNotes = "Q50 \u202e05Q";
    await writerOf(db)
      .updateTable("offers")
      .set({ offer_json: JSON.stringify(turned) })
      .where("offer_id", "=", turned.offerId)
      .execute();
    await touch();
    await connect();
    await shop.settle();
    const state = (await owner.pos("GET", "/upstream")).body;
    expect(state.sync.leftOut.toSorted()).toEqual([
      expect.stringMatching(/^topups TIGO_GT_TOPUP_25: cost\.currency must be USD/),
    ]);
    expect(state.sync.deviations).toContainEqual({
      what: "topups: shortNotes has characters that are not shown",
      count: 1,
      example: "TIGO_GT_TOPUP_50",
    });
    const shown = await shop.v1("GET", "/topups/offers/TIGO_GT_TOPUP_50", undefined, "live");
    expect(shown.body.shortNotes).toBe("Q50 05Q");
    const before = await readPage(shop, "live", "/topups/offers");
    expect(before.total).toBe((await readPage(office, "test", "/topups/offers")).total - 1);
    await office.gateway.close();
    const failed = await owner.pos("POST", "/upstream/sync");
    expect([failed.status, failed.body.message]).toEqual([
      503,
      expect.stringMatching(/cannot be used: Nothing listens/),
    ]);
    expect(await readPage(shop, "live", "/topups/offers")).toEqual(before);
    expect((await owner.pos("GET", "/upstream")).body.syncFailure.message).toMatch(
      /Nothing listens/,
    );
    office = await startTestGateway();
  });

  it("accepts a gateway with its own forms of promotions, regions and empty values", async () => {
    await shrink();
    const front = await standBefore(office, rewriteAsOthersDo);
    const body = { baseUrl: front.url, key: office.key("test"), allowPrivate: true };
    await owner.pos("PUT", "/upstream", body);
    await shop.settle();
    expect((await owner.pos("GET", "/upstream")).body.sync).toMatchObject({
      leftOutCount: 1,
      leftOut: [expect.stringMatching(/^topups .*offerId is required/)],
    });
    for (const path of ["/promos", "/promos?language=es", "/vouchers/offers"]) {
      const theirs = await readPage(office, "test", path);
      expect(theirs.total).toBeGreaterThan(0);
      expect(await readPage(shop, "live", path)).toEqual(theirs);
    }
    const topups = await readPage(office, "test", "/topups/offers");
    expect((await readPage(shop, "live", "/topups/offers")).list).toEqual(topups.list.slice(1));
    front.server.close();
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a test rewrites any response.
type Json = any;

/** Starts a proxy that rewrites responses like a third-party implementation. */
async function standBefore(behind: TestGateway, rewrite: (path: string, body: Json) => Json) {
  const server: Server = createServer((request, response) => {
    void fetch(behind.url + request.url, {
      headers: { authorization: String(request.headers.authorization) },
    }).then(async (answer) => {
      const body = rewrite(String(request.url), await answer.json());
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/**
 * Rewrites responses as other gateways send them: lists instead of single values, another letter
 * case, nulls and unknown values.
 */
function rewriteAsOthersDo(path: string, body: Json): Json {
  if (path.startsWith("/v1/promos")) {
    for (const promo of body.list) {
      promo.description = [{ ...promo.description, title: "New" }];
      promo.regions = ["Antarctica", promo.regions];
      promo.budget = { left: 3 };
      promo.updatedBy = null;
    }
  }
  if (path.includes("/offers?")) {
    for (const offer of body.list) {
      offer.regions = [...offer.regions.map((name: string) => name.toUpperCase()), "Antarctica"];
      offer.priceType = offer.priceType.toLowerCase();
      offer.rating = null;
      offer.stock = 5;
    }
  }
  // Makes a record unreadable.
  if (path.startsWith("/v1/topups/offers?")) delete body.list[0].offerId;
  return body;
}
