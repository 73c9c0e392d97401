import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { FirstPage } from "../../../../server/contract/pos/figures.ts";
import { ALERT_PLACES, alertWords } from "../../../lib/alert-words.ts";
import { alertsQuery } from "../../../lib/alerts-query.ts";
import { joinParts } from "../../../lib/direction.ts";
import type { Translate } from "../../../lib/i18n.ts";
import { type Format, useFormat } from "../../../lib/use-format.ts";
import { varianceWords } from "../../../lib/variance-words.ts";
import { changePercent, LEAST_FOR_PERCENT } from "../comparison.ts";
import { changeWords, moneyOf } from "../figure-format.ts";
import classes from "./figure-card.module.css";
import { FigureCard, FigureGroup } from "./figure-card.tsx";
import type { PageProps } from "./overview-props.ts";
import { type FigurePlace, PlaceLink } from "./place-link.tsx";

/** Where the money of today is. */
const MONEY_TODAY = {
  section: "figures",
  search: { view: "money", days: "today" },
} as const satisfies FigurePlace;

/** The lines that were sold today. */
const SOLD_TODAY = {
  section: "figures",
  search: { view: "sold", days: "today" },
} as const satisfies FigurePlace;

/** Purchases of any day with their outcomes. */
const PURCHASES = {
  section: "sales",
  search: { view: "find" },
} as const satisfies FigurePlace;

/** What is still being sent, the oldest first. */
const SENDING = {
  section: "sales",
  search: { view: "waiting" },
} as const satisfies FigurePlace;

/** The open drawers, and the reports of those that were closed. */
const SHIFTS: FigurePlace = { screen: "shift", instead: MONEY_TODAY };

const OWED_ROWS: FigurePlace = { section: "figures", search: { view: "owed" } };

/** The twelve figures of the first page, under the questions that they answer. */
export function OverviewFigures({ page }: PageProps) {
  return (
    <div className={classes.groups}>
      <SellGroup page={page} />
      <MoneyGroup page={page} />
      <EarnedGroup page={page} />
      <NeedsGroup page={page} />
    </div>
  );
}

/** Can we sell: the float, what arrives, and which offers and brands do not. */
function SellGroup({ page }: PageProps) {
  const { t } = useTranslation();
  const { float, success, offers } = useSellLines(page);
  return (
    <FigureGroup question={t("office.overview.question.sell")}>
      <FigureCard
        label={t("office.overview.float.label")}
        {...float}
        place={{ section: "wallet" }}
      />
      <FigureCard label={t("office.overview.success.label")} {...success} place={PURCHASES} />
      <FigureCard
        label={t("office.overview.offers.label")}
        {...offers}
        place={{
          section: "prices",
          ...(page.blockedOffers > 0 && { search: { view: "blocked" } }),
        }}
      />
    </FigureGroup>
  );
}

/** Did we earn: today beside the same weekday until the same time. */
function EarnedGroup({ page }: PageProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = moneyOf(format, page);
  const [now, before] = [page.today.figures, page.weekAgo.figures];
  const { from, until } = page.weekAgo.period;
  const baseOf = (value: string) =>
    t("office.overview.base", { day: format.dayLong(from), time: format.time(until), value });
  const isKnown = Math.min(now.sales, before.sales) >= LEAST_FOR_PERCENT;
  const change = (amount: number, earlier: number) =>
    isKnown
      ? changeWords(
          changePercent({ amount, of: now.sales }, { amount: earlier, of: before.sales }),
          t,
          format,
        )
      : t("office.figures.few");
  return (
    <FigureGroup question={t("office.overview.question.earned")}>
      <FigureCard
        label={t("office.overview.sold")}
        value={money(now.sold)}
        base={[baseOf(money(before.sold)), change(now.sold, before.sold)]}
        place={SOLD_TODAY}
      />
      <FigureCard
        label={t("office.overview.earned")}
        value={money(now.earned)}
        tone={now.earned < 0 ? "bad" : "plain"}
        base={[
          baseOf(money(before.earned)),
          now.marginPct === undefined
            ? t("office.figures.few")
            : t("office.overview.margin", { percent: format.percent(now.marginPct) }),
        ]}
        place={SOLD_TODAY}
      />
      <FigureCard
        label={t("office.overview.sales")}
        value={format.number(now.sales)}
        base={[
          baseOf(format.number(before.sales)),
          ...(now.average === undefined
            ? []
            : [t("office.overview.average", { amount: money(now.average) })]),
        ]}
        place={{ section: "figures", search: { view: "taken", days: "today" } }}
      />
    </FigureGroup>
  );
}

