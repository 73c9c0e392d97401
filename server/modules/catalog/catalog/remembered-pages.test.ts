import { get as httpGet } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CatalogContent, emptyContent } from "../../../contract/catalog-content.ts";
import { createTransactor } from "../../../db/transactor.ts";
import { openPlace } from "../../../testing/place.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill } from "../../../testing/test-till.ts";
import { readTerms } from "../../shop/shop/index.ts";
import { PriceReader } from "../prices/index.ts";
import { CatalogService } from "./catalog-service.ts";

const SCOPE = { accountId: "default", environment: "live" } as const;
const OFFERS = 40;

let till: TestGateway;
let content: CatalogContent;
/** A catalog service whose cache never matches, so that it rebuilds every response. */
let forgetful: CatalogService;

let commits = 0;
const nextCommit = () => commits++;

beforeAll(async () => {
  till = await startTestGateway();
  await openTill(till, { currency: "GTQ", rate: "7.75" });
  const { catalogUpdates, clock, db, log } = till.gateway.context;
  const all = await catalogUpdates.read({ ...SCOPE, environment: "test" });
  const near = all.topups.filter(({ country }) => country === "GT" || country === "MX");
  const topups = near.slice(0, OFFERS);
  const used = new Set(topups.map(({ brand }) => brand));
  const brands = all.brands.filter(({ brand }) => used.has(brand));
  content = { ...emptyContent(), brands, topups };
  const watch = {
    stamp: nextCommit,
    stampOfTurn: nextCommit,
    foreign: () => 0,
    onForeign: () => {},
    commits: nextCommit,
  };
  forgetful = new CatalogService({
    db,
    watch,
    log,
    clock,
    readPricing: (...pageRequests) => new PriceReader(readTerms).read(...pageRequests),
  });
});
afterAll(() => till.close());
beforeEach(() => replaceTopups(content.topups));

async function replaceTopups(topups: CatalogContent["topups"]): Promise<void> {
  await till.gateway.context.catalogUpdates.replace(
    SCOPE,
    { ...content, topups },
    { source: "test", action: "catalog.import" },
  );
}

interface PageRequest {
  country: string | undefined;
  limit: number;
  offset: number;
  encoding: "identity" | "gzip" | "br";
}

function ask({
  country,
  limit,
  offset,
  encoding,
}: PageRequest): Promise<{ text: string; etag: unknown }> {
  const filter = country === undefined ? "" : `&country=${country}`;
  const headers = { authorization: `Bearer ${till.key("live")}`, "accept-encoding": encoding };
  const url = `${till.url}/v1/topups/offers?_limit=${limit}&_offset=${offset}${filter}`;
  return new Promise((resolve, reject) => {
    httpGet(url, { headers }, (answer) => {
      const { "content-encoding": packed, etag } = answer.headers;
      const unpack = packed === "br" ? brotliDecompressSync : gunzipSync;
      buffer(answer).then((bytes) => {
        resolve({ text: String(packed === undefined ? bytes : unpack(bytes)), etag });
      }, reject);
    }).on("error", reject);
  });
}

async function askAnew({ country, limit, offset }: PageRequest): Promise<string> {
  const filter = { ...(country !== undefined && { country }) };
  const pageRequests = { filter, limit, offset, address: "" };
  return String(
    await forgetful.listOffers({ ...SCOPE, asOf: nextCommit() }, "TOPUP", pageRequests),
  );
}

