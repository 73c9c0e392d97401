import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { FAMILIES, FAMILY_FACTS } from "../../../contract/pos/families.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import { findSupply, toOwnId, withSupply } from "../../../providers/supply.ts";
import { type CatalogChoices, OfferSwitches } from "./catalog-choices.ts";
import { readSandboxCatalog } from "./catalog-file.ts";
import { CatalogSnapshot } from "./catalog-snapshot.ts";
import { mergeProducts } from "./products.ts";

const SECOND = "p2";
const CHOICES: CatalogChoices = {
  switches: new OfferSwitches([]),
  pins: new Map(),
  offProviders: new Set(),
  troubledProviders: new Set(),
  pausedPairs: new Set(),
  routing: { orders: [], joined: {} },
};

let shipped: Map<string, Offer>;
beforeAll(async () => {
  const content = await readSandboxCatalog(join(process.cwd(), "resources"));
  const all = FAMILIES.flatMap((family): Offer[] => content[FAMILY_FACTS[family].path]);
  shipped = new Map(all.map((offer) => [offer.offerId, offer]));
});

/** Returns the offer as the second provider states it. */
function atSecond(offer: Offer, change: object = {}): Offer {
  const { offerId: productId } = offer;
  const copy = { ...offer, ...change, offerId: toOwnId(productId, SECOND) };
  return withSupply(copy, { providerId: SECOND, productId });
}

function get(offerId: string): Offer {
  const offer = shipped.get(offerId);
  if (!offer) throw new Error(`no offer ${offerId}`);
  return offer;
}

/** Returns everything but the amount that an offer must share with the offer it is sold as. */
function describeDelivery(offer: Offer): unknown {
  const { brand, country, productType, subTypes } = offer;
  const { deliveryType, requiredFields } = offer as Partial<
    Extract<Offer, { deliveryType: string }>
  >;
  const fields = requiredFields?.toSorted();
  return { brand, country, productType, subTypes: [...subTypes].sort(), deliveryType, fields };
}

