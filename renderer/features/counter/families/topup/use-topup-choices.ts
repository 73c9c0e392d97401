import { useMemo } from "react";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import type { FamilyContext } from "../interface/family.ts";
import { findKnown } from "./favourites/known-numbers.ts";
import { fieldChoices } from "./field-choices.ts";
import { viewOffers } from "./offer-pages.ts";
import type { TopupTypes } from "./topup-state.ts";
import type { TopupAnswers } from "./use-topup-answers.ts";

/** What there is to choose from in the steps of a top-up: known numbers, and offers. */
export function useTopupChoices(
  { state, things }: FamilyContext<TopupTypes>,
  { offers, recents, favourites, numbered }: TopupAnswers,
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
  // While a number is typed, or nothing, only customers are listed.
  const { contacts } = state;
  const choices = contacts
    ? contacts.map((known) => ({ id: known.number, known }))
    : fieldChoices(shown, query === "" ? [] : things.list, numbered.sale);
  const arrowed = choices.find(({ id }) => id === (state.knownNumber ?? state.focusedTile));
  // Digits that are a phone number are one: a sale is meant where they can be none.
  const isFirstMeant = query !== "" || numbered.sale !== undefined;
  const focused = arrowed ?? (isFirstMeant ? choices[0] : undefined);
  const lists = [recents, favourites];
  return {
    view,
    known,
    knownLoading: lists.some((list) => list.isPending && !troubleOf(list)),
    knownFailed: lists.some((list) => troubleOf(list)),
    /** What is listed below the field, in the order of the arrow keys. */
    choices,
    /** The one Enter means: of words, the first unless the arrows chose another. */
    focused,
    /** What was found is of fewer letters than are typed. */
    isBehind: query !== "" && things.isBehind,
    isBegun: things.isBegun,
  };
}
