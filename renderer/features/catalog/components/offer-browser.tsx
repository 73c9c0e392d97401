import { Button, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import { FAMILIES } from "../../../../server/contract/pos/families.ts";
import {
  type CatalogRow,
  type CatalogSummary,
  type CatalogSwitch,
  OFFER_STATES,
  type SwitchInput,
  type SwitchTarget,
} from "../../../../server/contract/pos/office-catalog.ts";
import { ClearableSelect } from "../../../components/clearable-select.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Trouble } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { kindWords } from "../../../lib/kind-words.ts";
import type { OfficeSearch, OfficeSectionProps } from "../../../lib/office-section.ts";
import { useFormat } from "../../../lib/use-format.ts";
import {
  type CatalogFilter,
  offersQuery,
  summaryQuery,
  switchPreviewQuery,
} from "../api/catalog-queries.ts";
import { useChoices } from "../use-choices.ts";
import classes from "./catalog-screen.module.css";
import { OfferRow } from "./offer-row.tsx";

/** Reads the filter from the address, and drops unknown values. */
function filterOf({ family, country, brand, subType, text, state }: OfficeSearch): CatalogFilter {
  const knownFamily = FAMILIES.find((one) => one === family);
  const knownState = OFFER_STATES.find((one) => one === state);
  return {
    ...(knownFamily && { family: knownFamily }),
    ...(country !== undefined && /^[A-Z]{2}$/.test(country) && { country }),
    ...(brand && { brand }),
    ...(subType && { subType }),
    ...(text && { text }),
    ...(knownState && { state: knownState }),
  };
}

/**
 * Returns the target of a switch for exactly the listed offers, so that nobody hides unseen offers.
 * Returns undefined without a filter, and with a text or state filter, which a switch cannot
 * express.
 */
function targetOf({ text, state, ...target }: CatalogFilter): SwitchTarget | undefined {
  if (text !== undefined || state !== undefined) return undefined;
  return Object.keys(target).length > 0 ? target : undefined;
}

const ROW_PX = 76;
/** The next page is loaded when at most this many rows remain below the visible rows. */
const ROWS_AHEAD = 40;

const TYPING_MS = 250;

const LONG_LIST = { searchable: true, limit: 200 } as const;
const FILTERS = ["family", "country", "brand", "subType", "state"] as const;

type OfferBrowserProps = Pick<OfficeSectionProps, "search" | "onSearch"> & {
  readonly environment: Environment;
};

export function OfferBrowser({ environment, search, onSearch }: OfferBrowserProps) {
  const { t } = useTranslation();
  const filter = filterOf(search);
  const summary = useQuery(summaryQuery(environment));
  const offers = useInfiniteQuery(offersQuery(environment, filter));
  const [asked, setAsked] = useState<SwitchInput>();
  const [made, setMade] = useState<CatalogSwitch>();
  const choices = useChoices(environment);
  const rows = offers.data?.pages.flatMap(({ list }) => list) ?? [];
  const total = offers.data?.pages[0]?.total;
  const target = targetOf(filter);
  return (
    <>
      <OfferFilters
        summary={summary.data}
        filter={filter}
        onFilter={(changed) => {
          setMade(undefined);
          onSearch(changed);
        }}
      />
      <div className="row wrap justify-between gap-3">
        <Found {...{ environment, made, total }} onUndone={() => setMade(undefined)} />
        {target && total !== 0 ? (
          <div className="row wrap gap-2">
            <Button variant="default" onClick={() => setAsked({ target, enabled: true })}>
              {t("office.catalog.showAll")}
            </Button>
            <Button variant="default" onClick={() => setAsked({ target, enabled: false })}>
              {t("office.catalog.hideAll")}
            </Button>
          </div>
        ) : (
          <span className="soft size-caption">{t("office.catalog.togetherHint")}</span>
        )}
      </div>
      <QueryTrouble query={offers} />
      <Trouble error={choices.error} />
      <OfferList
        rows={rows}
        total={total ?? 0}
        isLoading={offers.isPending}
        onNear={() => {
          if (offers.hasNextPage && !offers.isFetchingNextPage) void offers.fetchNextPage();
        }}
        onSwitch={({ offerId }, enabled) =>
          void choices.change({ target: { offerId }, enabled }).then(setMade, () => {})
        }
        onPin={(row) => void choices.togglePin(row).catch(() => {})}
      />
      {asked ? (
        <SwitchDialog
          {...{ environment, asked }}
          onClose={() => setAsked(undefined)}
          onMade={(change) => {
            setMade(change);
            setAsked(undefined);
          }}
        />
      ) : null}
    </>
  );
}

interface OfferFiltersProps {
  readonly summary: CatalogSummary | undefined;
  readonly filter: CatalogFilter;
  readonly onFilter: (search: OfficeSearch) => void;
}

function OfferFilters({ summary, filter, onFilter }: OfferFiltersProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [text, setText] = useState(filter.text ?? "");
  const look = useDebouncedCallback(
    (words: string) => choose("text", words.trim() || null),
    TYPING_MS,
  );

  function choose(name: keyof CatalogFilter, value: string | null): void {
    const { [name]: _before, ...rest } = filter;
    onFilter({ ...rest, ...(value !== null && { [name]: value }) });
  }
  const choices = {
    family: FAMILIES.map((value) => ({ value, label: t(`family.${value}.one`) })),
    country: (summary?.countries ?? []).map(({ code }) => ({
      value: code,
      label: format.country(code),
    })),
    brand: (summary?.brands ?? []).map(({ code, name }) => ({ value: code, label: name })),
    subType: (summary?.subTypes ?? []).map(({ code }) => ({
      value: code,
      label: kindWords(code, t),
    })),
    state: OFFER_STATES.map((value) => ({ value, label: t(`office.catalog.state.${value}`) })),
  };
  return (
    <search className={classes.filters}>
      <TextInput
        className={classes.words ?? ""}
        label={t("office.catalog.filter.text")}
        leftSection={<IconSearch size="1.25rem" aria-hidden="true" />}
        type="search"
        maxLength={100}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          look(currentTarget.value);
        }}
      />
      {FILTERS.map((name) => (
        <ClearableSelect
          key={name}
          {...(name !== "state" && LONG_LIST)}
          all={t("office.prices.form.all")}
          label={t(`office.catalog.filter.${name}`)}
          value={filter[name] ?? null}
          onChange={(value) => choose(name, value)}
          data={choices[name]}
        />
      ))}
    </search>
  );
}

