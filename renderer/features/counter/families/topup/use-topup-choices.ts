import { useMemo } from "react";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import type { FamilyContext } from "../interface/family.ts";
import { findKnown } from "./favourites/known-numbers.ts";
import { viewOffers } from "./offer-pages.ts";
import type { TopupTypes } from "./topup-state.ts";
import type { TopupAnswers } from "./use-topup-answers.ts";

/** What there is to choose from in the steps of a top-up: known numbers, and offers. */
export function useTopupChoices(
  { state }: FamilyContext<TopupTypes>,
  { offers, recents, favourites }: TopupAnswers,
) {
  const { digits, query, subType, page } = state;
  const view = useMemo(
    () => viewOffers(offers.data?.list ?? [], { subType, page }),
    [offers.data, subType, page],
  );
  const itself = state.phone?.valid ? state.phone.number : undefined;
  const known = useMemo(
    () =>
      findKnown(
        recents.data?.list ?? [],
        favourites.data?.list ?? [],
        { digits, query },
        itself ?? digits,
      ),
    [recents.data, favourites.data, digits, query, itself],
  );
  const shown = [...known.recents, ...known.favourites];
  const lists = [recents, favourites];
  return {
    view,
    known,
    knownLoading: lists.some((list) => list.isPending && !troubleOf(list)),
    knownFailed: lists.some((list) => troubleOf(list)),
    /** The known numbers in the order of the arrow keys. */
    shown,
    /** The one Enter means: of names, the first unless the arrows chose another. */
    focused:
      shown.find(({ number }) => number === state.knownNumber) ??
      (query === "" ? undefined : shown[0]),
  };
}
