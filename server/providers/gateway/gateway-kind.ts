import { Type } from "typebox";
import type { CatalogBrand, CatalogContent, Section } from "../../contract/catalog-content.ts";
import { FAMILIES, FAMILY_FACTS } from "../../contract/pos/families.ts";
import { LANGUAGES } from "../../contract/pos/setup.ts";
import { BrandDetail } from "../../contract/v1/brands.ts";
import { Promo, type PromoDescription } from "../../contract/v1/promos.ts";
import { SECOND } from "../../lib/clock.ts";
import type { OutgoingAnswer } from "../../lib/guarded-request.ts";
import type { Unit } from "../../lib/money.ts";
import { isTestKey } from "../../lib/test-key.ts";
import { CatalogDeviations, type NoteDeviation } from "../catalog-deviations.ts";
import type {
  BalanceAnswer,
  CatalogContext,
  CatalogReading,
  FetchedCatalog,
  ProviderKind,
  StatedCatalog,
} from "../kind.ts";
import type { Provider, ProviderFault } from "../provider.ts";
import {
  type ProviderConnection,
  ProviderRefusal,
  type ProviderRequest,
  ProviderUnclear,
} from "../provider-call.ts";
import { type LimitContext, ProviderLimits } from "../provider-limit.ts";
import { readOffer } from "./offer-reading.ts";
import {
  isRecord,
  readBalance,
  readList,
  type StatedPlace,
  StatedRecord,
} from "./stated-values.ts";
import { callUpstream, type UpstreamList, UpstreamMoved, UpstreamReader } from "./upstream-call.ts";
import { UpstreamProvider } from "./upstream-provider.ts";

const TIMEOUT_MS = 20 * SECOND;
/** Maximum number of readings if the catalog changes during each reading. */
const READINGS = 3;

/** Any gateway that serves `/v1`. It states its limit in `Retry-After`. */
export class GatewayKind implements ProviderKind {
  readonly #limits: ProviderLimits;

  constructor(context: LimitContext) {
    this.#limits = new ProviderLimits(context);
  }

  tidyUrl(typed: string): string {
    return typed.replace(/\/v1$/, "").replace(/\/+$/, "");
  }

  isTest({ key }: ProviderConnection): boolean {
    return isTestKey(key);
  }

