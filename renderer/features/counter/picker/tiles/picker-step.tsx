import { Skeleton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { PosPromo } from "../../../../../server/contract/pos/promos.ts";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { Notice } from "../../../../components/notice.tsx";
import { QueryTrouble } from "../../../../components/query-trouble.tsx";
import { TYPING_MS, useAnnounced } from "../../../../lib/announcer.ts";
import { expects } from "../../../../lib/key-edge.ts";
import { isKeyboardFocus, tabStop } from "../../../../lib/roving-focus.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import { hasFailed } from "../../ui/asked.ts";
import { OWN_FIELD } from "../../ui/own-field.ts";
import { PageTurner } from "../../ui/page-turner.tsx";
import { PromoNotes } from "../../ui/promo.tsx";
import stepClasses from "../../ui/step.module.css";
import { useWalletReach } from "../../ui/use-wallet-reach.ts";
import { WalletNotice } from "../../ui/wallet-words.tsx";
import { type Picker, pickTile } from "./picker-control.ts";
import classes from "./picker-step.module.css";

interface PickerStepProps<Item> {
  readonly picker: Picker<Item>;
  readonly title: string;
  /** Names the search field; without it there is none. */
  readonly search?: string;
  /** Said when there is nothing at all. */
  readonly none: string;
  readonly tile: (item: Item) => ReactNode;
  /** Shown, and not to be picked. */
  readonly isOff?: (item: Item) => boolean;
  /** Beside the title. */
  readonly aside?: ReactNode;
  /** On some of the tiles. */
  readonly promos?: readonly PosPromo[];
}

/** Tiles in pages of nine, each with the digit that picks it, under a search where there are many. */
export function PickerStep<Item>(props: PickerStepProps<Item>) {
  const { picker, title, search, none, tile, isOff, aside, promos = [] } = props;
  const { t } = useTranslation();
  const { state, view, dispatch, source } = picker;
  const wallet = useWalletReach();
  const failed = source !== undefined && hasFailed(source);
  const loading = !failed && (source?.isPending ?? false);
  const nothing =
    state.query === "" ? none : t("counter.picker.nothingFound", { text: state.query });
  const spoken = view.found === 0 ? nothing : t("counter.spoken.found", { count: view.found });
  useAnnounced(loading || failed ? undefined : spoken, { afterMs: TYPING_MS });
  return (
    <section className={stepClasses.card} aria-labelledby="picker-title">
      <div className={stepClasses.head}>
        <h1 id="picker-title" className={stepClasses.title}>
          {title}
        </h1>
        {aside}
        <PageTurner
          page={view.page}
          pages={view.pages}
          // What is typed may leave one page of many: nothing beside it moves.
          isWaiting={loading || (state.query !== "" && view.pages < 2)}
          onTurn={(page) => dispatch({ type: "page-turned", page })}
        />
      </div>
      {search ? <SearchField picker={picker} label={search} /> : null}
      {source ? <QueryTrouble query={source} /> : null}
      {!loading && !failed && view.found === 0 ? <Notice tone="wait">{nothing}</Notice> : null}
      {view.tiles.some(({ item }) => picker.cannotPay?.(item)) ? (
        <WalletNotice short={wallet.short} />
      ) : null}
      <PromoNotes promos={promos} />
      <div className={stepClasses.tiles} data-wide="true" {...OWN_KEYS}>
        {loading
          ? ["a", "b", "c", "d", "e", "f"].map((one) => (
              <Skeleton key={one} height="6.5rem" radius="md" />
            ))
          : view.tiles.map(({ id, name, item }, index) => (
              <button
                key={id}
                type="button"
                className={`${stepClasses.tile} ${classes.tile}`}
                data-focused={view.chosen?.id === id}
                disabled={isOff?.(item)}
                aria-disabled={picker.cannotPay?.(item)}
                tabIndex={tabStop(
                  index,
                  view.tiles.findIndex((tile) => tile.id === state.focused),
                )}
                onFocus={(event) => {
                  if (isKeyboardFocus(event)) {
                    dispatch({ type: "tile-focused", id });
                  }
                }}
                onClick={() => pickTile(picker, { id, name, item })}
              >
                <span className={classes.face}>{tile(item)}</span>
                <span className={classes.key}>
                  <KeyCap>{index + 1}</KeyCap>
                </span>
              </button>
            ))}
      </div>
    </section>
  );
}

function SearchField<Item>({
  picker,
  label,
}: {
  readonly picker: Picker<Item>;
  readonly label: string;
}) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <div className={classes.search} data-field>
      <IconSearch size="1.5rem" aria-hidden="true" className={classes.icon} />
      <label htmlFor={id} className="spoken">
        {label}
      </label>
      <input
        {...OWN_FIELD}
        {...expects("search")}
        ref={field}
        id={id}
        className={classes.input}
        type="text"
        autoComplete="off"
        spellCheck={false}
        data-seldom-typed
        placeholder={label}
        value={picker.state.query}
        onChange={({ currentTarget }) =>
          picker.dispatch({ type: "query-typed", text: currentTarget.value })
        }
      />
    </div>
  );
}
