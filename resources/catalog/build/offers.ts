import { TableError } from "../../lib/csv.ts";
import type { Country, Tables } from "./tables.ts";
import type { RangeMoney } from "./types.ts";

/** What the offers of every family have in common. */

/** Every offer carries the day the tables were drawn up, so that a rebuild changes nothing else. */
export const TABLES_DATE = "2026-01-15T00:00:00.000Z";

const NAMES_WITH_ARTICLE = new Set(
  "AE AX BQ BS CF DO FO GB GM IM KY MV NL PH SB TC US VG VI".split(" "),
);

/** The country's name as it stands in a sentence. */
export function spoken({ country, name }: Pick<Country, "country" | "name">): string {
  return NAMES_WITH_ARTICLE.has(country) ? `the ${name}` : name;
}

/** How the ids of a brand's offers in one country begin. */
export function idPrefix(brand: string, country: string): string {
  return brand.endsWith(`_${country}`) ? brand : `${brand}_${country}`;
}

/** The limits of a free value, in major units. */
export function rangeText({ currency, currencyDivisor, min, max }: RangeMoney["send"]): string {
  const decimals = Math.log10(currencyDivisor);
  const [from, to] = [min, max].map((value) => (value / currencyDivisor).toFixed(decimals));
  return `${from} to ${to} ${currency}`;
}

/** Whether an offer is for sale, and its notes: they end with the reason when it is not. */
export function standing(
  offerId: string,
  notes: string,
  { disabled }: Pick<Tables, "disabled">,
): { enabled: boolean; notes: string } {
  const reason = disabled.get(offerId)?.reason;
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

export function refuseUnusedBrands(
  offers: readonly Listed[],
  { brands }: Pick<Tables, "brands">,
): void {
  const used = new Set(offers.map(({ brand }) => brand));
  for (const { brand } of brands) {
    if (!used.has(brand)) throw new TableError("brands.csv", `${brand} has no offer`);
  }
}
