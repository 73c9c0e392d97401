import { useDeferredValue, useMemo } from "react";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { type DraftEvent, opened, readByFamily } from "../families/index.ts";
import type { FoundThings, SoldThing, ThingFinder } from "../families/interface/sold-thing.ts";
import type { Till } from "../sale/attempt/till.ts";

const NOTHING: readonly SoldThing[] = [];

/**
 * Searches products by the words in the number field. The words are drawn first and the results one
 * frame later, so that no key waits.
 *
 * @param finder undefined until the products are loaded
 */
export function useFoundThings(
  finder: ThingFinder | undefined,
  words: string,
  till: Till,
  onBegin: (begins: DraftEvent, isOffer: boolean) => void,
  onSale: (sale: Sale) => void,
): FoundThings {
  const wanted = useDeferredValue(words);
  const list = useMemo(
    () => (wanted.trim() === "" ? NOTHING : (finder?.find(wanted) ?? NOTHING)),
    [finder, wanted],
  );
  return {
    list,
    isBehind: finder !== undefined && wanted !== words,
    isBegun: (word) => finder?.isBegun(word) ?? false,
    correct: finder?.correct,
    usual: finder?.usual,
    open: (thing) => onBegin(opened(thing, till), thing.offer !== undefined),
    openSale: onSale,
    reads: (text) => {
      const begins = readByFamily(text);
      return begins && (() => onBegin(begins, false));
    },
  };
}
