import { useMemo } from "react";
import type { Translate } from "../../../../lib/i18n.ts";
import { type Asked, askingAgain, hasFailed, isAwaited } from "../../ui/asked.ts";
import type { NextThing, StepControl } from "../../ui/step-control.ts";
import { walletNext } from "../../ui/wallet.tsx";
import { indexPicker, type PickerTile } from "./picker-index.ts";
import { type PickerEvent, type PickerState, type PickerView, viewPicker } from "./picker-state.ts";

export interface Picker<Item> {
  readonly state: PickerState;
  readonly view: PickerView<Item>;
  readonly dispatch: (event: PickerEvent) => void;
  readonly onPick: (item: Item) => void;
  /**
   * Returns whether the wallet cannot pay for the item. Its tile stays visible and states the
   * reason.
   */
  readonly cannotPay?: (item: Item) => boolean;
  /** Query that loads the tiles. Undefined for tiles that need no query. */
  readonly source?: Asked;
}

interface PickerWords {
  readonly choose: string;
  readonly t: Translate;
}

/** If `isSearched`, letters filter the tiles. */
export function pickerControl<Item>(
  picker: Picker<Item>,
  words: PickerWords,
  isSearched: boolean,
): StepControl {
  const { state, view, dispatch, source } = picker;
  const { t } = words;
  const { chosen, tiles, pages } = view;
  const pick = (tile: PickerTile<Item> | undefined) => {
    if (tile) {
      pickTile(picker, tile);
    }
  };
  return {
    typing: isSearched ? "search" : "none",
    next: nextOf(picker, words),
    proceed: () => pick(chosen),
    pick: (index) => pick(tiles[index]),
    move: (step) => {
      const at = tiles.findIndex(({ id }) => id === chosen?.id);
      const first = step === 1 ? 0 : tiles.length - 1;
      const moved = at < 0 ? first : (at + step + tiles.length) % tiles.length;
      dispatch({ type: "tile-focused", id: tiles[moved]?.id });
    },
    moveTo: (end) => {
      const tile = end === "first" ? tiles[0] : tiles.at(-1);
      dispatch({ type: "tile-focused", id: tile?.id });
    },
    turnPage: (step) =>
      dispatch({
        type: "page-turned",
        page: Math.min(Math.max(0, view.page + step), pages - 1),
      }),
    ...(isSearched && {
      type: (edit) => dispatch({ type: "query-typed", text: edit(state.query) }),
    }),
    ...(source && isAwaited(source) && { waits: "here" }),
    ...(source && hasFailed(source) && askingAgain(t)),
  };
}

/** A tile that the wallet cannot pay for receives only the focus. */
export function pickTile<Item>(
  { dispatch, onPick, cannotPay }: Picker<Item>,
  { id, item }: PickerTile<Item>,
): void {
  if (cannotPay?.(item)) {
    dispatch({ type: "tile-focused", id });
  } else {
    onPick(item);
  }
}

function nextOf<Item>({ view, cannotPay }: Picker<Item>, { choose, t }: PickerWords): NextThing {
  const { chosen } = view;
  if (!chosen) {
    return { label: choose, ready: false, missing: choose };
  }
  return cannotPay?.(chosen.item)
    ? walletNext(t)
    : { label: t("counter.next.offerPicked", { title: chosen.name }), ready: true };
}

/**
 * @param tiles must be the same array until the tiles change: the names of a new array are split
 * again
 */
export function usePickerView<Item>(
  tiles: readonly PickerTile<Item>[],
  state: PickerState,
): PickerView<Item> {
  const index = useMemo(() => indexPicker(tiles), [tiles]);
  return useMemo(() => viewPicker(index, state), [index, state]);
}
