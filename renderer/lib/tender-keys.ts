import type { ShopTender } from "../../server/contract/pos/shop-tenders.ts";
import { foldLetters } from "./fold-letters.ts";

/** A tender beside cash, as the counter offers it. */
export interface OfferedTender {
  readonly tenderId: string;
  readonly kind: "CARD" | "OTHER";
  readonly name?: string;
  /** The small Latin letter that takes it. */
  readonly key: string;
}

/** Those of every shop: the first card and the first other. */
const KEYS = { CARD: "c", OTHER: "o" } as const;
/** What other letters do while a sale is paid. */
const DO_MORE = ["d", "r", "w", "p"];
const ALPHABET = "abcdefghijklmnopqrstuvwxyz".split("");

/**
 * The tenders beside cash that the counter offers, in the shop's order, each with its key: C takes the
 * first card and O the first other, as always; another has the first letter of its name that is free.
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