interface OfferListProps {
  readonly rows: readonly CatalogRow[];
  readonly total: number;
  readonly isLoading: boolean;
  /** Called near the end of the loaded rows. */
  readonly onNear: () => void;
  readonly onSwitch: (row: CatalogRow, enabled: boolean) => void;
  readonly onPin: (row: CatalogRow) => void;
}

function OfferList({ rows, total, isLoading, onNear, onSwitch, onPin }: OfferListProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- this component is not memoized, and is cheap
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.offerId ?? index,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const isNear = rows.length < total && last >= rows.length - ROWS_AHEAD;
  useEffect(() => {
    if (isNear) onNear();
  }, [isNear, onNear]);
  if (isLoading) return <Loading heights={["4rem", "4rem", "4rem"]} />;
  if (rows.length === 0) return <p className={classes.empty}>{t("office.catalog.none")}</p>;
  return (
    <div ref={box} className={classes.box}>
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          return row ? (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={classes.place}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={total}
              aria-posinset={index + 1}
            >
              <OfferRow row={row} onSwitch={onSwitch} onPin={onPin} />
            </li>
          ) : null;
        })}
      </ul>
    </div>
  );
}

interface SwitchDialogProps {
  readonly environment: Environment;
  readonly asked: SwitchInput;
  readonly onClose: () => void;
  readonly onMade: (made: CatalogSwitch) => void;
}

function SwitchDialog({ environment, asked, onClose, onMade }: SwitchDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const preview = useQuery(switchPreviewQuery(environment, asked));
  const choices = useChoices(environment);
  const way = asked.enabled ? "show" : "hide";
  const count = preview.data?.changes ?? 0;
  return (
    <Dialog opened onClose={onClose} title={t(`office.catalog.ask.${way}`)}>
      <div className="stack gap-4">
        {preview.data ? (
          <p>
            {t(`office.catalog.will.${way}`, { count, amount: format.number(count) })}{" "}
            {asked.enabled ? null : t("office.catalog.willLater")}
          </p>
        ) : null}
        <QueryTrouble query={preview} />
        <Trouble error={choices.error} />
        <div className="row wrap gap-2 justify-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button
            data-autofocus
            loading={choices.isBusy || preview.isPending}
            disabled={count === 0}
            onClick={() => void choices.change(asked).then(onMade, () => {})}
          >
            {t(`office.catalog.do.${way}`, { count, amount: format.number(count) })}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface FoundProps {
  readonly environment: Environment;
  readonly made: CatalogSwitch | undefined;
  readonly total: number | undefined;
  readonly onUndone: () => void;
}

/** The number of offers, or the last change with its undo. */
function Found({ environment, made, total, onUndone }: FoundProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const counted = (count: number) => ({ count, amount: format.number(count) });
  const found =
    total === undefined ? t("common.loading") : t("office.catalog.found", counted(total));
  return (
    <div className={classes.found}>
      <strong role="status">
        {made
          ? t(`office.catalog.done.${made.enabled ? "show" : "hide"}`, counted(made.offers))
          : found}
      </strong>
      {made ? <UndoButton key={made.sequence} {...{ environment, made, onUndone }} /> : null}
    </div>
  );
}

interface UndoButtonProps {
  readonly environment: Environment;
  readonly made: CatalogSwitch;
  readonly onUndone: () => void;
}

function UndoButton({ environment, made, onUndone }: UndoButtonProps) {
  const { t } = useTranslation();
  const choices = useChoices(environment);
  return (
    <Button
      variant="default"
      loading={choices.isBusy}
      onClick={() => void choices.undo(made.sequence).then(onUndone, () => {})}
    >
      {t("office.catalog.undo")}
    </Button>
  );
}
