import { useMemo } from "react";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import type { FamilyContext } from "../interface/family.ts";
import type { SoldThing } from "../interface/sold-thing.ts";
import { findKnown, type KnownNumber, type TypedText } from "./favourites/known-numbers.ts";
import { type FieldChoice, fieldChoices, usualOfDigit } from "./field-choices.ts";
import { viewOffers } from "./offer-pages.ts";
import type { TopupTypes } from "./topup-state.ts";
import { useMostUsual } from "./use-most-usual.ts";
import type { TopupAnswers } from "./use-topup-answers.ts";

/** What there is to choose from in the steps of a top-up: known numbers, and offers. */
export function useTopupChoices(
  { state, things, till }: FamilyContext<TopupTypes>,
  { offers, recents, favourites, numbered }: TopupAnswers,
) {
  const { digits, query, subType, page } = state;
  const view = useMemo(
    () => viewOffers(offers.data?.list ?? [], { subType, page }),
    [offers.data, subType, page],
  );
  const most = useMostUsual();
  const usual = things.usual?.slice(0, most);
  const alone = query === "" ? usualOfDigit(usual, digits) : undefined;
  const isAtRest = query === "" && !state.contacts && (digits === "" || alone !== undefined);
  const itself = state.phone?.valid ? state.phone.number : undefined;
  const known = useMemo(
    () =>
      findKnown(
        recents.data?.list ?? [],
        favourites.data?.list ?? [],
        { digits: isAtRest ? "" : digits, query },
        itself ?? digits,
      ),
    [recents.data, favourites.data, isAtRest, digits, query, itself],
  );
  const shown = [...known.recents, ...known.favourites];
  const { contacts } = state;
  const choices = contacts
    ? contacts.map((known) => ({ id: known.number, known }))
    : choicesOf(
        { digits, query },
        { shown, usual, alone, found: things.list, sale: numbered.sale },
      );
  const arrowed = choices.find(({ id }) => id === (state.knownNumber ?? state.focusedTile));
  // Digits that are a phone number are one: a sale is meant where they can be none.
  const isFirstMeant = query !== "" || alone !== undefined || numbered.sale !== undefined;
  const focused = arrowed ?? (isFirstMeant ? choices[0] : undefined);
  const lists = [recents, favourites];
  const isEmpty = lists.every(({ data }) => data?.list.length === 0);
  return {
    view,
    known,
    knownLoading: lists.some((list) => list.isPending && !troubleOf(list)),
    knownFailed: lists.some((list) => troubleOf(list)),
    /** What this shop sells at this hour, to be picked by a digit alone; undefined until it is known. */
    usual,
    /** Nothing is typed, or a digit alone that names one of those. */
    isAtRest,
    /** Nothing real is sent, and nothing was sold yet. */
    isNew: till.environment === "test" && isEmpty,
    /** What is listed below the field, in the order of the arrow keys. */
    choices,
    /** The one Enter means: of words, the first unless the arrows chose another. */
    focused,
    /** What was found is of fewer letters than are typed. */
    isBehind: query !== "" && things.isBehind,
    isBegun: things.isBegun,
  };
}

interface Listed {
  readonly shown: readonly KnownNumber[];
  readonly usual: readonly SoldThing[] | undefined;
  readonly alone: SoldThing | undefined;
  readonly found: readonly SoldThing[];
  readonly sale: TopupAnswers["numbered"]["sale"];
}

/** At rest what is usual follows the customers; while a number is typed only customers are listed. */
function choicesOf(
  { digits, query }: TypedText,
  { shown, usual = [], alone, found, sale }: Listed,
): readonly FieldChoice[] {
  if (alone) {
    return [{ id: alone.id, thing: alone }];
  }
  const customers = fieldChoices(shown, query === "" ? [] : found, sale);
  return digits === "" && query === ""
    ? [...customers, ...usual.map((thing) => ({ id: thing.id, thing }))]
    : customers;
}
