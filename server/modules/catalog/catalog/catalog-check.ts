import {
  type CatalogBrand,
  type CatalogContent,
  type CatalogPromo,
  SECTIONS,
  type Section,
} from "../../../contract/catalog-content.ts";
import { FAMILY_FACTS } from "../../../contract/pos/families.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../../contract/v1/purchase-record.ts";
import { whyNotText } from "../../../lib/catalog-texts.ts";
import { pause } from "../../../lib/clock.ts";
import { currencyDivisor, isCurrency, type Unit } from "../../../lib/money.ts";
import {
  type Check,
  complete,
  type Fault,
  isRecord,
  ORDERED,
  tidyTimes,
} from "./catalog-schema.ts";
import type { StoredCatalog } from "./catalog-store.ts";
import { quoteOffer } from "./offer-quote.ts";

/** A larger amount might not be a safe integer in the shop's currency. */
const MAX_AMOUNT = 1_000_000_000;
const SEND_DIVISORS = new Set([1, 10, 100, 1000]);
/** Limits ids to characters that suit addresses, file names and object keys. */
const ID = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._:+&()-]{0,127}$/u;
const TIME_OF_DAY = /^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/;
/** Informational percentages, which may be negative. */
const SIGNED = new Set(["margin", "discount"]);

/** New catalog. A missing section keeps its stored content. */
export type CatalogInput = Partial<Record<Section, readonly unknown[]>>;

export type CheckedCatalog = Partial<CatalogContent>;

const ITEMS_AT_ONCE = 200;
const ID_FIELD: Partial<Record<Section, string>> = { brands: "brand", promos: "id" };

interface CheckContext {
  checks: Record<Section, Check>;
  wallet: Unit;
  stored: StoredCatalog;
  /** Returns whether a stored item belongs to the provider of the new catalog. */
  isOwn(item: { providerId: string | null }): boolean;
}

/**
 * Checks a new catalog and its references to stored sections. Each error's path starts with the
 * section and the item's position.
 */
export async function checkCatalog(
  input: CatalogInput,
  { checks, wallet, stored, isOwn }: CheckContext,
): Promise<{ checked: CheckedCatalog; faults: Fault[] }> {
  const faults: Fault[] = [];
  const checked: Partial<Record<Section, unknown[]>> = {};
  const brandNames = input.brands ? namesIn(input.brands) : stored.brandNames;
  const surroundings = { wallet, brandNames };
  const taken = new Map<string, Section>();
  let count = 0;
  for (const section of SECTIONS) {
    const items = input[section];
    if (!items) continue;
    const kept: unknown[] = [];
    const ids = section === "brands" || section === "promos" ? new Map<string, Section>() : taken;
    for (const [index, item] of items.entries()) {
      if (count++ % ITEMS_AT_ONCE === 0) await pause();
      const completed = complete(section, item, brandNames);
      const found = checkId(completed, section, { ids, input, stored, isOwn });
      const bySchema = checks[section](completed);
      found.push(...bySchema);
      if (bySchema.length === 0) {
        const ordered = ORDERED[section](completed) as Record<string, unknown>;
        found.push(...checkByRules(section, ordered, surroundings));
        if (found.length === 0) tidyTimes(ordered);
        kept.push(ordered);
      }
      for (const { path, message } of found) {
        faults.push({ path: [section, index, ...path], message });
      }
    }
    checked[section] = kept;
  }
  faults.push(...checkBrandsInUse(input, { stored, isOwn }, brandNames));
  return { checked: checked as CheckedCatalog, faults };
}

function namesIn(brands: readonly unknown[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const item of brands) {
    if (!isRecord(item)) continue;
    const { brand, brandName } = item;
    if (typeof brand === "string" && typeof brandName === "string") names.set(brand, brandName);
  }
  return names;
}

