/**
 * Reads the key counts of docs/sell.md. End-to-end tests compare their pressed keys with the
 * counts.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface CountedSale {
  readonly what: string;
  /** True if typed digits or letters are added to the count. */
  readonly isTyped: boolean;
  readonly count: number;
  /** Each key, or "3 letters", in the form of the table. */
  readonly keys: readonly string[];
  readonly journeys: readonly string[];
}

const DOCUMENT = join(import.meta.dirname, "../../docs/sell.md");
/** Matches `the digits + 3: …` and `7: …`. */
const KEYS = /^(the (?:letters|digits|letters and digits) \+ )?(\d+): (.+)$/;

/** @throws Error if a row of the table has an unknown format */
export function readCountedSales(document: string): CountedSale[] {
  const [, section = ""] = document.split("\n## Keys per sale\n");
  const [table = ""] = section.split("\n## ");
  const [, , ...rows] = table.split("\n").filter((line) => line.startsWith("|"));
  return rows.map((row) => {
    const [what = "", keys = "", journeys = ""] = row.split("|").slice(1, -1);
    const [, typed, count, list] = KEYS.exec(keys.trim()) ?? [];
    if (!(count && list)) {
      throw new Error(`docs/sell.md: the keys of "${what.trim()}" are not "N: key, key"`);
    }
    return {
      what: what.trim(),
      isTyped: typed !== undefined,
      count: Number(count),
      keys: list.replaceAll(/ ?\([^)]*\)/g, "").split(", "),
      journeys: Array.from(journeys.matchAll(/`([^`]+)`/g), ([, name = ""]) => name),
    };
  });
}

export const COUNTED_SALES = readCountedSales(readFileSync(DOCUMENT, "utf8"));

/** @param beginning text with which exactly one row starts */
export function findCountedSale(beginning: string): CountedSale {
  const [found, ...others] = COUNTED_SALES.filter(({ what }) => what.startsWith(beginning));
  if (!found || others.length > 0) {
    throw new Error(`docs/sell.md has no row, or several, that begin with "${beginning}"`);
  }
  return found;
}

/**
 * @param beginning start of the row of docs/sell.md
 * @param typed typed digits and letters, which the row does not count
 */
export function countedKeys(beginning: string, typed = ""): number {
  const { count, isTyped } = findCountedSale(beginning);
  if (typed && !isTyped) {
    throw new Error(`"${beginning}" of docs/sell.md counts every key`);
  }
  return count + typed.length;
}
