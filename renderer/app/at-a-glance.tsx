import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { saleOperations } from "../../server/contract/pos/sales.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { KeyCap } from "../components/key-cap.tsx";
import { heldSalesQuery } from "../features/counter/api/held-queries.ts";
import { currentShiftQuery, xReportQuery } from "../features/shift/api/shift-queries.ts";
import { alertsQuery, countAlerts, hasAlerts } from "../lib/alerts-query.ts";
import { operationQuery } from "../lib/operation-query.ts";
import { useFormat } from "../lib/use-format.ts";
import { useNow } from "../lib/use-now.ts";
import classes from "./at-a-glance.module.css";

const MINUTE_MS = 60_000;
const STALE_MS = 10_000;

/**
 * Below the start, while nothing is typed: the day by the person's right, what waits, and what should be
 * seen to, each a way there. Every place is there from the start, so nothing moves when it is known.
 */
export function AtAGlance({ session }: { readonly session: PosSession }) {
  const { t } = useTranslation();
  const format = useFormat();
  const held = useQuery(heldSalesQuery()).data?.list.length;
  return (
    <nav className={classes.glance} aria-label={t("counter.glance.title")}>
      {session.training ? null : <Sales session={session} />}
      <Fact
        label={t("counter.glance.held")}
        value={held === undefined ? undefined : format.number(held)}
        tone={held ? "wait" : "plain"}
        to={{ to: "/", search: { sell: "topup", held: true } }}
        shortcut="Alt+H"
      />
      {session.training ? null : <Waiting session={session} />}
      {hasAlerts(session) ? <Alerts /> : null}
    </nav>
  );
}

interface OfSession {
  readonly session: PosSession;
}

function Sales({ session }: OfSession) {
  const { t } = useTranslation();
  const format = useFormat();
  const { isOwn, sales, sold } = useDayFacts(session);
  return (
    <Fact
      label={t(isOwn ? "counter.glance.ownSales" : "counter.glance.sales")}
      value={sales === undefined ? undefined : format.number(sales)}
      more={sold}
      to={{ to: "/today" }}
      shortcut="F6"
    />
  );
}

function Waiting({ session }: OfSession) {
  const { t } = useTranslation();
  const format = useFormat();
  const { sending, owed, isOwed, owedSale } = useDayFacts(session);
  return (
    <>
      <Fact
        label={t("counter.glance.sending")}
        value={sending === undefined ? undefined : format.number(sending)}
        tone={sending ? "wait" : "plain"}
        to={{ to: "/today" }}
      />
      <Fact
        label={t("counter.glance.owed")}
        value={owed}
        tone={isOwed ? "bad" : "plain"}
        to={{ to: "/today", search: owedSale === undefined ? {} : { sale: owedSale } }}
      />
    </>
  );
}

function Alerts() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(alertsQuery());
  const { count, isUrgent } = countAlerts(data);
  return (
    <Fact
      label={t("counter.glance.alerts")}
      value={data && format.number(count)}
      tone={toneOfAlerts(count, isUrgent)}
      to={{ to: "/office/$section", params: { section: "overview" } }}
    />
  );
}

function toneOfAlerts(count: number, isUrgent: boolean): Tone {
  if (count === 0) {
    return "plain";
  }
  return isUrgent ? "bad" : "wait";
}

type Tone = "plain" | "wait" | "bad";

/** Signs that fit a fact in the size of the others; an amount in the millions has more. */
const LONGEST_SHORT = 11;

interface FactProps {
  readonly label: string;
  /** Undefined until it is known. */
  readonly value: string | undefined;
  /** Beside the value, and lighter. */
  readonly more?: string | undefined;
  readonly tone?: Tone;
  readonly to: LinkProps;
  readonly shortcut?: string;
}

function Fact({ label, value, more, tone = "plain", to, shortcut }: FactProps) {
  return (
    <Link
      {...to}
      className={classes.fact}
      data-tone={tone}
      data-long={(value?.length ?? 0) > LONGEST_SHORT || undefined}
    >
      <span className={classes.label}>
        {label} {shortcut === undefined ? null : <KeyCap>{shortcut}</KeyCap>}
      </span>
      <span className={classes.value}>
        <strong>{value ?? "…"}</strong> {more ? <span className={classes.more}>{more}</span> : null}
      </span>
    </Link>
  );
}

/** The day as the counter shows it at rest; what is undefined is not known yet. */
interface DayFacts {
  /** They are of the person's own shift alone. */
  readonly isOwn: boolean;
  readonly sales?: number;
  /** What was sold, written with its currency; for people who see figures. */
  readonly sold?: string;
  /** How many lines are still being sent. */
  readonly sending?: number;
  /** What is to be given back: how much, or of how many sales. */
  readonly owed?: string;
  readonly isOwed: boolean;
  /** The first of those, where it is known. */
  readonly owedSale?: string;
}

/**
 * The shop's day for people who may see what should be in the drawer; for all others how many sales they
 * made in their shift and what of those waits, and no amount (rules#shift-blind-count).
 */
function useDayFacts({ rights, training }: PosSession): DayFacts {
  const ofShop = useShopDay(rights.seeExpectedCash && !training);
  const ofShift = useOwnShift(!(rights.seeExpectedCash || training));
  return rights.seeExpectedCash ? ofShop : ofShift;
}

function useShopDay(enabled: boolean): DayFacts {
  const format = useFormat();
  const since = new Date(format.startOfDay(useNow(MINUTE_MS))).toISOString();
  const { data } = useQuery({
    ...operationQuery(saleOperations.list, { query: { since, limit: 1, offset: 0 } }),
    staleTime: STALE_MS,
    enabled,
  });
  const figures = data?.figures;
  if (!figures) {
    return { isOwn: false, isOwed: false };
  }
  const { currency, currencyDivisor, sales, sold, sending, unfinished, refundDue } = figures;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  return {
    isOwn: false,
    sales,
    sold: money(sold + sending),
    sending: unfinished,
    owed: money(refundDue),
    isOwed: refundDue > 0,
  };
}

function useOwnShift(enabled: boolean): DayFacts {
  const format = useFormat();
  const { data: current } = useQuery({ ...currentShiftQuery(), enabled });
  const shiftId = current?.shift?.shiftId;
  const { data } = useQuery({
    ...xReportQuery(shiftId ?? ""),
    staleTime: STALE_MS,
    enabled: enabled && shiftId !== undefined,
  });
  if (!data) {
    return { isOwn: true, isOwed: false };
  }
  const [first] = data.owed;
  return {
    isOwn: true,
    sales: data.sales,
    sending: data.unfinished.length,
    owed: format.number(data.owed.length),
    isOwed: first !== undefined,
    ...(first && { owedSale: first.saleId }),
  };
}
