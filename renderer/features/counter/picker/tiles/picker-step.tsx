import { Skeleton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type ReactNode, useContext, useId, useLayoutEffect, useRef } from "react";
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
import { FamilyButtonsContext } from "../../ui/family-buttons.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { drawnTiles, PAGE_SIZE } from "../../ui/page-size.ts";
import { PromoNotes } from "../../ui/promo.tsx";
import stepClasses from "../../ui/step.module.css";
import { OWN_FIELD } from "../../ui/step-control.ts";
import { useWalletReach, WalletNotice } from "../../ui/wallet.tsx";
import { type Picker, pickTile } from "./picker-control.ts";
import classes from "./picker-step.module.css";

const LOADING = ["a", "b", "c", "d", "e", "f", "g", "h"];

interface PickerStepProps<Item> {
  readonly picker: Picker<Item>;
  readonly title: string;
  /** Label of the search field; absent if there is none. */
  readonly search?: string;
  readonly none: string;
  readonly tile: (item: Item) => ReactNode;
  readonly isOff?: (item: Item) => boolean;
  readonly aside?: ReactNode;
  /** Shown above the tiles. */
  readonly filters?: ReactNode;
  readonly promos?: readonly PosPromo[];
}

/** Shows pages of nine tiles, each with a digit. */
export function PickerStep<Item>(props: PickerStepProps<Item>) {
  const { picker, title, search, none, tile, isOff, aside, filters, promos = [] } = props;
  const { t } = useTranslation();
  const { state, view, dispatch, source } = picker;
  const wallet = useWalletReach();
  const failed = source !== undefined && hasFailed(source);
  const loading = !failed && (source?.isPending ?? false);
  const nothing =
    state.query === "" ? none : t("counter.picker.nothingFound", { text: state.query });
  const spoken = view.found === 0 ? nothing : t("counter.spoken.found", { count: view.found });
  useAnnounced(loading || failed ? undefined : spoken, { afterMs: TYPING_MS });
  const families = useContext(FamilyButtonsContext);
  const { drawn, digitOf } = drawnTiles(view.all, view.page);
  return (
    <section className={stepClasses.card} aria-labelledby="picker-title">
      {search ? (
        <>
          <SearchField picker={picker} label={search} />
          {families}
        </>
      ) : null}
      <div className={stepClasses.head}>
        <h1 id="picker-title" className="size-heading leading-120">
          {title}
        </h1>
        {aside}
      </div>
      {filters}
      {source ? <QueryTrouble query={source} /> : null}
      {!loading && !failed && view.found === 0 ? <Notice tone="wait">{nothing}</Notice> : null}
      <PromoNotes promos={promos} />
      <div className={stepClasses.tiles} {...OWN_KEYS}>
        {loading
          ? LOADING.map((one) => <Skeleton key={one} height="6.5rem" radius="md" />)
          : drawn.map(({ id, name, item }, index) => (
              <button
                key={id}
                type="button"
                className={`${stepClasses.tile} ${classes.tile}`}
                data-focused={view.chosen?.id === id}
                disabled={isOff?.(item)}
                aria-disabled={picker.cannotPay?.(item)}
                tabIndex={tabStop(
                  index,
                  drawn.findIndex((tile) => tile.id === state.focused),
                )}
                onFocus={(event) => {
                  if (isKeyboardFocus(event)) {
                    dispatch({ type: "tile-focused", id });
                  }
                }}
                onClick={() => pickTile(picker, { id, name, item })}
              >
                <span className="stack flex-1 gap-1 min-w-0">{tile(item)}</span>
                {digitOf(index) === undefined ? null : <KeyCap chooses>{digitOf(index)}</KeyCap>}
              </button>
            ))}
      </div>
      <MoreTiles
        drawn={drawn.length}
        found={view.found}
        onTurn={(page) => dispatch({ type: "page-turned", page })}
      />
      {/* Last, because the balance may fall while the clerk reaches for a tile. */}
      {view.tiles.some(({ item }) => picker.cannotPay?.(item)) ? (
        <WalletNotice short={wallet.short} />
      ) : null}
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
      <IconSearch size="1.5rem" aria-hidden="true" className="flex-none soft" />
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

interface MoreTilesProps {
  readonly drawn: number;
  readonly found: number;
  readonly onTurn: (page: number) => void;
}

function MoreTiles({ drawn, found, onTurn }: MoreTilesProps) {
  const { t } = useTranslation();
  return drawn < found ? (
    <LinkButton shortcut="PgDn" onPress={() => onTurn(Math.floor(drawn / PAGE_SIZE))}>
      {t("counter.nextPage")}
    </LinkButton>
  ) : null;
}