/** Offers of all families share one set of ids. */
function checkId(
  item: unknown,
  section: Section,
  {
    ids,
    input,
    stored,
    isOwn,
  }: Pick<CheckContext, "stored" | "isOwn"> & { ids: Map<string, Section>; input: CatalogInput },
): Fault[] {
  const field = ID_FIELD[section] ?? "offerId";
  const id = isRecord(item) ? item[field] : undefined;
  if (typeof id !== "string") return [];
  const before = field === "offerId" ? stored.offers.get(id) : undefined;
  const isStaying = before && !(isOwn(before) && input[before.section]);
  const other = ids.get(id) ?? (isStaying ? before.section : undefined);
  ids.set(id, section);
  if (!other) return [];
  return [{ path: [field], message: `is ${id}, which is in ${other} already` }];
}

function checkByRules(section: Section, item: unknown, surroundings: Surroundings): Fault[] {
  if (section === "brands") return checkBrand(item as CatalogBrand);
  if (section === "promos") return checkPromo(item as CatalogPromo, surroundings);
  return checkOffer(item as Offer, surroundings);
}

/** Refuses to remove or rename a brand that a remaining offer or promotion uses. */
function checkBrandsInUse(
  input: CatalogInput,
  { stored, isOwn }: Pick<CheckContext, "stored" | "isOwn">,
  brandNames: ReadonlyMap<string, string>,
): Fault[] {
  if (!input.brands) return [];
  const users = new Map<string, { offers: number; promos: number }>();
  for (const [kind, rows] of [
    ["offers", stored.offers],
    ["promos", stored.promos],
  ] as const) {
    for (const item of rows.values()) {
      const { section, brand } = item;
      // Brands of other providers stay (`catalog-part.ts`).
      if (input[section] || !isOwn(item)) continue;
      const counts = users.get(brand) ?? { offers: 0, promos: 0 };
      counts[kind]++;
      users.set(brand, counts);
    }
  }
  return [...users].flatMap(([brand, { offers, promos }]): Fault[] => {
    const used = `${offers} offers and ${promos} promotions outside the new catalog`;
    const name = brandNames.get(brand);
    if (name === undefined) {
      return [{ path: ["brands"], message: `leaves out ${brand}, which ${used} need` }];
    }
    const before = stored.brandNames.get(brand);
    if (name === before) return [];
    const index = input.brands?.findIndex((item) => isRecord(item) && item.brand === brand) ?? 0;
    return [{ path: ["brands", index, "brandName"], message: `must stay "${before}" for ${used}` }];
  });
}

interface Surroundings {
  wallet: Unit;
  brandNames: ReadonlyMap<string, string>;
}

type Path = Fault["path"];

function checkBrand(brand: CatalogBrand): Fault[] {
  return [...checkIdFormat(brand.brand, "brand"), ...checkValues(brand)];
}

function checkOffer(offer: Offer, { wallet, brandNames }: Surroundings): Fault[] {
  const faults = [
    ...checkIdFormat(offer.offerId, "offerId"),
    ...checkValues(offer),
    ...checkTimes(offer, ["createdAt", "updatedAt"]),
    ...checkBrandRef(offer, [], brandNames),
    ...checkMoney(offer, wallet),
  ];
  const { deliversMoney, words } = FAMILY_FACTS[offer.productType];
  if (!deliversMoney && offer.priceType !== "FIXED") {
    const message = `must be FIXED: ${words} is bought without a value`;
    faults.push({ path: ["priceType"], message });
  }
  if ("requiredFields" in offer) {
    faults.push(...checkDistinct(offer.requiredFields, "requiredFields"));
  }
  if ("billRetrievalRequiredFields" in offer) faults.push(...checkBills(offer));
  return faults.length > 0 ? faults : checkArithmetic(offer);
}

