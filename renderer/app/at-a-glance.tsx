import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { KeyCap } from "../components/key-cap.tsx";
import { heldSalesQuery } from "../features/counter/api/held-queries.ts";
import { alertsQuery, countAlerts, hasAlerts } from "../lib/alerts-query.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./at-a-glance.module.css";
import { useDayFacts } from "./use-day-facts.ts";

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
      to={{ to: "/office/$section", params: { section: "alerts" } }}
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
