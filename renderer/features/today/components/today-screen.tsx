import { Button, Skeleton, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Sales } from "../../../../server/contract/pos/sales.ts";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { saleQuery } from "../../../lib/pos-queries.ts";
import { isPrintKey } from "../../../lib/print-key.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { runScreenCommand } from "../../../lib/screen-commands.ts";
import { areSingleKeysOn, isOnControl, takesText } from "../../../lib/single-keys.ts";
import { useCustomerRefundKey } from "../../../lib/use-customer-refund-key.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import { useScreenKeys } from "../../../lib/use-screen-keys.ts";
import { salesOfPages, salesQuery, searchDigits } from "../api/today-queries.ts";
import { SaleDetails } from "./sale-details.tsx";
import { SaleTable } from "./sale-table.tsx";
import { TodayFigures } from "./today-figures.tsx";
import classes from "./today-screen.module.css";

interface TodayScreenProps {
  readonly onPrint: (saleId: string) => Promise<void>;
  /** The sale that is shown first, among those that are found by these digits. */
  readonly wanted?: string | undefined;
  readonly search?: string;
}

const MINUTE_MS = 60_000;
/** A search begins when the digits stop coming. */
const SEARCH_AFTER_MS = 250;

/** What was sold today, live, with the figures on top and one sale's details beside it. */
export function TodayScreen({ onPrint, wanted, search: begun = "" }: TodayScreenProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const day = format.startOfDay(useNow(MINUTE_MS));
  const since = new Date(day).toISOString();
  const [text, setText] = useState(searchDigits(begun));
  const [search] = useDebouncedValue(searchDigits(text), SEARCH_AFTER_MS);
  const isSearching = search !== searchDigits(text);
  const whole = useInfiniteQuery(salesQuery(since));
  const found = useInfiniteQuery({ ...salesQuery(since, search), enabled: search !== "" });
  const sales = search === "" ? whole : found;
  const [chosen, setChosen] = useState(wanted);
  const [page] = whole.data?.pages ?? [];
  // Staff who may not see the shop's figures gets the list alone.
  const isWithoutFigures = page !== undefined && page.figures === undefined;
  const all = sales.data ? salesOfPages(sales.data) : [];
  // One that was looked for may be of any day, and is shown without standing in the list, until
  // something else is looked for here.
  const apart = useQuery({ ...saleQuery(wanted ?? ""), enabled: wanted !== undefined });
  const chosenSale =
    all.find(({ saleId }) => saleId === chosen) ??
    (chosen === wanted && search === searchDigits(begun) ? apart.data : undefined) ??
    all[0];
  // Rows stay while digits are typed; "nothing found" is for the gateway to say of all of them.
  const isInTrouble = troubleOf(sales) !== undefined;
  const isWaiting = isSearching && all.length === 0;
  useTodayKeys();
  const details = useRef<HTMLElement>(null);

  /** Where the sale stands below the list instead of beside it, it comes into sight. */
  function choose(saleId: string) {
    setChosen(saleId);
    requestAnimationFrame(() => details.current?.scrollIntoView?.({ block: "nearest" }));
  }

  return (
    <div className={classes.today}>
      <main className={classes.list}>
        <div className={classes.head}>
          <div>
            <h1 className={classes.title}>{t("today.title")}</h1>
            <p className={classes.day}>{format.dayLong(day)}</p>
          </div>
          <TextInput
            className={classes.filter ?? ""}
            aria-label={t("today.filter")}
            placeholder={t("today.filter")}
            leftSection={<IconSearch size="1.25rem" aria-hidden="true" />}
            inputMode="numeric"
            type="search"
            value={text}
            onChange={({ currentTarget }) => setText(searchDigits(currentTarget.value))}
          />
        </div>
        {isWithoutFigures || isInTrouble ? null : (
          <TodayFigures figures={page?.figures} total={page?.total} />
        )}
        <QueryTrouble query={sales} />
        {!isInTrouble && (sales.isPending || isWaiting) ? <LoadingSales /> : null}
        {sales.data && !isWaiting ? (
          <SaleTable
            sales={all}
            chosen={chosenSale?.saleId}
            onChoose={choose}
            empty={
              search === ""
                ? { title: t("today.empty"), hint: t("today.emptyHint") }
                : {
                    title: t("today.nothingFound", { text: search }),
                    hint: t("today.nothingFoundHint"),
                  }
            }
          />
        ) : null}
        <MoreSales sales={sales} shown={all.length} />
      </main>
      <SaleDetails ref={details} sale={chosenSale} onPrint={onPrint} />
    </div>
  );
}

interface MoreSalesProps {
  readonly sales: UseInfiniteQueryResult<InfiniteData<Sales>>;
  readonly shown: number;
}

function MoreSales({ sales, shown }: MoreSalesProps) {
  const { t } = useTranslation();
  if (!sales.hasNextPage) {
    return null;
  }
  return (
    <div className={classes.more}>
      <span>{t("today.shown", { shown, total: sales.data?.pages[0]?.total ?? 0 })}</span>
      <Button
        variant="default"
        loading={sales.isFetchingNextPage}
        onClick={() => void sales.fetchNextPage()}
      >
        {t("today.more")}
      </Button>
    </div>
  );
}

function LoadingSales() {
  const { t } = useTranslation();
  return (
    <div
      className={classes.loading}
      role="status"
      aria-busy="true"
      aria-label={t("common.loading")}
    >
      {["a", "b", "c", "d", "e"].map((row) => (
        <Skeleton key={row} height="3.5rem" radius="md" />
      ))}
    </div>
  );
}

/** P prints the sale that is shown, Alt+S sends its receipt, Alt+L changes its language, Alt+G gives back. */
function useTodayKeys() {
  useCustomerRefundKey();
  useScreenKeys((event) => {
    const { target } = event;
    const isFree = areSingleKeysOn() && !takesText(target) && !isOnControl(target);
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.repeat;
    const isAlt = event.altKey && !event.ctrlKey && !event.metaKey && !event.repeat;
    if ((isPlain && isFree && isPrintKey(event)) || (isAlt && event.code === "KeyP")) {
      event.preventDefault();
      runScreenCommand("print");
    }
    if (isAlt && event.code === "KeyL") {
      event.preventDefault();
      runScreenCommand("next-language");
    }
    if (isAlt && event.code === "KeyS") {
      event.preventDefault();
      runScreenCommand("send-receipt");
    }
  });
}
