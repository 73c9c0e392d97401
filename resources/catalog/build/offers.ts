import { TableError } from "../../lib/csv.ts";
import type { BrandRow } from "./brands.ts";
import type { Country, Tables } from "./tables.ts";
import type { RangeMoney } from "./types.ts";

const NAMES_WITH_ARTICLE = new Set(
  "AE AX BQ BS CF DO FO GB GM IM KY MV NL PH SB TC US VG VI".split(" "),
);

/** Returns the country's name as used inside a sentence. */
export function spoken({ country, name }: Pick<Country, "country" | "name">): string {
  return NAMES_WITH_ARTICLE.has(country) ? `the ${name}` : name;
}

export function idPrefix(brand: string, country: string): string {
  return brand.endsWith(`_${country}`) ? brand : `${brand}_${country}`;
}

export function rangeText({ currency, currencyDivisor, min, max }: RangeMoney["send"]): string {
  const decimals = Math.log10(currencyDivisor);
  const [from, to] = [min, max].map((value) => (value / currencyDivisor).toFixed(decimals));
  return `${from} to ${to} ${currency}`;
}

/**
 * Returns whether an offer is for sale, and its notes. If it is not for sale, the notes end with
 * the reason.
 */
export function standing(
  { offerId, brand, country }: Listed & { country: string },
  notes: string,
  { disabled, changes }: Pick<Tables, "disabled" | "changes">,
): { enabled: boolean; notes: string } {
  const reason = changes.endOf(country, brand) ?? disabled.get(offerId)?.reason;
  return reason === undefined
    ? { enabled: true, notes }
    : { enabled: false, notes: `${notes} ${reason}` };
}

interface Listed {
  readonly offerId: string;
  readonly brand: string;
}

export function refuseDuplicates(offers: readonly Listed[]): void {
  const seen = new Set<string>();
  for (const { offerId } of offers) {
    if (seen.has(offerId)) throw new Error(`${offerId} comes out of the tables twice`);
    seen.add(offerId);
  }
}

export function refuseUnknownDisabled(
  offers: readonly Listed[],
  { disabled }: Pick<Tables, "disabled">,
): void {
  const ids = new Set(offers.map(({ offerId }) => offerId));
  for (const [offerId, { at }] of disabled) {
    if (!ids.has(offerId)) throw new TableError(at, `no offer ${offerId}`);
  }
}

/** @throws TableError for a brand that has no offers, now or in the future */
export function usedBrands(
  offers: readonly Listed[],
  { brands, changes }: Pick<Tables, "brands" | "changes">,
): BrandRow[] {
  const used = new Set(offers.map(({ brand }) => brand));
  return brands.filter(({ brand }) => {
    if (used.has(brand)) return true;
    if (!changes.isToCome(brand)) throw new TableError("brands.csv", `${brand} has no offer`);
    return false;
  });
}
