import type { ShopTender } from "../../server/contract/pos/shop-tenders.ts";
import { foldLetters } from "./fold-letters.ts";

/** A tender besides cash that the counter offers. */
export interface OfferedTender {
  readonly tenderId: string;
  readonly kind: "CARD" | "OTHER";
  readonly name?: string;
  /** Its key, a small Latin letter. */
  readonly key: string;
}

/** Fixed keys of every shop: the first card and the first other. */
const KEYS = { CARD: "c", OTHER: "o" } as const;
/** Letters with another function during payment. */
const DO_MORE = ["d", "r", "w", "p"];
const ALPHABET = "abcdefghijklmnopqrstuvwxyz".split("");

/**
 * Assigns keys to the offered tenders besides cash, in the shop's order: C is the first card and O the first
 * other; another one gets the first free letter of its name.
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