/** Is the money there: in the drawers, in those that were counted, and in the wallet. */
function MoneyGroup({ page }: PageProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = moneyOf(format, page);
  const { drawers, lastDifference, differences } = page;
  const cash = drawers.reduce((sum, { expectedCash }) => sum + expectedCash, 0);
  return (
    <FigureGroup question={t("office.overview.question.money")}>
      <FigureCard
        label={t("office.overview.drawers.label")}
        value={money(cash)}
        base={
          drawers.length > 0
            ? drawers.map(({ name, expectedCash }) =>
                t("common.labelled", { label: name, value: money(expectedCash) }),
              )
            : [t("office.overview.drawers.none")]
        }
        place={SHIFTS}
      />
      <FigureCard
        label={t("office.overview.difference.label")}
        value={lastDifference ? money(lastDifference.difference) : "–"}
        tone={(lastDifference?.difference ?? 0) < 0 ? "bad" : "plain"}
        base={
          lastDifference
            ? [
                varianceWords(lastDifference.difference, t, money),
                t("office.overview.difference.base", {
                  name: lastDifference.name,
                  number: lastDifference.zNumber,
                  time: format.moment(lastDifference.closedAt),
                }),
                ...differences.map(({ name, shifts, difference }) =>
                  t("office.overview.difference.person", {
                    name,
                    shifts,
                    amount: money(difference),
                  }),
                ),
              ]
            : [t("office.overview.difference.none")]
        }
        place={SHIFTS}
      />
      <TieOutCard page={page} />
    </FigureGroup>
  );
}

/** What the wallet spent, led back to the cost of what was sold. */
function TieOutCard({ page: { tieOut } }: PageProps) {
  const { t } = useTranslation();
  const money = moneyOf(useFormat(), tieOut);
  const { costSold, walletSpent, difference } = tieOut;
  return (
    <FigureCard
      label={t("office.overview.tieOut.label")}
      value={
        difference === 0
          ? t("office.overview.tieOut.agrees")
          : t("office.overview.tieOut.apart", { amount: money(difference) })
      }
      tone={difference === 0 ? "good" : "bad"}
      base={[
        t("office.overview.tieOut.base", {
          cost: money(costSold),
          explained: money(walletSpent - difference - costSold),
          spent: money(walletSpent),
        }),
      ]}
      place={MONEY_TODAY}
    />
  );
}

/** What needs me: what has no outcome yet, whose money is owed, and everything else that waits. */
function NeedsGroup({ page }: PageProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = moneyOf(format, page);
  const { sending, refundsDue } = page;
  const waiting = ({ lines, amount, oldest }: typeof refundsDue, none: string) =>
    lines === 0
      ? [none]
      : [
          t("office.overview.sending.money", { amount: money(amount) }),
          ...(oldest ? [t("office.overview.oldest", { time: format.moment(oldest) })] : []),
        ];
  return (
    <FigureGroup question={t("office.overview.question.needs")}>
      <FigureCard
        label={t("office.overview.sending.label")}
        value={format.number(sending.lines)}
        tone={sending.lines > 0 ? "wait" : "plain"}
        base={waiting(sending, t("office.overview.sending.none"))}
        place={SENDING}
      />
      <FigureCard
        label={t("office.overview.refunds.label")}
        value={format.number(refundsDue.lines)}
        tone={refundsDue.lines > 0 ? "bad" : "plain"}
        base={waiting(refundsDue, t("office.overview.refunds.none"))}
        place={OWED_ROWS}
      />
      <NeedsCard />
    </FigureGroup>
  );
}

