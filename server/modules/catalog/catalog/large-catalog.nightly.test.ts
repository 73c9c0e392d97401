import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CatalogContent } from "../../../contract/catalog-content.ts";
import type { PosSearchIndex } from "../../../contract/pos/search-index.ts";
import type { TopupOffer } from "../../../contract/v1/offers.ts";
import { SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

/** Ten times the number of offers of a large provider (docs/decisions/0052). */
const OFFERS = 200_000;
const LONG_MS = 900_000;
const SCOPE = { accountId: "default", environment: "test" } as const;
const ORIGIN = { source: "large.json", action: "catalog.import" } as const;

let gateway: TestGateway;
let owner: TestTill;
const statements: string[] = [];
let before: number;
let bytes: number;

/** Collects garbage before it measures. */
function memoryInUse(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function largeContent(): Promise<CatalogContent> {
  const sandbox = await gateway.gateway.context.catalogUpdates.read(SCOPE);
  const copied = Array.from({ length: OFFERS - sandbox.topups.length }, (_, n) => {
    const offer = sandbox.topups[n % sandbox.topups.length] as TopupOffer;
    return { ...offer, offerId: `${offer.offerId}_${n}` };
  });
  return { ...sandbox, topups: [...sandbox.topups, ...copied] };
}

function take(content: Partial<CatalogContent>) {
  return gateway.gateway.context.catalogUpdates.replace(SCOPE, content, ORIGIN);
}

beforeAll(async () => {
  gateway = await startTestGateway({
    onStatement: (sql) => {
      if (/^(insert|update|delete)/i.test(sql)) statements.push(sql);
    },
  });
  owner = await openTill(gateway);
  before = memoryInUse();
  const content = await largeContent();
  bytes = JSON.stringify(content).length;
  const { sections } = await take(content);
  expect(sections.topups).toMatchObject({ changed: 0, removed: 0 });
}, LONG_MS);
afterAll(() => gateway.close());

it(
  "a catalog of 200,000 offers is served page by page, to the last offer",
  async () => {
    const { body: all } = await gateway.v1("GET", "/topups/offers?_limit=50&_offset=0");
    expect(all.total).toBe(OFFERS);
    const { body: last } = await gateway.v1(
      "GET",
      `/topups/offers?_limit=50&_offset=${OFFERS - 20}`,
    );
    expect(last.list).toHaveLength(20);

    const filtered = "/topups/offers?country=GT&_limit=1024";
    const seen = new Set<string>();
    let total = Infinity;
    for (let offset = 0; offset < total; offset += 1024) {
      const { body } = await gateway.v1("GET", `${filtered}&_offset=${offset}`);
      total = body.total;
      for (const { offerId, country } of body.list as TopupOffer[]) {
        expect(country).toBe("GT");
        seen.add(offerId);
      }
    }
    expect(seen.size).toBe(total);
    expect(total).toBeGreaterThan(1_024);
    expect(total).toBeLessThan(OFFERS);
  },
  LONG_MS,
);

it(
  "the till's search index of 200,000 offers takes at most a hundred bytes per offer",
  async () => {
    const { status, body } = await owner.pos("GET", "/search-index");
    expect(status).toBe(200);
    const { groups } = body as PosSearchIndex;
    const found = groups.flatMap(({ offers }) => offers.map(([offerId]) => offerId));
    expect(found).toContain("TIGO_GT_TOPUP_25");
    const { offers } = await gateway.gateway.context.catalog.getSnapshot(SCOPE);
    expect(found).toHaveLength(offers.filter(({ enabled }) => enabled).length);
    expect(JSON.stringify(body).length / found.length).toBeLessThan(100);
  },
  LONG_MS,
);

it(
  "a shop with 200,000 offers sells an offer from its catalog",
  async () => {
    const { body } = await gateway.v1("GET", "/topups/offers?country=GT&_limit=1024&_offset=1024");
    const { offerId } = (body.list as TopupOffer[]).find(
      ({ priceType, enabled }) => enabled && priceType === "FIXED",
    )!;
    const purchase = { offerId, transactionId: "large-1", recipientPhoneNumber: "+50251234567" };
    expect((await gateway.v1("POST", "/topups/purchases", purchase)).status).toBe(200);
    await gateway.settle();
    await gateway.advance(2 * SECOND);
    expect((await gateway.v1("GET", "/topups/purchases/large-1")).body.status).toBe("DONE");
  },
  LONG_MS,
);

it(
  "a repeated import of 200,000 offers writes only the differences",
  async () => {
    const content = await largeContent();
    const { topups } = content;
    const [first, ...others] = topups as [TopupOffer, ...TopupOffer[]];
    const changed = { ...content, topups: [{ ...first, notes: "changed" }, ...others] };
    statements.length = 0;
    const report = await take(changed);
    expect(report.sections.topups).toMatchObject({ added: 0, changed: 1, removed: 0 });
    expect(statements.length).toBeLessThan(50);
  },
  LONG_MS,
);

it("a catalog of 200,000 offers takes at most three times its file size in memory", () => {
  expect((memoryInUse() - before) / bytes).toBeLessThan(3);
});
