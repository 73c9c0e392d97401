import { useDeferredValue, useMemo } from "react";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { type DraftEvent, opened, readByFamily } from "../families/index.ts";
import type { FoundThings, SoldThing, ThingFinder } from "../families/interface/sold-thing.ts";
import type { Till } from "../sale/attempt/till.ts";

const NOTHING: readonly SoldThing[] = [];

/**
 * What is sold that fits the words in the one field. The words are drawn first and what fits them with
 * the next frame, so that no key waits for the search.
 *
 * @param finder absent while what is sold is not known: nothing is found then, and nothing waits for it
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
