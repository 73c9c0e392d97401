import { join } from "node:path";
import { keyed, type Row, readTable, TableError } from "../../lib/csv.ts";
import { code, dayOf, positive } from "./cells.ts";
import type { OfferMoney, Promo, PromoText, Region } from "./types.ts";

interface Promoted {
  readonly enabled: boolean;
  readonly productType: string;
  readonly brand: string;
  readonly brandName: string;
  readonly country: string;
  readonly regions: readonly Region[];
  readonly price: OfferMoney["price"];
  /** Missing for offers that deliver no money. A promotion's limits then apply to the price. */
  readonly send?: OfferMoney["send"];
}

interface Wording {
  readonly at: string;
  readonly description: string;
  readonly terms: string;
}

const PROMO_COLUMNS = [
  "id",
  "kind",
  "brand",
  "country",
  "firstDay",
  "lastDay",
  "min",
  "max",
  "bonus",
  "languages",
] as const;
type PromoRow = Row<(typeof PROMO_COLUMNS)[number]>;

const ENGLISH = "en";
const DAY = 24 * 60 * 60 * 1000;
const NOTICE_DAYS = 14;

export function promosOf(
  offers: readonly Promoted[],
  tablesDir: string,
  tablesDate: string,
): Promo[] {
  const wordings = readWordings(join(tablesDir, "promos-texts.csv"));
  const unused = new Map(wordings);
  const rows = readTable(join(tablesDir, "promos.csv"), PROMO_COLUMNS);
  const forSale = offers.filter(({ enabled }) => enabled);
  const promos = keyed(rows, (row) => {
    const promo = promoOf(row, forSale, tablesDate, (language) => {
      const key = `${row.cells.kind} ${language}`;
      const wording = wordings.get(key);
      if (wording === undefined) throw new TableError(row.at, `no text for ${key}`);
      unused.delete(key);
      return wording;
    });
    return [promo.id, promo];
  });
  for (const [key, { at }] of unused) throw new TableError(at, `no promotion says ${key}`);
  return [...promos.values()];
}

/** Reads the texts. Keys: `kind language`. */
function readWordings(path: string): Map<string, Wording> {
  const rows = readTable(path, ["kind", "language", "description", "terms"]);
  return keyed(rows, ({ at, cells }) => {
    const { kind, language, description, terms } = cells;
    if (!/^[a-z]{2}$/.test(language)) {
      throw new TableError(at, `"${language}" is not a two-letter language code`);
    }
    if (description === "" || terms === "") {
      throw new TableError(at, "description and terms must be given");
    }
    return [`${code(at, "kind", kind)} ${language}`, { at, description, terms }];
  });
}

function promoOf(
  { at, cells }: PromoRow,
  offers: readonly Promoted[],
  tablesDate: string,
  wordingIn: (language: string) => Wording,
): Promo {
  const productType = promotedType(cells.kind);
  const sold = offers.filter(
    (offer) =>
      offer.productType === productType &&
      offer.brand === cells.brand &&
      offer.country === cells.country &&
      // A promotion without a country applies to world-wide offers, but not to areas of several
      // countries.
      (cells.country !== "" || offer.regions.includes("Global")),
  );
  const [first] = sold;
  const region = first?.regions[0];
  if (first === undefined || region === undefined) {
    const where = cells.country === "" ? "world-wide" : `in ${cells.country}`;
    throw new TableError(at, `no ${productType} of ${cells.brand} is sold ${where}`);
  }
  const { currency, currencyDivisor } = first.send ?? first.price;
  const limits = limitsOf({ at, cells }, currencyDivisor);
  if (!sold.some((offer) => isWithin(offer.send ?? offer.price, limits))) {
    throw new TableError(at, `no offer of ${cells.brand} is between min and max`);
  }
  const values = {
    brand: first.brandName,
    min: `${cells.min} ${currency}`,
    max: `${cells.max} ${currency}`,
    bonus: positive(at, "bonus", cells.bonus).toString(),
  };
  const textIn = (language: string): PromoText => {
    const wording = wordingIn(language);
    return {
      description: filled(wording.at, wording.description, values),
      language,
      terms: filled(wording.at, wording.terms, values),
    };
  };
  const { startAt, endAt } = periodOf({ at, cells });
  const announcedAt = announcement(startAt, tablesDate);
  return {
    id: code(at, "id", cells.id),
    brand: { brand: first.brand, brandName: first.brandName },
    country: cells.country,
    regions: region,
    createdAt: announcedAt,
    updatedAt: announcedAt,
    startAt,
    endAt,
    ...limits,
    description: textIn(ENGLISH),
    descriptions: otherLanguages(at, cells.languages).map(textIn),
  };
}

/**
 * Returns the product type, which is the prefix of the kind. Kinds without a prefix are for
 * top-ups.
 */
function promotedType(kind: string): string {
  return ["ESIM", "VOUCHER"].find((type) => kind.startsWith(`${type}_`)) ?? "TOPUP";
}

function limitsOf({ at, cells }: PromoRow, divisor: number) {
  const [minValue, maxValue] = (["min", "max"] as const).map((column) => {
    const minor = positive(at, column, cells[column]).times(divisor);
    if (!minor.isInteger()) throw new TableError(at, `${column} has too many decimals`);
    return minor.toNumber();
  });
  if (minValue === undefined || maxValue === undefined || minValue > maxValue) {
    throw new TableError(at, "max is less than min");
  }
  return { minValue, maxValue };
}

function isWithin(
  amount: OfferMoney["send"] | OfferMoney["price"],
  { minValue, maxValue }: { minValue: number; maxValue: number },
): boolean {
  const [least, most] = "fixed" in amount ? [amount.fixed, amount.fixed] : [amount.min, amount.max];
  return least <= maxValue && most >= minValue;
}

/** Returns the period from the start of the first day to the end of the last day, in UTC. */
function periodOf({ at, cells }: PromoRow): { startAt: string; endAt: string } {
  const start = dayOf(at, "firstDay", cells.firstDay);
  const end = new Date(dayOf(at, "lastDay", cells.lastDay).getTime() + DAY - 1);
  if (end <= start) throw new TableError(at, "lastDay is before firstDay");
  return { startAt: start.toISOString(), endAt: end.toISOString() };
}

/** Returns the day two weeks before the start, but not later than the tables' date. */
function announcement(startAt: string, tablesDate: string): string {
  const early = new Date(Date.parse(startAt) - NOTICE_DAYS * DAY).toISOString();
  return early < tablesDate ? early : tablesDate;
}

function otherLanguages(at: string, text: string): string[] {
  const languages = text === "" ? [] : text.split("|");
  for (const [index, language] of languages.entries()) {
    if (language === ENGLISH) throw new TableError(at, "English is always there");
    if (index > 0 && language <= (languages[index - 1] ?? "")) {
      throw new TableError(at, `language "${language}" is out of order`);
    }
  }
  return languages;
}

function filled(at: string, text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w*)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TableError(at, `unknown placeholder {${name}}`);
    return value;
  });
}
