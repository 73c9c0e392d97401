import { Button, Skeleton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { startOfDay } from "../../../lib/time-format.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import { matchesSale, salesOfPages, salesQuery } from "../api/today-queries.ts";
import { SaleDetails } from "./sale-details.tsx";
import { SaleTable } from "./sale-table.tsx";
import { TodayFigures } from "./today-figures.tsx";
import classes from "./today-screen.module.css";

interface TodayScreenProps {
  readonly onPrint: (saleId: string) => Promise<void>;
}

const MINUTE_MS = 60_000;

/** What was sold today, live, with the figures on top and one sale's details beside it. */
export function TodayScreen({ onPrint }: TodayScreenProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const day = startOfDay(new Date(useNow(MINUTE_MS)));
  const sales = useInfiniteQuery(salesQuery(new Date(day).toISOString()));
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<string>();
  const all = sales.data ? salesOfPages(sales.data) : [];
  const shown = all.filter((sale) => matchesSale(sale, text));
  const chosenSale = all.find(({ saleId }) => saleId === chosen) ?? shown[0];
  usePrintKey();

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
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
        <TodayFigures figures={sales.data?.pages[0]?.figures} total={sales.data?.pages[0]?.total} />
        {sales.error && !sales.data ? (
          <div className={classes.trouble}>
            <ErrorNotice words={errorWords(sales.error, t, format)} />
            <Button variant="default" onClick={() => void sales.refetch()}>
              {t("common.retry")}
            </Button>
          </div>
        ) : null}
        {sales.isPending ? <LoadingSales /> : null}
        {sales.data ? (
          <SaleTable
            sales={shown}
            chosen={chosenSale?.saleId}
            onChoose={setChosen}
            empty={
              all.length === 0
                ? { title: t("today.empty"), hint: t("today.emptyHint") }
                : { title: t("today.nothingFound", { text }), hint: t("today.nothingFoundHint") }
            }
          />
        ) : null}
        {sales.hasNextPage ? (
          <div className={classes.more}>
            <span>
              {t("today.shown", { shown: all.length, total: sales.data?.pages[0]?.total ?? 0 })}
            </span>
            <Button
              variant="default"
              loading={sales.isFetchingNextPage}
              onClick={() => void sales.fetchNextPage()}
            >
              {t("today.more")}
            </Button>
          </div>
        ) : null}
      </main>
      <SaleDetails sale={chosenSale} onPrint={onPrint} />
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

/** P prints the sale that is shown. */
function usePrintKey() {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const isTyping = event.target instanceof HTMLElement && event.target.matches("input");
      const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.repeat;
      if (isPlain && !isTyping && event.key.toLowerCase() === "p") {
        event.preventDefault();
        document.querySelector<HTMLButtonElement>("[data-print-sale]")?.click();
      }
    }
    globalThis.addEventListener("keydown", onKeyDown);
    return () => globalThis.removeEventListener("keydown", onKeyDown);
  }, []);
}