function checkPromo(promo: CatalogPromo, { brandNames }: Surroundings): Fault[] {
  const faults = [
    ...checkIdFormat(promo.id, "id"),
    ...checkValues(promo),
    ...checkTimes(promo, ["createdAt", "updatedAt", "startAt", "endAt"]),
    ...checkBrandRef(promo.brand, ["brand"], brandNames),
  ];
  if (Date.parse(promo.startAt) >= Date.parse(promo.endAt)) {
    faults.push({ path: ["endAt"], message: "must be after startAt" });
  }
  if (promo.minValue > promo.maxValue) {
    faults.push({ path: ["maxValue"], message: "must not be less than minValue" });
  }
  const languages = [promo.description, ...promo.descriptions].map(({ language }) => language);
  const again = languages.findIndex((language, index) => languages.indexOf(language) < index);
  if (again > 0) {
    const path = ["descriptions", again - 1, "language"];
    faults.push({ path, message: `is ${languages[again]} a second time` });
  }
  return faults;
}

function checkTimes<Name extends string>(item: Record<Name, string>, names: Name[]): Fault[] {
  return names
    .filter((name) => Number.isNaN(Date.parse(item[name])))
    .map((name) => ({ path: [name], message: "is not a time of the calendar" }));
}

function checkBrandRef(
  { brand, brandName }: { brand: string; brandName: string },
  at: Path,
  brandNames: ReadonlyMap<string, string>,
): Fault[] {
  const known = brandNames.get(brand);
  if (known === undefined) {
    return [
      { path: [...at, "brand"], message: `is ${brand}, which is not a brand of the catalog` },
    ];
  }
  if (known === brandName) return [];
  const path = [...at, "brandName"];
  return [{ path, message: `must be "${known}", the name of the brand ${brand}` }];
}

function checkMoney(offer: Offer, wallet: Unit): Fault[] {
  const faults: Fault[] = [];
  const send = "send" in offer ? offer.send : undefined;
  for (const [name, block] of Object.entries({ cost: offer.cost, price: offer.price, send })) {
    if (!block) continue;
    faults.push(...checkUnit(block, name));
    faults.push(...checkAmounts(block, name, offer.priceType));
  }
  for (const [name, block] of Object.entries({ cost: offer.cost, price: offer.price })) {
    if (block.currency !== wallet.currency) {
      const path = [name, "currency"];
      faults.push({ path, message: `must be ${wallet.currency}, which the wallet is kept in` });
    }
    for (const field of ["fixed", "min", "max", "fee"] as const) {
      if ((block[field] ?? 0) > MAX_AMOUNT) {
        faults.push({ path: [name, field], message: `must not be over ${MAX_AMOUNT}` });
      }
    }
  }
  return faults;
}

function checkUnit(unit: Unit, name: string): Fault[] {
  if (!isCurrency(unit.currency)) {
    return [{ path: [name, "currency"], message: "is not an ISO 4217 currency" }];
  }
  const divisor = currencyDivisor(unit.currency);
  if (unit.currencyDivisor === divisor) return [];
  // The provider chooses the unit of a delivered amount, so every usual divisor is accepted.
  if (name === "send") {
    if (SEND_DIVISORS.has(unit.currencyDivisor)) return [];
    return [{ path: [name, "currencyDivisor"], message: "must be 1, 10, 100 or 1000" }];
  }
  const message = `must be ${divisor} for ${unit.currency}, by ISO 4217`;
  return [{ path: [name, "currencyDivisor"], message }];
}

/** A price of zero is refused: the provider would charge for a free offer. */
function checkAmounts(
  block: { fixed?: number; fx?: number; min?: number; max?: number; increment?: number },
  name: string,
  priceType: Offer["priceType"],
): Fault[] {
  const isFixed = priceType === "FIXED";
  const needed = isFixed ? (["fixed"] as const) : (["fx", "min", "max"] as const);
  const barred = isFixed ? (["fx", "min", "max", "increment"] as const) : (["fixed"] as const);
  const faults: Fault[] = [];
  for (const field of needed) {
    if (block[field] === undefined) {
      faults.push({ path: [name, field], message: `is required for a ${priceType} offer` });
    }
  }
  for (const field of barred) {
    if (block[field] !== undefined) {
      const message = `must be left out for a ${priceType} offer`;
      faults.push({ path: [name, field], message });
    }
  }
  for (const field of needed) {
    if (block[field] === 0) faults.push({ path: [name, field], message: "must be more than 0" });
  }
  if (isFixed) return faults;
  if ((block.min ?? 0) > (block.max ?? Infinity)) {
    faults.push({ path: [name, "max"], message: "must not be less than min" });
  }
  return faults;
}

