import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CatalogContent } from "../../../contract/catalog-content.ts";
import type { SwitchTarget } from "../../../contract/pos/office-catalog.ts";
import type { TopupOffer } from "../../../contract/v1/offers.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

const SCOPE = { accountId: "default", environment: "test" } as const;
const PATH = "/catalog/test";

let gateway: TestGateway;
let owner: TestTill;
let sandbox: CatalogContent;
beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
  sandbox = await gateway.gateway.context.catalogUpdates.read(SCOPE);
});
afterAll(() => gateway.close());

function expectRefusal({ status, body }: Answer, code: string, field?: string): void {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body.errorCode).toBe(code);
  if (field !== undefined) expect(Object.keys(body.fields)).toEqual([field]);
}

function take(content: Partial<CatalogContent>) {
  const origin = { source: "file.json", action: "catalog.import" } as const;
  return gateway.gateway.context.catalogUpdates.replace(SCOPE, content, origin);
}

async function change(target: SwitchTarget, enabled: boolean): Promise<number> {
  const { status, body } = await owner.pos("POST", `${PATH}/switches`, { target, enabled });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.sequence;
}

async function list(query: string) {
  const { status, body } = await owner.pos("GET", `${PATH}/offers?limit=500&${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function counterIds(query: string): Promise<string[]> {
  const { body } = await owner.pos("GET", `/offers?${query}`);
  return body.list.map(({ offerId }: { offerId: string }) => offerId);
}

describe("a hidden brand", () => {
  it("disappears from the counter and /v1, also after later imports, until an undo", async () => {
    const target: SwitchTarget = { family: "TOPUP", brand: "TIGO", country: "GT" };
    const asked = { target, enabled: false };
    const preview = (await owner.pos("POST", `${PATH}/switches/preview`, asked)).body;
    const before = await counterIds("productType=TOPUP&country=GT&brand=TIGO");
    expect(preview.changes).toBe(before.length);
    expect(before.length).toBeGreaterThan(3);
    const sequence = await change(target, false);

    expect(await counterIds("productType=TOPUP&country=GT&brand=TIGO")).toEqual([]);
    const offer = (await gateway.v1("GET", "/topups/offers/TIGO_GT_TOPUP_25")).body;
    expect(offer.enabled).toBe(false);
    const refused = await gateway.v1("POST", "/topups/purchases", {
      offerId: "TIGO_GT_TOPUP_25",
      transactionId: "hidden",
      recipientPhoneNumber: "+50251239003",
    });
    expectRefusal(refused, "OFFER_DISABLED");
    expect((await list("family=TOPUP&brand=TIGO&country=GT&state=OFF")).total).toBe(before.length);

    // The switch also applies to an offer of the brand that a later import adds.
    const [tigo] = sandbox.topups.filter(({ offerId }) => offerId === "TIGO_GT_TOPUP_25");
    await take({ topups: [...sandbox.topups, { ...tigo!, offerId: "TIGO_GT_TOPUP_NEW" }] });
    expect(await counterIds("productType=TOPUP&country=GT&brand=TIGO")).toEqual([]);

    await change({ offerId: "TIGO_GT_TOPUP_25" }, true);
    expect(await counterIds("productType=TOPUP&country=GT&brand=TIGO")).toEqual([
      "TIGO_GT_TOPUP_25",
    ]);

    const undone = await owner.pos("DELETE", `${PATH}/switches/${sequence}`);
    expect(
      undone.body.list.find((one: { sequence: number }) => one.sequence === sequence),
    ).toMatchObject({
      target,
      enabled: false,
      offers: before.length,
      undoneAt: expect.any(String),
      staff: { name: "Olga" },
    });
    expect((await counterIds("productType=TOPUP&country=GT&brand=TIGO")).sort()).toEqual(
      [...before, "TIGO_GT_TOPUP_NEW"].sort(),
    );
    expectRefusal(await owner.pos("DELETE", `${PATH}/switches/${sequence}`), "NOT_FOUND");
    const trail = (await owner.pos("GET", "/audit-trail?limit=10")).body.list;
    expect(trail.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining([
        "catalog.hide",
        "catalog.show",
        "catalog.switch-undo",
        "catalog.import",
      ]),
    );
    await take({ topups: sandbox.topups });
  });

  it("requires a switch whose target matches an offer", async () => {
    const all = await owner.pos("POST", `${PATH}/switches`, { target: {}, enabled: false });
    expectRefusal(all, "INVALID_REQUEST", "target");
    const target = { brand: "NOBODY" };
    const nobody = await owner.pos("POST", `${PATH}/switches`, { target, enabled: false });
    expectRefusal(nobody, "NOT_FOUND");
  });
});

describe("a search in the catalog", () => {
  it("finds a country by its name in each language, with or without accents", async () => {
    const total = async (query: string) => (await list(query)).total;
    const inSpain = await total("country=ES");
    expect(inSpain).toBeGreaterThan(0);
    for (const name of ["spain", "españa", "ESPAGNE", "espanha", "إسبانيا", "اسبانيا"]) {
      const found = (await list(`text=${encodeURIComponent(name)}`)).list;
      const countries = found.map(({ country }: { country: string }) => country);
      expect(
        countries.filter((code: string) => code === "ES"),
        name,
      ).toHaveLength(inSpain);
    }
  });

  it("combines words and filters, and returns the exact total of the rows on all pages", async () => {
    const found = await list("text=tigo%20guate&family=TOPUP");
    expect(found.total).toBe(found.list.length);
    const named = await list("brand=TIGO&country=GT&family=TOPUP");
    expect(named.list[0]).toMatchObject({ brand: "TIGO", state: "ON", cost: { currency: "USD" } });
    const ids: string[] = [];
    for (let after = ""; ; ) {
      const query = `family=TOPUP&limit=500${after && `&after=${encodeURIComponent(after)}`}`;
      const { body } = await owner.pos("GET", `${PATH}/offers?${query}`);
      ids.push(...body.list.map(({ offerId }: { offerId: string }) => offerId));
      if (!body.more) {
        expect(ids).toHaveLength(body.total);
        break;
      }
      after = ids.at(-1)!;
    }
    expect(new Set(ids)).toEqual(new Set(sandbox.topups.map(({ offerId }) => offerId)));
    const summary = (await owner.pos("GET", PATH)).body;
    expect(summary.families[0]).toEqual({ family: "TOPUP", offers: ids.length });
    const gone = await owner.pos("GET", `${PATH}/offers?limit=5&after=GONE`);
    expectRefusal(gone, "INVALID_REQUEST", "after");
  });
});

describe("pinned offers", () => {
  it("appear first at the counter, in the owner's order, also after an import", async () => {
    const query = "productType=TOPUP&country=GT&brand=TIGO";
    const before = await counterIds(query);
    const offerIds = [before[4]!, before[2]!];
    const saved = await owner.pos("PUT", `${PATH}/pins`, { family: "TOPUP", offerIds });
    expect(saved.body.list.map(({ offerId }: { offerId: string }) => offerId)).toEqual(offerIds);
    await take({ topups: sandbox.topups.map((offer) => ({ ...offer, notes: `${offer.notes}.` })) });
    expect((await counterIds(query)).slice(0, 2)).toEqual(offerIds);
    const [voucher] = sandbox.vouchers.toReversed();
    await owner.pos("PUT", `${PATH}/pins`, { family: "VOUCHER", offerIds: [voucher!.offerId] });
    const { body } = await owner.pos("GET", "/brands?productType=VOUCHER");
    expect(body.list[0]).toMatchObject({ brand: voucher!.brand, pinned: true });
    const wrong = await owner.pos("PUT", `${PATH}/pins`, { family: "ESIM", offerIds });
    expectRefusal(wrong, "NOT_FOUND");
    await owner.pos("PUT", `${PATH}/pins`, { family: "TOPUP", offerIds: [] });
    expect(await counterIds(query)).toEqual(before);
  });
});

describe("the history of imports", () => {
  it("states the time, the source and the number of changes of each import", async () => {
    await take({ promos: sandbox.promos.slice(1) });
    const { body } = await owner.pos("GET", `${PATH}/updates`);
    const removed = { kind: "IMPORT", source: "file.json", added: 0, changed: 0, removed: 1 };
    expect(body.list[0]).toMatchObject(removed);
  });
});

describe("any sequence of imports, switches and undos", () => {
  it("leaves the same offers for sale as a simple model", { tags: ["thorough"] }, async () => {
    const offers = sandbox.topups
      .filter(
        ({ brand, country }) => ["TIGO", "CLARO"].includes(brand) && ["GT", "SV"].includes(country),
      )
      .slice(0, 24);
    const rest: Partial<CatalogContent> = { vouchers: [], esim: [], billpay: [], promos: [] };
    await take({ ...rest, topups: offers });
    const targets: SwitchTarget[] = [
      { brand: "TIGO" },
      { country: "GT" },
      { brand: "CLARO", country: "SV" },
      { subType: "Mobile Top Up" },
      { family: "TOPUP" },
      ...offers.slice(0, 4).map(({ offerId }) => ({ offerId })),
    ];
    const steps = fc.oneof(
      fc.record({
        kind: fc.constant("switch" as const),
        target: fc.constantFrom(...targets),
        enabled: fc.boolean(),
      }),
      fc.record({ kind: fc.constant("undo" as const), which: fc.nat(20) }),
      fc.record({
        kind: fc.constant("import" as const),
        keep: fc.integer({ min: 1, max: offers.length }),
      }),
    );
    const made: { sequence: number; target: SwitchTarget; enabled: boolean }[] = [];
    const fits = (offer: TopupOffer, { offerId, brand, country, subType }: SwitchTarget) =>
      (offerId ?? offer.offerId) === offer.offerId &&
      (brand ?? offer.brand) === offer.brand &&
      (country ?? offer.country) === offer.country &&
      (subType === undefined || offer.subTypes.some((one) => one === subType));
    let there = offers;
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 8 }), async (sequence) => {
        for (const step of sequence) {
          if (step.kind === "import") {
            there = offers.slice(0, step.keep);
            await take({ topups: there });
          } else if (step.kind === "undo") {
            const [one] = made.splice(step.which % Math.max(made.length, 1), 1);
            if (one) await owner.pos("DELETE", `${PATH}/switches/${one.sequence}`);
          } else if (there.some((offer) => fits(offer, step.target))) {
            const { target, enabled } = step;
            made.push({ sequence: await change(target, enabled), target, enabled });
          }
          const expected = there.map((offer) => {
            const last = made.findLast(({ target }) => fits(offer, target));
            return [offer.offerId, offer.enabled && (last?.enabled ?? true)];
          });
          const { body } = await gateway.v1("GET", "/topups/offers?_limit=100&_offset=0");
          const now = body.list.map((offer: TopupOffer) => [offer.offerId, offer.enabled]);
          expect(Object.fromEntries(now)).toEqual(Object.fromEntries(expected));
        }
      }),
      { numRuns: 25 },
    );
  });
});
