import { Button, Skeleton, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { type Ref, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Sale, Sales } from "../../../../server/contract/pos/sales.ts";
import { CustomerRefundButton } from "../../../components/customer-refund-button.tsx";
import { FitText } from "../../../components/fit-text.tsx";
import { Flag } from "../../../components/flag.tsx";
import { Loading } from "../../../components/loading.tsx";
import { OutcomeBadge } from "../../../components/outcome-badge.tsx";
import { PrintButton } from "../../../components/print-button.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ReceiptLanguage } from "../../../components/receipt-language.tsx";
import { SaleReceipt } from "../../../components/sale-receipt.tsx";
import { SendReceiptButton } from "../../../components/send-receipt-button.tsx";
import { TYPING_MS, useAnnounced } from "../../../lib/announcer.ts";
import { useCustomerRefundKey } from "../../../lib/customer-refund.ts";
import { useRecipient } from "../../../lib/destination.ts";
import { useNow } from "../../../lib/gateway-clock.ts";
import { expects, meaningOf } from "../../../lib/key-edge.ts";
import { LoneLetter } from "../../../lib/lone-letter.ts";
import { saleQuery } from "../../../lib/pos-queries.ts";
import { isPrintKey } from "../../../lib/print-key.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { arrowTarget, tabStop } from "../../../lib/roving-focus.ts";
import { saleLineAt, saleOutcomeAt } from "../../../lib/sale-outcome.ts";
import { runScreenCommand } from "../../../lib/screen-commands.ts";
import { areSingleKeysOn, isOnControl, takesText } from "../../../lib/single-keys.ts";
import { useLineTitle } from "../../../lib/sold-title.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useScreenKeys } from "../../../lib/use-screen-keys.ts";
import { salesOfPages, salesQuery, searchDigits } from "../api/today-queries.ts";
import saleDetailsClasses from "./sale-details.module.css";
import saleTableClasses from "./sale-table.module.css";
import classes from "./today-screen.module.css";

interface TodayFiguresProps {
  /** Undefined while loading. */
  readonly figures: Sales["figures"];
  readonly total: number | undefined;
}

function TodayFigures({ figures, total }: TodayFiguresProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = (minor: number) =>
    figures ? format.money(minor, figures.currency, figures.currencyDivisor) : undefined;
  return (
    <div className="container">
      <dl className={classes.figures}>
        <Figure label={t("today.sold")} value={money(figures?.sold ?? 0)} tone="ink" />
        <Figure
          label={t("today.sending")}
          value={money(figures?.sending ?? 0)}
          tone={figures?.sending ? "wait" : "ink"}
        />
        <Figure
          label={t("today.refundDue")}
          value={money(figures?.refundDue ?? 0)}
          tone={figures?.refundDue ? "bad" : "ink"}
        />
        <Figure
          label={t("today.sales")}
          value={total === undefined ? undefined : format.number(total)}
          tone="ink"
        />
      </dl>
    </div>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly tone: "ink" | "wait" | "bad";
}

function Figure({ label, value, tone }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt className="soft medium">{label}</dt>
      <dd className={`size-heading strong leading-125 nowrap ${tone}`}>
        {value === undefined ? (
          <Skeleton height="1.25em" width="6rem" />
        ) : (
          <FitText>{value}</FitText>
        )}
      </dd>
    </div>
  );
}

interface TodayScreenProps {
  readonly onPrint: (saleId: string) => Promise<void>;
  /** Id of the sale to show first. */
  readonly wanted?: string | undefined;
  readonly search?: string;
}

const MINUTE_MS = 60_000;
/** Pause in typing before the search starts. */
const SEARCH_AFTER_MS = 250;
/** Maximum time between two letters of a word. */
const WORD_MS = 1000;

/** Today's sales, updated live, with a sale's details beside the list. */
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
  // People without the permission to see figures receive only the list.
  const isWithoutFigures = page !== undefined && page.figures === undefined;
  const all = sales.data ? salesOfPages(sales.data) : [];
  // The wanted sale may be of another day and not in the list. It is shown until the next search.
  const apart = useQuery({ ...saleQuery(wanted ?? ""), enabled: wanted !== undefined });
  const chosenSale =
    all.find(({ saleId }) => saleId === chosen) ??
    (chosen === wanted && search === searchDigits(begun) ? apart.data : undefined) ??
    all[0];
  // Rows stay during typing, because only the gateway can decide that no sale matches.
  const isInTrouble = troubleOf(sales) !== undefined;
  const isWaiting = isSearching && all.length === 0;
  const field = useRef<HTMLInputElement>(null);
  const empty = useEmptyWords(search);
  useTodayKeys((digit) => {
    field.current?.focus();
    setText((before) => searchDigits(before + digit));
  });
  const details = useRef<HTMLElement>(null);

  /** Scrolls to the details if they are below the list. */
  function choose(saleId: string) {
    setChosen(saleId);
    requestAnimationFrame(() => details.current?.scrollIntoView?.({ block: "nearest" }));
  }

  return (
    <div className={classes.today}>
      <main className={classes.list}>
        <div className={classes.head}>
          <div>
            <h1 className="size-heading strong leading-115">{t("today.title")}</h1>
            <p className={classes.day}>{format.dayLong(day)}</p>
          </div>
          <TextInput
            ref={field}
            className={classes.filter ?? ""}
            aria-label={t("today.filter")}
            placeholder={t("today.filter")}
            leftSection={<IconSearch size="1.25rem" aria-hidden="true" />}
            inputMode="numeric"
            type="search"
            {...expects("search")}
            value={text}
            onChange={({ currentTarget }) => setText(searchDigits(currentTarget.value))}
          />
        </div>
        {isWithoutFigures || isInTrouble ? null : (
          <TodayFigures figures={page?.figures} total={page?.total} />
        )}
        <QueryTrouble query={sales} />
        {!isInTrouble && (sales.isPending || isWaiting) ? (
          <Loading heights={["3.5rem", "3.5rem", "3.5rem", "3.5rem", "3.5rem"]} />
        ) : null}
        {sales.data && !isWaiting ? (
          <SaleTable sales={all} chosen={chosenSale?.saleId} onChoose={choose} empty={empty} />
        ) : null}
        <MoreSales sales={sales} shown={all.length} />
      </main>
      <SaleDetails ref={details} sale={chosenSale} onPrint={onPrint} />
    </div>
  );
}