describe("merged products", () => {
  it("keep two offers of one provider apart that only their texts distinguish", async () => {
    const both = ["NAUTA_CU_HOGAR_10", "NAUTA_CU_INTERNET_10"].map(
      (offerId) => ({ ...get(offerId), deliveryType: "EPIN" }) as Offer,
    );
    const stated = [
      ...both,
      ...both.map((offer) => atSecond(offer, { cost: get("NAUTA_CU_HOGAR_20").cost })),
    ];
    const { offers, hidden } = await mergeProducts(stated, CHOICES);
    expect(offers.map(({ offerId }) => offerId).toSorted()).toEqual(
      stated.map(({ offerId }) => offerId).toSorted(),
    );
    expect(hidden.size).toBe(0);
  });

  it("keep two direct credits apart that each provider states once, with different texts", async () => {
    const stated = [get("NAUTA_CU_HOGAR_10"), atSecond(get("NAUTA_CU_INTERNET_10"))];
    const { offers } = await mergeProducts(stated, CHOICES);
    expect(offers).toHaveLength(2);
    const same = [get("NAUTA_CU_HOGAR_10"), atSecond(get("NAUTA_CU_HOGAR_10"))];
    expect((await mergeProducts(same, CHOICES)).offers).toHaveLength(1);
  });

  it.each([
    { deliveryType: "EPIN" },
    { requiredFields: ["account.email"] },
    { subTypes: ["Other"] },
    { regions: ["Global"] },
  ])("keep offers apart that differ in %o", async (change) => {
    const offer = get("NAUTA_CU_HOGAR_35");
    const { offers } = await mergeProducts([offer, atSecond(offer, change)], CHOICES);
    expect(offers).toHaveLength(2);
  });

  it("keep two bundles without stated contents apart unless their texts agree", async () => {
    const amounts = { dataGB: 0, smsNumber: 0, voiceMinutes: 0, durationDays: 7 };
    const bundle = (notes: string) =>
      ({ ...get("TIGO_GT_TOPUP_25"), ...amounts, subTypes: ["Mobile Bundle"], notes }) as Offer;
    const other = atSecond(bundle("Facebook for 7 days"));
    const apart = await mergeProducts([bundle("WhatsApp for 7 days"), other], CHOICES);
    expect(apart.hidden.size).toBe(0);
    const same = atSecond(bundle("whatsapp for 7 days"));
    const merged = await mergeProducts([bundle("WhatsApp for 7 days"), same], CHOICES);
    expect(merged.offers).toHaveLength(1);
  });

  it("share the equal parts of offers, and keep the parts that differ", async () => {
    const offer = get("NAUTA_CU_HOGAR_10");
    const { cost } = get("NAUTA_CU_HOGAR_20");
    const stated = [structuredClone(offer), atSecond(structuredClone(offer), { cost })];
    const { offers, hidden } = await mergeProducts(stated, CHOICES);
    const [{ stated: other } = {}] = hidden.values();
    expect(other).toMatchObject(atSecond(offer, { cost }));
    expect(other?.price).toBe(offers[0]?.price);
    expect(other?.cost).not.toBe(offers[0]?.cost);
  });

  it("price a hidden offer only at its request", () => {
    const [listed, hidden] = [get("NAUTA_CU_HOGAR_10"), atSecond(get("NAUTA_CU_HOGAR_10"))];
    const requested: string[] = [];
    const findHidden = (offerId: string) => {
      if (offerId !== hidden.offerId) return undefined;
      requested.push(offerId);
      return { offer: hidden, text: "" };
    };
    const options = { findHidden };
    const snapshot = new CatalogSnapshot([{ offer: listed, text: "" }], [], [], options);
    expect(snapshot.get(listed.offerId)).toBe(listed);
    expect(snapshot.get("unknown")).toBeUndefined();
    expect(requested).toEqual([]);
    expect(snapshot.get(hidden.offerId)).toBe(hidden);
    expect(snapshot.find("TOPUP", hidden.offerId)).toBeUndefined();
    expect(snapshot.isSold(hidden.offerId)).toBe(true);
    expect(requested).toEqual(Array(3).fill(hidden.offerId));
  });

  it("hide no offer of the first provider, and deliver what their offer states", async () => {
    const all = [...shipped.values()].filter(
      ({ productType, country }) => productType !== "TOPUP" || country === "CU",
    );
    const changes = [{}, { deliveryType: "EPIN" }, { requiredFields: ["account.email"] }];
    const second = fc.subarray(all).chain((some) =>
      fc
        .array(fc.record({ change: fc.constantFrom(...changes), cheaper: fc.boolean() }), {
          minLength: some.length,
          maxLength: some.length,
        })
        .map((how) =>
          some.map((offer, index) => {
            const { change = {}, cheaper = false } = how[index] ?? {};
            const cost = { ...offer.cost, ...(cheaper && { fixed: 1, fx: 0.01, fee: 0 }) };
            const isVoucher = offer.productType === "VOUCHER";
            return atSecond(offer, { ...(isVoucher && change), cost });
          }),
        ),
    );
    const property = fc.asyncProperty(second, async (added) => {
      const { offers } = await mergeProducts([...all, ...added], CHOICES);
      const byId = new Map(offers.map((offer) => [offer.offerId, offer]));
      const atProvider = new Map(added.map((offer) => [findSupply(offer)?.productId, offer]));
      for (const offer of all) {
        const product = byId.get(offer.offerId);
        const supply = product && findSupply(product);
        const delivered = supply ? atProvider.get(supply.productId) : offer;
        if (!product || !delivered) throw new Error(`${offer.offerId} is hidden`);
        expect(describeDelivery(delivered)).toEqual(describeDelivery(offer));
      }
    });
    await fc.assert(property, { numRuns: 20 });
  });
});
