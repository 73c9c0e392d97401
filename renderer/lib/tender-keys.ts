import type { ShopTender } from "../../server/contract/pos/shop-tenders.ts";
import { foldLetters } from "./search-text.ts";

export interface OfferedTender {
  readonly tenderId: string;
  readonly kind: "CARD" | "OTHER";
  readonly name?: string;
  readonly key: string;
}

/** Fixed keys of every shop, for the first card tender and the first other tender. */
const KEYS = { CARD: "c", OTHER: "o" } as const;
/** Letters with another function during payment. */
const DO_MORE = ["d", "r", "w", "p"];
const ALPHABET = "abcdefghijklmnopqrstuvwxyz".split("");

/**
 * Assigns keys to the offered tenders besides cash, in the shop's order. C is the first card tender
 * and O the first other tender; each further tender gets the first free letter of its name.
 */
export function offeredTenders(tenders: readonly ShopTender[]): OfferedTender[] {
  const taken = new Set<string>([...Object.values(KEYS), ...DO_MORE]);
  const met = new Set<string>();
  return tenders.flatMap(({ tenderId, kind, name, offered }) => {
    if (!offered || kind === "CASH") {
      return [];
    }
    const letters = [...foldLetters(name ?? "")].filter((letter) => ALPHABET.includes(letter));
    const free = [...letters, ...ALPHABET].find((letter) => !taken.has(letter)) ?? "";
    const key = met.has(kind) ? free : KEYS[kind];
    met.add(kind);
    taken.add(key);
    return [{ tenderId, kind, key, ...(name !== undefined && { name }) }];
  });
}