function useEmptyWords(search: string) {
  const { t } = useTranslation();
  return search === ""
    ? { title: t("today.empty"), hint: t("today.emptyHint") }
    : { title: t("today.nothingFound", { text: search }), hint: t("today.nothingFoundHint") };
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
    <div className="row justify-between gap-4 soft">
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

/**
 * Keys for the displayed sale: P prints, Alt+S sends the receipt, Alt+L changes its language, Alt+G
 * refunds. Digits start a search, and arrow keys move through the list.
 */
function useTodayKeys(onDigit: (digit: string) => void) {
  const [lone] = useState(() => new LoneLetter());
  useEffect(() => () => lone.drop(), [lone]);
  useCustomerRefundKey();
  useScreenKeys((event) => {
    const { target } = event;
    const meaning = meaningOf(event);
    const isPlain = meaning.kind !== "ignored" && meaning.kind !== "shortcut";
    const isFree = isPlain && !takesText(target);
    if (meaning.kind === "text" && /^\p{L}$/u.test(event.key)) {
      if (event.repeat) {
        return;
      }
      // A P inside a typed word must not print.
      const isInWord = lone.isInWord(event.timeStamp, WORD_MS);
      if (areSingleKeysOn() && isFree && !isOnControl(target) && !isInWord && isPrintKey(event)) {
        event.preventDefault();
        lone.press(event.key, () => runScreenCommand("print"));
      } else {
        lone.pass(event.timeStamp);
      }
      return;
    }
    lone.settle();
    if (isFree && meaning.kind === "digit") {
      event.preventDefault();
      onDigit(meaning.digit);
    } else if (isFree && target === document.body && /^Arrow(?:Down|Up)$/.test(event.key)) {
      event.preventDefault();
      document.querySelector<HTMLElement>("main li button[tabindex='0']")?.focus();
    } else if (meaning.kind === "shortcut" && !event.repeat) {
      readAlt(event);
    }
  });
}

function readAlt(event: KeyboardEvent): void {
  switch (event.code) {
    case "KeyP":
      event.preventDefault();
      return runScreenCommand("print");
    case "KeyL":
      event.preventDefault();
      return runScreenCommand("next-language");
    case "KeyS":
      event.preventDefault();
      return runScreenCommand("send-receipt");
    default:
      return undefined;
  }
}

interface SaleDetailsProps {
  readonly sale: Sale | undefined;
  readonly onPrint: (saleId: string) => Promise<void>;
  readonly ref: Ref<HTMLElement>;
}

function SaleDetails({ sale: listed, onPrint, ref }: SaleDetailsProps) {
  const { t } = useTranslation();
  // Lists contain neither PINs nor codes. A single sale contains them, for its seller and for a
  // short time.
  const { data } = useQuery({ ...saleQuery(listed?.saleId ?? ""), enabled: listed !== undefined });
  const sale = data?.saleId === listed?.saleId ? (data ?? listed) : listed;
  return (
    <aside ref={ref} className={saleDetailsClasses.details} aria-label={t("today.details")}>
      {sale ? (
        <>
          <SaleReceipt sale={sale} />
          <CustomerRefundButton key={`customer-refund ${sale.saleId}`} sale={sale} />
          <div className="stack gap-2">
            <PrintButton key={sale.saleId} sale={sale} onPrint={onPrint} />
            <ReceiptLanguage saleId={sale.saleId} />
            <SendReceiptButton key={`send ${sale.saleId}`} sale={sale} />
          </div>
        </>
      ) : (
        <p className={saleDetailsClasses.none}>{t("today.noneChosen")}</p>
      )}
    </aside>
  );
}

interface SaleTableProps {
  readonly sales: readonly Sale[];
  readonly chosen: string | undefined;
  readonly onChoose: (saleId: string) => void;
  readonly empty: { readonly title: string; readonly hint: string };
}

/** Newest first. A press shows the sale's details. */
function SaleTable({ sales, chosen, onChoose, empty }: SaleTableProps) {
  const { t } = useTranslation();
  useAnnounced(
    sales.length === 0 ? empty.title : t("counter.spoken.found", { count: sales.length }),
    { afterMs: TYPING_MS },
  );
  const list = useRef<HTMLUListElement>(null);
  const chosenAt = sales.findIndex(({ saleId }) => saleId === chosen);
  if (sales.length === 0) {
    return (
      <div className={saleTableClasses.empty}>
        <p className="ink size-label strong">{empty.title}</p>
        <p>{empty.hint}</p>
      </div>
    );
  }
  return (
    <ul
      ref={list}
      className={saleTableClasses.list}
      aria-label={t("today.list")}
      onKeyDown={(event) => {
        const meaning = meaningOf(event.nativeEvent);
        const to =
          meaning.kind === "command" ? arrowTarget(meaning.key, chosenAt, sales.length) : undefined;
        const sale = to === undefined ? undefined : sales[to];
        if (sale) {
          event.preventDefault();
          onChoose(sale.saleId);
          list.current?.querySelectorAll("button")[to ?? 0]?.focus();
        }
      }}
    >
      {sales.map((sale, index) => (
        <SaleRow
          key={sale.saleId}
          sale={sale}
          isChosen={sale.saleId === chosen}
          isTabStop={tabStop(index, chosenAt) === 0}
          onChoose={onChoose}
        />
      ))}
    </ul>
  );
}

interface SaleRowProps {
  readonly sale: Sale;
  readonly isChosen: boolean;
  /** True for the only row that Tab focuses. The arrow keys move to the other rows. */
  readonly isTabStop: boolean;
  readonly onChoose: (saleId: string) => void;
}

function SaleRow({ sale, isChosen, isTabStop, onChoose }: SaleRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const isSending = sale.lines.some(({ outcome }) => outcome === "SENDING");
  const now = useNow(1000, isSending);
  const outcome = saleOutcomeAt(sale, now);
  const lineTitle = useLineTitle();
  const recipientOf = useRecipient();
  const line = saleLineAt(sale, now);
  const what = line ? lineTitle(line) : "";
  const more = sale.lines.length - 1;
  const price = format.money(sale.total, sale.currency, sale.currencyDivisor);
  return (
    <li>
      <button
        type="button"
        className={saleTableClasses.row}
        aria-current={isChosen}
        tabIndex={isTabStop ? 0 : -1}
        onClick={() => onChoose(sale.saleId)}
      >
        <span className={saleTableClasses.time}>
          {format.time(sale.createdAt)}
          <small className="soft size-caption">{sale.saleNumber}</small>
        </span>
        <span className="stack min-w-0">
          <span className={saleTableClasses.number}>
            {line?.country ? <Flag country={line.country} /> : null}{" "}
            <bdi dir={line?.recipientFormatted ? "ltr" : "auto"}>
              {(line && recipientOf(line)) || line?.brandName}
            </bdi>
          </span>
          <small className={saleTableClasses.about}>
            {more > 0 ? t("today.andMore", { what, more }) : what}
          </small>
        </span>
        <OutcomeBadge outcome={outcome} of={sale.lines} />
        <span className={saleTableClasses.price}>{price}</span>
      </button>
    </li>
  );
}