  open(connection: ProviderConnection, report: (fault: ProviderFault) => Promise<void>): Provider {
    return new UpstreamProvider({ limits: this.#limits, connection, report });
  }

  async queryBalance(connection: ProviderConnection, currency: string): Promise<BalanceAnswer> {
    let date: string | string[] | undefined;
    const watch = (headers: OutgoingAnswer["headers"]) => {
      date = headers.date;
    };
    const stated: unknown = await this.#get(connection, "/balance", "INQUIRY", watch);
    const theirs = Date.parse(String(date));
    // Rounded down like the Date header, which has whole seconds.
    const now = Math.floor(this.#limits.clock.now() / SECOND) * SECOND;
    const noted: string[] = [];
    const balance = readBalance(stated, currency, (what) => noted.push(what));
    return { balance, noted, clockDifference_ms: Number.isNaN(theirs) ? undefined : theirs - now };
  }

  /** Returns whether any family has offers. An unreadable family counts as empty. */
  async hasOffers(connection: ProviderConnection): Promise<boolean> {
    for (const { path } of Object.values(FAMILY_FACTS)) {
      const first = this.#get(connection, `/${path}/offers?_limit=1&_offset=0`, "CATALOG");
      const page: unknown = await first.catch((error: unknown) => {
        if (error instanceof ProviderRefusal || error instanceof ProviderUnclear) return undefined;
        throw error;
      });
      if (isRecord(page) && readList(page.list).length > 0) return true;
    }
    return false;
  }

  async readCatalog(
    connection: ProviderConnection,
    { wallet, readStored, noted }: CatalogContext,
  ): Promise<FetchedCatalog> {
    for (let reading = 1; ; reading++) {
      try {
        const isLastReading = reading === READINGS;
        const reader = new UpstreamReader(connection, this.#limits, isLastReading);
        const deviations = new CatalogDeviations(noted);
        const { note } = deviations;
        const context = { wallet, readStored, note, isLastReading };
        const { catalog, unread } = await readUpstreamCatalog(reader, context);
        return { catalog, unread, deviations: deviations.list() };
      } catch (error) {
        if (!(error instanceof UpstreamMoved) || reading === READINGS) throw error;
      }
    }
  }

  #get(
    connection: ProviderConnection,
    path: string,
    priority: ProviderRequest["priority"],
    onHeaders?: ProviderRequest["onHeaders"],
  ): Promise<unknown> {
    const request = { method: "GET", path, priority, timeout_ms: TIMEOUT_MS } as const;
    const watched = { ...request, ...(onHeaders && { onHeaders }) };
    return callUpstream(connection, Type.Unknown(), watched, this.#limits);
  }
}

const READERS = 4;
const LANGUAGE = /^[a-z]{2}$/;

interface ReadContext {
  wallet: Unit;
  readStored(): Promise<CatalogContent>;
  note: NoteDeviation;
  /** In the last reading, a list that changes while it is read keeps its stored items. */
  isLastReading: boolean;
}

/**
 * Reads all offers, brands and promotions (rules#upstream-liberal-reading). An unreadable part
 * keeps its stored items.
 * @throws UpstreamMoved if the catalog changes during the reading, except in the last reading; the
 * first error if no offer can be read
 */
async function readUpstreamCatalog(
  reader: UpstreamReader,
  { wallet, readStored, note, isLastReading }: ReadContext,
): Promise<CatalogReading> {
  const unread: CatalogReading["unread"] = [];
  let stored: Promise<CatalogContent> | undefined;
  const getStored = () => (stored ??= readStored());
  async function readList(section: Section, path: string, idField: string, query = "") {
    try {
      const list = await reader.readAll(path, idField, query);
      for (const id of list.repeated) note(`${section}: ${idField} is stated more than once`, id);
      for (const failure of list.failures) {
        unread.push({ part: section, reason: toReason(failure) });
      }
      return list;
    } catch (error) {
      const isMoved = isLastReading && error instanceof UpstreamMoved;
      if (!isMoved && !concernsOnePart(error)) throw error;
      unread.push({ part: section, reason: toReason(error) });
      return { items: undefined, failures: [error] };
    }
  }

  const brandList = await readList("brands", "/brands", "brand");
  const codes = new Map<string, string>();
  for (const item of brandList.items ?? []) {
    if (isRecord(item) && typeof item.brand === "string") codes.set(fold(item.brand), item.brand);
  }
  const brandCodeOf = (code: string) => codes.get(fold(code)) ?? code;
  const catalog: StatedCatalog = {};
  const families: UpstreamList["failures"][] = [];
  for (const family of FAMILIES) {
    const { path } = FAMILY_FACTS[family];
    const list = await readList(path, `/${path}/offers`, "offerId");
    families.push(list.items ? [] : list.failures);
    if (!list.items) continue;
    const offers = list.items.map((offer) =>
      readOffer(family, offer, { wallet, brandCodeOf, note }),
    );
    catalog[path] =
      list.failures.length === 0 ? offers : withRest(offers, (await getStored())[path], "offerId");
  }
  if (families.every((failures) => failures.length > 0)) throw families[0]?.[0];

  const listed = (brandList.items ?? [])
    .filter(isRecord)
    .filter(({ brand }) => typeof brand === "string" && brand !== "");
  const brands = await inParallel<Record<string, unknown>, StatedBrand>(listed, async (item) => {
    try {
      return await readBrand(reader, item, note);
    } catch (error) {
      if (!concernsOnePart(error)) throw error;
      const code = String(item.brand);
      unread.push({ part: `brands ${code}`, reason: toReason(error) });
      const { brands: known } = await getStored();
      return (
        known.find(({ brand }) => brand === code) ??
        toBrand(item, { section: "brands", id: code, note })
      );
    }
  });
  const promos = await readPromos(readList, listLanguages(brands), { brandCodeOf, note });
  if (promos) {
    catalog.promos = promos.isWhole
      ? promos.items
      : withRest(promos.items, (await getStored()).promos, "id");
  }
  const isWhole = unread.every(({ part }) => part.startsWith("brands "));
  const kept = isWhole ? [] : (await getStored()).brands;
  catalog.brands = completeBrands(brands, kept, catalog, note);
  return { catalog, unread };
}

function withRest(items: unknown[], stored: readonly unknown[], idField: string): unknown[] {
  const idOf = (item: unknown) => (isRecord(item) ? item[idField] : undefined);
  const read = new Set(items.map(idOf));
  return [...items, ...stored.filter((item) => !read.has(idOf(item)))];
}

/**
 * Returns the read brands, the stored brands of unreadable parts, and a new brand for each code
 * that occurs only in offers. A stored brand keeps its name.
 */
function completeBrands(
  brands: StatedBrand[],
  kept: readonly CatalogBrand[],
  catalog: StatedCatalog,
  note: NoteDeviation,
): unknown[] {
  const byCode = new Map<unknown, StatedBrand>(brands.map((brand) => [brand.brand, brand]));
  for (const brand of kept) {
    const read = byCode.get(brand.brand);
    byCode.set(brand.brand, { ...brand, ...read, brandName: brand.brandName });
  }
  for (const { path } of Object.values(FAMILY_FACTS)) {
    for (const offer of catalog[path] ?? []) {
      const brand = isRecord(offer) ? offer.brand : undefined;
      if (typeof brand !== "string" || brand === "" || byCode.has(brand)) continue;
      const place = { section: path, id: brand, note: () => {} };
      note(`${path}: brand is not in the list of brands`, brand);
      byCode.set(brand, toBrand({ brand, brandName: brand }, place));
    }
  }
  for (const { path } of Object.values(FAMILY_FACTS)) {
    for (const offer of (catalog[path] ?? []).filter(isRecord)) {
      const brand = byCode.get(offer.brand);
      if (brand) offer.brandName = brand.brandName;
    }
  }
  for (const promo of (catalog.promos ?? []) as {
    brand?: { brand?: unknown; brandName?: unknown };
  }[]) {
    const brand = byCode.get(promo.brand?.brand);
    if (brand) promo.brand = { brand: brand.brand, brandName: brand.brandName };
  }
  return [...byCode.values()];
}

function fold(code: string): string {
  return code.trim().toLowerCase();
}

/**
 * Returns whether an error concerns a single part. A lost connection or a refused key concerns all
 * parts.
 */
function concernsOnePart(error: unknown): boolean {
  if (error instanceof ProviderRefusal) {
    return !["NOT_AUTHORIZED", "FORBIDDEN"].includes(error.errorCode);
  }
  return error instanceof ProviderUnclear;
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface StatedBrand extends Record<keyof CatalogBrand, unknown> {
  redemptionInstructionInfos: unknown[];
}

/** Returns a brand with our own images. A text that the provider omits is empty. */
function toBrand(fields: Record<string, unknown>, place: StatedPlace): StatedBrand {
  const brand = new StatedRecord(fields, place);
  const code = brand.identifier("brand");
  const path = `/v1/brands/${encodeURIComponent(String(code))}`;
  return {
    brand: code,
    brandName: brand.text("brandName") || String(code),
    // Our own addresses, because integrators may be unable to access the provider's.
    brandBigImage: `${path}/big.svg`,
    brandColor: brand.text("brandColor"),
    brandGiftImage: `${path}/gift.svg`,
    brandInfoPdf: brand.webAddress("brandInfoPdf"),
    brandLogo: `${path}/logo.svg`,
    brandLogoExtension: "svg",
    description: brand.text("description"),
    inputMasks: brand.records("inputMasks").flatMap((mask) => {
      const requiredField = mask.text("requiredField");
      return requiredField === "" ? [] : [{ requiredField, inputMask: mask.text("inputMask") }];
    }),
    redemptionInstructions: [] as unknown[],
    requiredFieldsLabels: brand.records("requiredFieldsLabels").flatMap((one) => {
      const requiredField = one.text("requiredField");
      return requiredField === "" ? [] : [{ label: one.text("label"), requiredField }];
    }),
    redemptionInstructionInfos: [] as unknown[],
  };
}

async function readBrand(
  reader: UpstreamReader,
  item: Record<string, unknown>,
  note: NoteDeviation,
): Promise<StatedBrand> {
  const code = String(item.brand);
  const path = `/brands/${encodeURIComponent(code)}`;
  const stated: unknown = await reader.read(Type.Unknown(), path);
  const detail = isRecord(stated) ? stated : {};
  const place = { section: "brands", id: code, note };
  new StatedRecord(detail, place).noteUnknownFields(BrandDetail);
  const brand = toBrand(
    { ...detail, ...item, brandName: detail.brandName ?? item.brandName },
    place,
  );
  const infos: Record<string, unknown>[] = [];
  const links: Record<string, unknown>[] = [];
  for (const link of new StatedRecord(detail, place).records("redemptionInstructions")) {
    const named = {
      country: String(link.country("country", true)),
      deliveryType: link.text("deliveryType"),
      language: link.text("language").toLowerCase(),
    };
    const query = new URLSearchParams(named);
    const info = await reader
      .read(Type.Unknown(), `${path}/redemptionInstructions?${query}`)
      .catch((error: unknown) => {
        // The brand is sold without its unreadable instructions.
        if (!concernsOnePart(error)) throw error;
        note("brands: redemptionInstructions cannot be read", code);
        return undefined;
      });
    if (!isRecord(info)) continue;
    const text = new StatedRecord(info, { ...place, section: "brands: redemptionInstructions" });
    infos.push({
      ...named,
      redemptionInstructions: text.text("redemptionInstructions"),
      terms: text.text("terms"),
      redemptionVideo: text.webAddress("redemptionVideo"),
    });
    links.push({ ...named, link: `/v1${path}/redemptionInstructions?${query}` });
  }
  return { ...brand, redemptionInstructions: links, redemptionInstructionInfos: infos };
}

function listLanguages(brands: StatedBrand[]): string[] {
  // The provider does not state the languages of promotions, so the reader tries the languages of
  // the tills and of the brands' instructions.
  const languages = new Set<string>(LANGUAGES);
  for (const { redemptionInstructionInfos } of brands) {
    for (const info of redemptionInstructionInfos as { language: unknown }[]) {
      languages.add(String(info.language));
    }
  }
  languages.delete("en");
  return [...languages].filter((text) => LANGUAGE.test(text));
}

type ReadList = (
  section: Section,
  path: string,
  idField: string,
  query?: string,
) => Promise<Pick<UpstreamList, "failures"> & { items: unknown[] | undefined }>;

/** Returns promotions in every language; undefined if none could be read. */
async function readPromos(
  readList: ReadList,
  languages: string[],
  context: Parameters<typeof readPromo>[1],
) {
  const read = async (language: string) => {
    const list = await readList("promos", "/promos", "id", `&language=${language}`);
    return {
      isWhole: list.failures.length === 0,
      items: list.items?.map((promo) => readPromo(promo, context)),
    };
  };
  const { isWhole, items: promos } = await read("en");
  if (!promos) return undefined;
  const translations = new Map(
    promos.map(({ id, descriptions }) => [
      id,
      new Map<unknown, unknown>(descriptions.map((text) => [text.language, text])),
    ]),
  );
  for (const language of languages) {
    for (const { id, description } of (await read(language)).items ?? []) {
      // The provider sends English texts for a missing language.
      if (description?.language === language) translations.get(id)?.set(language, description);
    }
  }
  const items = promos.map((promo) => ({
    ...promo,
    descriptions: [...(translations.get(promo.id)?.values() ?? [])],
  }));
  return { isWhole, items };
}

/** The results are in the order of the items. */
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

interface ReadPromo {
  id?: unknown;
  description?: { language?: unknown };
  descriptions: Partial<PromoDescription>[];
  [field: string]: unknown;
}

interface PromoContext {
  brandCodeOf(stated: string): string;
  note: NoteDeviation;
}

/**
 * Converts a promotion (rules#upstream-liberal-reading). Its description is a single value or a
 * list by language. From a list of regions, the first known region is used.
 */
function readPromo(stated: unknown, { brandCodeOf, note }: PromoContext): ReadPromo {
  if (!isRecord(stated)) return { descriptions: [] };
  const id = typeof stated.id === "string" ? stated.id : undefined;
  const promo = new StatedRecord(stated, { section: "promos", id, note });
  promo.noteUnknownFields(Promo);
  const brand = isRecord(stated.brand) ? promo.record("brand").identifier("brand") : stated.brand;
  const createdAt = promo.time("createdAt");
  const updatedAt = promo.time("updatedAt");
  const startAt = promo.time("startAt");
  const minValue = promo.number("minValue", { isInteger: true });
  const texts = readList(stated.description).flatMap((text) =>
    isRecord(text) ? [readText(new StatedRecord(text, promo.inside("description")))] : [],
  );
  const english = texts.find(({ language }) => language === "en") ?? texts[0];
  const [region] = promo.listOf("regions", Promo.properties.regions.enum);
  return {
    id: promo.identifier("id"),
    brand: { brand: typeof brand === "string" ? brandCodeOf(brand) : brand },
    country: promo.country("country", true),
    ...(region !== undefined && { regions: region }),
    ...((createdAt ?? updatedAt ?? startAt) && {
      createdAt: createdAt ?? updatedAt ?? startAt,
      updatedAt: updatedAt ?? createdAt ?? startAt,
    }),
    ...(startAt !== undefined && { startAt }),
    ...optionalTime("endAt", promo),
    minValue,
    maxValue: promo.number("maxValue", { isInteger: true }) || minValue,
    ...(english && { description: english }),
    descriptions: texts.filter(({ language }) => language !== english?.language),
  };
}

function optionalTime(field: string, promo: StatedRecord) {
  const time = promo.time(field);
  return time === undefined ? {} : { [field]: time };
}

function readText(text: StatedRecord): PromoDescription {
  return {
    description: text.text("description"),
    language: text.text("language").toLowerCase() || "en",
    terms: text.text("terms"),
  };
}
