import { Type } from "typebox";
import { FAMILIES, FAMILY_FACTS, type Family } from "../../contract/pos/families.ts";
import { BrandDetail, RedemptionInstructions } from "../../contract/v1/brands.ts";
import { OFFER_SCHEMAS } from "../../contract/v1/offers.ts";
import { UpstreamRefusal } from "../../suppliers/upstream/upstream-call.ts";
import type { UpstreamReader } from "../../suppliers/upstream/upstream-pages.ts";
import { emptyContent, isWebAddress, type Section } from "../catalog/index.ts";
import { type NoteUnknown, readLiberally } from "./liberal-reading.ts";
import { toOurOffer } from "./offer-prices.ts";
import { type ReadPromo, readPromo } from "./promo-reading.ts";

/** A whole catalog as an upstream states it, in the shape that an import takes. */
export type UpstreamCatalog = Record<Section, unknown[]>;

const READERS = 4;
/** Promotions do not say in which languages they exist: these are tried. */
const USUAL_LANGUAGES = ["es", "fr"];
const LANGUAGE = /^[a-z]{2}$/;

const Anything = Type.Record(Type.String(), Type.Unknown());

/**
 * Reads every offer, brand and promotion (rules#upstream-liberal-reading). What we do not know is left out and
 * noted; whether what remains can be sold is for the catalog to say.
 * @throws UpstreamMoved, or what the reader throws
 */
export async function readUpstreamCatalog(
  reader: UpstreamReader,
  walletCurrency: string,
  note: NoteUnknown,
): Promise<UpstreamCatalog> {
  const catalog: UpstreamCatalog = emptyContent();
  const readOffers = async (family: Family) =>
    (await reader.readAll(`/${FAMILY_FACTS[family].path}/offers`, "offerId")).map((offer) =>
      toOurOffer(readLiberally(OFFER_SCHEMAS[family].offer, offer, note), walletCurrency),
    );
  for (const family of FAMILIES) catalog[FAMILY_FACTS[family].path] = await readOffers(family);
  const listed = (await reader.readAll("/brands", "brand")) as { brand: unknown }[];
  const brands = await inParallel(listed, ({ brand }) => readBrand(reader, String(brand), note));
  const languages = new Set(USUAL_LANGUAGES);
  for (const { redemptionInstructionInfos } of brands) {
    for (const { language } of redemptionInstructionInfos) languages.add(String(language));
  }
  const promos = await readPromos(
    reader,
    [...languages].filter((text) => LANGUAGE.test(text)),
    note,
  );
  return { ...catalog, brands, promos };
}

async function readBrand(reader: UpstreamReader, code: string, note: NoteUnknown) {
  const path = `/brands/${encodeURIComponent(code)}`;
  const stated = await reader.read(Anything, path);
  const detail = readLiberally(BrandDetail, stated, note) as {
    brandInfoPdf?: unknown;
    redemptionInstructions?: Record<string, unknown>[];
  };
  const infos: Record<string, unknown>[] = [];
  const links: Record<string, unknown>[] = [];
  for (const item of detail.redemptionInstructions ?? []) {
    const { country, deliveryType, language } = item;
    const query = new URLSearchParams({
      country: String(country),
      deliveryType: String(deliveryType),
      language: String(language),
    });
    const info = await reader
      .read(Anything, `${path}/redemptionInstructions?${query}`)
      .catch((error: unknown) => {
        // Listed, and not found: the brand is sold without it.
        if (error instanceof UpstreamRefusal && error.errorCode === "NOT_FOUND") return undefined;
        throw error;
      });
    if (!info) continue;
    const text = readLiberally(RedemptionInstructions, info, note) as Record<string, unknown>;
    infos.push({ ...text, redemptionVideo: webAddressOrNone(text.redemptionVideo) });
    links.push({ ...item, link: `/v1${path}/redemptionInstructions?${query}` });
  }
  return {
    ...detail,
    // Pictures are drawn here: integrators may not be able to reach the upstream's addresses.
    brandBigImage: `/v1${path}/big.svg`,
    brandGiftImage: `/v1${path}/gift.svg`,
    brandLogo: `/v1${path}/logo.svg`,
    brandLogoExtension: "svg",
    brandInfoPdf: webAddressOrNone(detail.brandInfoPdf),
    redemptionInstructions: links,
    redemptionInstructionInfos: infos,
  };
}

/** A brand is sold without it too; a link that is no web address would keep the brand out altogether. */
function webAddressOrNone(link: unknown): unknown {
  return typeof link === "string" && !isWebAddress(link) ? "" : link;
}

async function readPromos(
  reader: UpstreamReader,
  languages: string[],
  note: NoteUnknown,
): Promise<unknown[]> {
  const read = async (query: string): Promise<ReadPromo[]> =>
    (await reader.readAll("/promos", "id", query)).map((promo) => readPromo(promo, note));
  const promos = await read("&language=en");
  const translations = new Map(
    promos.map(({ id, descriptions }) => [
      id,
      new Map<unknown, unknown>(descriptions.map((text) => [text.language, text])),
    ]),
  );
  for (const language of languages) {
    if (language === "en") continue;
    for (const { id, description } of await read(`&language=${language}`)) {
      // English stands in where a language is missing.
      if (description?.language === language) translations.get(id)?.set(language, description);
    }
  }
  return promos.map((promo) => ({
    ...promo,
    descriptions: [...(translations.get(promo.id)?.values() ?? [])],
  }));
}

/** The results of work on every item, a few at a time, in the items' order. */
async function inParallel<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  async function take(): Promise<void> {
    for (let at = next++; at < items.length; at = next++) {
      results[at] = await work(items[at] as Item);
    }
  }
  await Promise.all(Array.from({ length: READERS }, take));
  return results;
}
