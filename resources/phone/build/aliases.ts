import { readTable, TableError } from "../../lib/csv.ts";

interface Alias {
  readonly at: string;
  readonly country: string;
  readonly carrier: string;
  readonly prefixes: readonly string[];
  readonly brand: string;
}

/** Our brand for a carrier of the data, "" when the catalog does not sell it. */
export interface BrandFinder {
  brandOf(country: string, carrier: string, national: string): string;
  /** Aliases that no number used: a name misspelt, or gone from the data. */
  unused(): string[];
}

export function brandFinder(
  aliasFile: string,
  brandsByCountry: ReadonlyMap<string, ReadonlyMap<string, string>>,
): BrandFinder {
  const aliases = new Map<string, Alias[]>();
  for (const alias of readAliases(aliasFile)) {
    const isSold = brandsByCountry.get(alias.country)?.has(alias.brand) === true;
    // Numbers of a carrier that no brand tops up, beside others of it that one does.
    const isNobodys = alias.brand === "" && alias.prefixes.length > 0;
    if (!isSold && !isNobodys) {
      throw new TableError(alias.at, `the catalog has no ${alias.brand} in ${alias.country}`);
    }
    const key = `${alias.country} ${alias.carrier}`;
    aliases.set(key, [...(aliases.get(key) ?? []), alias]);
  }
  const unused = new Set([...aliases.values()].flat());
  return {
    brandOf(country, carrier, national) {
      const candidates = aliases.get(`${country} ${carrier}`) ?? [];
      const alias =
        candidates.find(({ prefixes }) => prefixes.some((prefix) => national.startsWith(prefix))) ??
        candidates.find(({ prefixes }) => prefixes.length === 0);
      if (alias === undefined) return "";
      unused.delete(alias);
      return alias.brand;
    },
    unused: () => [...unused].map(({ at, country, carrier }) => `${at}: ${country} "${carrier}"`),
  };
}

function readAliases(path: string): Alias[] {
  return readTable(path, ["country", "carrier", "prefixes", "brand"]).map(({ at, cells }) => ({
    at,
    ...cells,
    prefixes: cells.prefixes === "" ? [] : cells.prefixes.split(" "),
  }));
}