const pageRequests: fc.Arbitrary<PageRequest> = fc.record({
  country: fc.constantFrom(undefined, "GT", "MX"),
  limit: fc.constantFrom(1, 20, OFFERS),
  offset: fc.constantFrom(0, 1, 19),
  encoding: fc.constantFrom("identity", "gzip", "br"),
});
const position = fc.nat(OFFERS - 1);
const change = fc.oneof(
  fc.record({ kind: fc.constant("cost" as const), position, by: fc.integer({ min: 1, max: 99 }) }),
  fc.record({ kind: fc.constant("sold" as const), position }),
  fc.record({ kind: fc.constant("removed" as const), position }),
  fc.record({ kind: fc.constant("rate" as const), rate: fc.integer({ min: 2, max: 40 }) }),
  fc.record({ kind: fc.constant("other process" as const), position }),
  fc.record({ kind: fc.constant("sale" as const) }),
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

async function carryOut(step: Change): Promise<void> {
  const { shop, transactor, recharges } = till.gateway.context;
  if (step.kind === "rate") {
    await shop.setRate({ accountId: "default", staffId: undefined }, String(step.rate));
  } else if (step.kind === "sale") {
    await transactor.transact("default", (tx) => recharges.rechargeSandbox(tx, SCOPE, 100));
  } else if (step.kind === "other process") {
    await removeElsewhere(step.position);
  } else {
    await replaceTopups(
      content.topups.flatMap((offer, index) => {
        if (index !== step.position) return [offer];
        if (step.kind === "removed") return [];
        if (step.kind === "sold") return [{ ...offer, enabled: !offer.enabled }];
        return [{ ...offer, notes: `${offer.notes} ${step.by}` }];
      }),
    );
  }
}

/**
 * Removes an offer in another process. The gateway may serve the old page for some milliseconds,
 * until PostgreSQL's notification arrives (docs/decisions/0081).
 */
async function removeElsewhere(at: number): Promise<void> {
  const { watch } = till.gateway.context;
  const before = watch.foreign();
  const db = await openPlace(till);
  const isRemoved = await createTransactor(db).transact("default", async (tx) => {
    const ofLive = tx.selectFrom("offers").where("environment", "=", "live");
    const row = await ofLive
      .select("offer_id")
      .orderBy("offer_id")
      .offset(at)
      .limit(1)
      .executeTakeFirst();
    if (!row) return false;
    await tx
      .deleteFrom("offers")
      .where("environment", "=", "live")
      .where("offer_id", "=", row.offer_id)
      .execute();
    await tx
      .updateTable("catalogs")
      .set((current) => ({ version: current("version", "+", 1) }))
      .where("environment", "=", "live")
      .execute();
    return true;
  });
  await db.destroy();
  if (isRemoved) await expect.poll(() => watch.foreign(), { interval: 1 }).not.toBe(before);
}

describe("a cached page of offers", () => {
  it("equals a rebuilt page after any changes", async () => {
    const steps = fc.array(
      fc.oneof({ arbitrary: pageRequests, weight: 3 }, { arbitrary: change, weight: 1 }),
      {
        minLength: 4,
        maxLength: 12,
      },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const tags = new Map<string, unknown>();
        for (const step of all) {
          if ("kind" in step) {
            await carryOut(step);
            continue;
          }
          const { text, etag } = await ask(step);
          expect(text).toBe(await askAnew(step));
          // Equal texts have equal ETags, in any compression and at any time.
          expect(etag).toBe(tags.get(text) ?? etag);
          tags.set(text, etag);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("needs no rebuild, no validation and no database read for a repeated request", async () => {
    const page = { country: "GT", limit: 20, offset: 0, encoding: "br" } as const;
    const first = await ask(page);
    const { catalog } = till.gateway.context;
    let asks = 0;
    const listOffers = catalog.listOffers.bind(catalog);
    catalog.listOffers = (...input) => {
      asks += 1;
      return listOffers(...input);
    };
    expect(await ask(page)).toEqual(first);
    expect(asks).toBe(0);
    await replaceTopups(content.topups.filter(({ country }) => country !== "GT"));
    expect((await ask(page)).etag).not.toBe(first.etag);
    expect(asks).toBe(1);
  });

  it("cannot be read without a key of its own environment", async () => {
    const address = "/v1/topups/offers?_limit=20&_offset=0&country=GT";
    await ask({ country: "GT", limit: 20, offset: 0, encoding: "identity" });
    expect((await till.call("GET", address)).status).toBe(401);
    const { body } = await till.v1("GET", address.slice(3));
    expect(body.total).not.toBe(content.topups.filter(({ country }) => country === "GT").length);
  });
});