/** Finds amounts that overflow, at both ends of every range. */
function checkArithmetic(offer: Offer): Fault[] {
  if (offer.priceType === "FIXED" || !("send" in offer)) return [];
  const blocks = { COST: offer.cost, PRICE: offer.price, ZEND: offer.send };
  for (const [type, { min = 0, max = 0 }] of Object.entries(blocks)) {
    const step = type === "PRICE" ? (offer.price.increment ?? 1) : 1;
    for (const value of [min, max - ((max - min) % step)]) {
      try {
        quoteOffer(offer, { type: type as PurchaseValue["type"], value });
      } catch {
        const message = `has amounts that cannot be worked out at a ${type} of ${value}`;
        return [{ path: [], message }];
      }
    }
  }
  return [];
}

function checkBills(offer: Extract<Offer, { productType: "BILL_PAY" }>): Fault[] {
  const { requiredFields, billRetrievalRequiredFields: retrieval } = offer;
  const faults = [
    ...checkDistinct(retrieval, "billRetrievalRequiredFields"),
    ...checkDistinct(offer.processingDays, "processingDays"),
  ];
  const unknown = retrieval.findIndex((field) => !requiredFields.includes(field));
  if (unknown >= 0) {
    const path = ["billRetrievalRequiredFields", unknown];
    faults.push({ path, message: "must be one of requiredFields" });
  }
  if (offer.supportsBillRetrieval !== retrieval.length > 0) {
    const message = "must be true exactly when billRetrievalRequiredFields names a field";
    faults.push({ path: ["supportsBillRetrieval"], message });
  }
  for (const field of ["supportsOverpayment", "supportsUnderpayment"] as const) {
    if (offer.priceType === "FIXED" && offer[field]) {
      faults.push({ path: [field], message: "must be false for a FIXED offer" });
    }
  }
  if (!TIME_OF_DAY.test(offer.cutoffTime)) {
    faults.push({
      path: ["cutoffTime"],
      message: "must be a time of the day such as 17:00, or empty",
    });
  }
  return faults;
}

function checkDistinct(values: readonly string[], field: string): Fault[] {
  const again = values.findIndex((value, index) => value === "" || values.indexOf(value) < index);
  if (again < 0) return [];
  const message = values[again] === "" ? "must not be empty" : `is ${values[again]} a second time`;
  return [{ path: [field, again], message }];
}

/** Refuses negative numbers, inexact numbers, and texts that cannot be displayed. */
function checkValues(value: unknown, path: Path = [], faults: Fault[] = []): Fault[] {
  if (typeof value === "string") {
    const field = path.findLast((step) => typeof step === "string") ?? "";
    const message = whyNotText(value, field);
    if (message !== undefined) faults.push({ path: [...path], message });
  } else if (typeof value === "number") {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      faults.push({ path: [...path], message: "is too large" });
    } else if (value < 0 && !SIGNED.has(String(path.at(-1)))) {
      faults.push({ path: [...path], message: "must not be less than 0" });
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      path.push(Array.isArray(value) ? Number(name) : name);
      checkValues(item, path, faults);
      path.pop();
    }
  }
  return faults;
}

function checkIdFormat(id: string, field: string): Fault[] {
  if (ID.test(id)) return [];
  const message =
    "must be 1 to 128 letters, digits, spaces and . _ : + & ( ) - and begin with a letter or digit";
  return [{ path: [field], message }];
}