/** Everything that waits for the person, each with the way to it. */
function NeedsCard() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(alertsQuery());
  const heard = data?.open.filter(({ silenced }) => silenced === undefined) ?? [];
  return (
    <li className={classes.cell}>
      <div className={classes.card}>
        <span className={classes.label}>{t("office.overview.needs.label")}</span>
        <span className={classes.value} data-tone={heard.length > 0 ? "wait" : "plain"}>
          {heard.length > 0 ? format.number(heard.length) : t("office.overview.needs.none")}
        </span>
        {heard.length > 0 ? (
          <ul className={classes.needs}>
            {heard.map((alert) => (
              <li key={alert.alertId}>
                <PlaceLink place={ALERT_PLACES[alert.kind]} className={classes.need}>
                  {alertWords(alert, t, format).title}
                </PlaceLink>
              </li>
            ))}
          </ul>
        ) : (
          <span className={classes.base}>{t("office.overview.needs.well")}</span>
        )}
      </div>
    </li>
  );
}

interface CardWords {
  readonly value: string;
  readonly base: readonly string[];
  readonly tone: "plain" | "bad" | "wait";
}

/** Whether the shop can sell, in figures and words. */
function useSellLines(page: FirstPage): Record<"float" | "success" | "offers", CardWords> {
  const { t } = useTranslation();
  const format = useFormat();
  return {
    float: floatWords(page, t, format),
    success: successWords(page, t, format),
    offers: offersWords(page, t, format),
  };
}

function floatWords({ float }: FirstPage, t: Translate, format: Format): CardWords {
  const { available, held, salesLeft, lastsUntil } = float;
  const money = moneyOf(format, float);
  const isEmpty = available <= 0 || salesLeft === 0;
  return {
    value: money(available),
    base: [
      t("office.overview.float.held", { amount: money(held) }),
      ...(salesLeft === undefined
        ? [t("office.overview.float.unknown")]
        : [t("office.overview.float.left", { number: format.number(salesLeft) })]),
      ...(lastsUntil
        ? [t("office.overview.float.lasts", { time: format.moment(lastsUntil) })]
        : []),
      ...(salesLeft !== undefined && !lastsUntil ? [t("office.overview.float.long")] : []),
    ],
    tone: isEmpty ? "bad" : "plain",
  };
}

function successWords(page: FirstPage, t: Translate, format: Format): CardWords {
  const { success, sending, pausedBrands } = page;
  const { delivered, notDelivered, pct } = success;
  const part = t("office.overview.success.part", {
    delivered: format.number(delivered),
    all: format.number(delivered + notDelivered),
  });
  const paused = pausedBrands.map(({ brand }) => brand);
  const { slowBrands } = sending;
  const troubles = [
    ...(slowBrands.length > 0
      ? [t("office.overview.success.slow", { brands: joinParts(slowBrands, format.locale) })]
      : []),
    ...(paused.length > 0
      ? [t("office.overview.success.paused", { brands: joinParts(paused, format.locale) })]
      : []),
  ];
  return {
    value: pct === undefined ? part : format.percent(pct),
    base: [
      pct === undefined ? t("office.figures.few") : t("office.overview.success.base", { part }),
      ...(troubles.length > 0 ? troubles : [t("office.overview.success.well")]),
    ],
    tone: troubles.length > 0 ? "wait" : "plain",
  };
}

function offersWords({ blockedOffers, rate }: FirstPage, t: Translate, format: Format): CardWords {
  return {
    value: format.number(blockedOffers),
    base: [
      t("office.overview.offers.base"),
      t("office.overview.offers.rate", {
        rate: format.number(Number(rate.rate)),
        age: format.age(rate.setAt),
      }),
    ],
    tone: blockedOffers > 0 ? "wait" : "plain",
  };
}
