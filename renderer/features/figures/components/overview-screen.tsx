import { SegmentedControl, Skeleton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { brandFaceOperations } from "../../../../server/contract/pos/brand-faces.ts";
import type { FigureSeries, FirstPage } from "../../../../server/contract/pos/figures.ts";
import { type DayClock, offsetOf } from "../../../../server/contract/pos/shop-day.ts";
import { BrandFace } from "../../../components/brand-face.tsx";
import { DataTable } from "../../../components/data-table.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { useNow } from "../../../lib/gateway-clock.ts";
import type { Translate } from "../../../lib/i18n.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { operationQuery } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { walletOverviewQuery } from "../../../lib/wallet-overview-query.ts";
import {
  chartsQuery,
  firstPageQuery,
  linesFile,
  partsQuery,
  periodsQuery,
} from "../api/figure-queries.ts";
import { type DayPreset, daysOfPreset, type ShopDays } from "../figure-days.ts";
import { hourWords, moneyOf, shortAmount } from "../figure-format.ts";
import { searchOfDays, searchOfPart } from "../figure-search.ts";
import { AwaitedFigures } from "./awaited-figures.tsx";
import { BarChart } from "./bar-chart.tsx";
import { NeedsAttention } from "./needs-attention.tsx";
import classes from "./overview-screen.module.css";
import { PeriodChart } from "./period-chart.tsx";
import { PlaceLink, WaysContext } from "./place-link.tsx";
import { FigureRow } from "./row-list.tsx";

/** Returns the hour from 0 to 23 in the shop's time zone. */
function clockHour(timestamp: string, timeZone: string): number {
  const at = Date.parse(timestamp);
  return new Date(at + offsetOf(at, timeZone)).getUTCHours();
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const TOP_PRODUCTS = 4;
/** The wallet's bar is full at this multiple of the low-balance limit. */
const FULL_WALLET = 4;

const PERIODS = ["today", "this-week", "this-month"] as const satisfies readonly DayPreset[];
type Period = (typeof PERIODS)[number];

interface OverviewScreenProps extends Pick<OfficeSectionProps, "search" | "onSearch" | "onOpen"> {
  readonly day: DayClock;
  readonly hasTill: boolean;
  readonly seesFigures: boolean;
  readonly isOwner: boolean;
}

export function OverviewScreen(props: OverviewScreenProps) {
  const { day, hasTill, seesFigures, isOwner, search, onSearch, onOpen } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow(MINUTE_MS);
  const period = PERIODS.find((one) => one === search.days) ?? "today";
  return (
    <WaysContext value={{ open: onOpen, hasTill }}>
      <OfficeScreen
        title={t("office.frame.section.overview")}
        lead={`${format.dayLong(now)} · ${format.time(now)}`}
        actions={
          seesFigures ? (
            <SegmentedControl<Period>
              aria-label={t("office.overview.period.label")}
              data={PERIODS.map((value) => ({
                value,
                label: t(`office.overview.period.${value}`),
              }))}
              value={period}
              onChange={(chosen) => onSearch(chosen === "today" ? {} : { days: chosen })}
            />
          ) : null
        }
      >
        {seesFigures ? (
          <Figures period={period} days={daysOfPreset(period, now, day)} isOwner={isOwner} />
        ) : (
          <NeedsAttention isOwner={isOwner} />
        )}
      </OfficeScreen>
    </WaysContext>
  );
}

interface FiguresProps {
  readonly period: Period;
  readonly days: ShopDays;
  readonly isOwner: boolean;
}

function Figures({ period, days, isOwner }: FiguresProps) {
  const page = useQuery(firstPageQuery());
  const series = useQuery(periodsQuery(days, "DAY"));
  return (
    <>
      <AwaitedFigures query={page} height="7rem">
        {(data) => <TopRow page={data} series={series.data} period={period} days={days} />}
      </AwaitedFigures>
      <div className={classes.columns}>
        {period === "today" ? (
          <HoursChart days={days} />
        ) : (
          <AwaitedFigures query={series} height="20rem">
            {(data) => <PeriodChart series={data} figure="sold" kind="DAY" />}
          </AwaitedFigures>
        )}
        <NeedsAttention
          isOwner={isOwner}
          pending={page.data?.sending}
          unit={page.data}
          isKnown={page.data !== undefined}
        />
        <TopProducts days={days} />
        <AwaitedFigures query={page} height="12rem">
          {(data) => <WalletCard page={data} isOwner={isOwner} />}
        </AwaitedFigures>
      </div>
    </>
  );
}

interface TopRowProps {
  readonly page: FirstPage;
  readonly series: FigureSeries | undefined;
  readonly period: Period;
  readonly days: ShopDays;
}

/**
 * Compares today until now with the same hours a week ago, and a week or month with the previous
 * week or month.
 */
function TopRow({ page, series, period, days }: TopRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = moneyOf(format, page);
  const isToday = period === "today";
  const now = isToday ? page.today.figures : series?.figures;
  const before = isToday ? page.weekAgo.figures : series?.before.figures;
  if (!now || !before) return <Skeleton height="7rem" radius="lg" />;
  const than = isToday
    ? t("office.overview.lastWeekday", {
        day: weekdayOf(page.weekAgo.period.firstDay, format.locale),
      })
    : t(`office.overview.before.${period}`);
  const versus = (value: string) =>
    before.sales === 0 ? "" : t("office.overview.versus", { value, than });
  const cash = page.drawers.reduce((sum, { expectedCash }) => sum + expectedCash, 0);
  const compared = (figure: "sold" | "earned" | "sales") =>
    [
      { amount: now[figure], of: now.sales },
      { amount: before[figure], of: before.sales },
    ] as const;
  const rows = (view: string) =>
    ({
      section: "reports",
      search: { view, ...(isToday ? { days: "today" } : searchOfDays(days)) },
    }) as const;
  return (
    <FigureRow
      label={t("office.overview.figures")}
      figures={[
        {
          label: t(`office.overview.sold.${period}`),
          value: money(now.sold),
          change: compared("sold"),
          base: (isToday && apiWords(page, t, money)) || versus(money(before.sold)),
          place: rows("sold"),
        },
        {
          label: t(`office.overview.profit.${period}`),
          value: money(now.earned),
          change: compared("earned"),
          base:
            now.marginPct === undefined
              ? versus(money(before.earned))
              : t("office.overview.margin", { percent: format.percent(now.marginPct) }),
          place: rows("sold"),
        },
        {
          label: t(`office.overview.sales.${period}`),
          value: format.number(now.sales),
          change: compared("sales"),
          base:
            now.average === undefined
              ? versus(format.number(before.sales))
              : t("office.overview.average", { amount: money(now.average) }),
          place: rows("taken"),
        },
        {
          label: t("office.overview.cash.label"),
          value: money(cash),
          base:
            page.drawers.length === 0
              ? t("office.overview.cash.none")
              : t("office.overview.cash.drawers", { count: page.drawers.length }),
          place: { screen: "shift", instead: rows("money") },
        },
      ]}
    />
  );
}

/** Returns the part of today's sales that programs bought; undefined without any. */
function apiWords(
  { today: { api } }: FirstPage,
  t: Translate,
  money: (minor: number) => string,
): string | undefined {
  return api && t("office.overview.ofApi", { amount: money(api.sold) });
}

function weekdayOf(day: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" }).format(
    Date.parse(`${day}T12:00:00Z`),
  );
}

/**
 * Returns the hours from the first to the last sale, or usual opening hours if there are no sales.
 */
function openHours<Hour extends { hour: number; sold: number; usual: number }>(
  hours: readonly Hour[],
): readonly Hour[] {
  const busy = hours.filter(({ sold, usual }) => sold !== 0 || usual !== 0);
  const [first, last] = [busy[0]?.hour ?? 8, busy.at(-1)?.hour ?? 20];
  return hours.filter(({ hour }) => hour >= Math.min(first, 20) && hour <= Math.max(last, 8));
}

function HoursChart({ days }: { readonly days: ShopDays }) {
  const { t } = useTranslation();
  const format = useFormat();
  const charts = useQuery(chartsQuery());
  return (
    <AwaitedFigures query={charts} height="20rem">
      {(data) => {
        const money = moneyOf(format, data);
        const hourNow = clockHour(data.madeAt, data.timeZone);
        const names = {
          value: t("office.overview.period.today"),
          usual: t("office.overview.usual", { day: weekdayOf(days.firstDay, format.locale) }),
        };
        const title = t("office.overview.hours");
        return (
          <BarChart
            title={title}
            unit={data.currency}
            names={names}
            bars={openHours(data.hours).map(({ hour, sold, usual }) => ({
              key: String(hour),
              label: hourWords(hour, format),
              value: sold,
              usual,
              isUnfinished: hour === hourNow,
            }))}
            short={shortAmount(format, data)}
            full={money}
            file={linesFile(days)}
            table={
              <DataTable
                label={title}
                rows={data.hours}
                keyOf={({ hour }) => String(hour)}
                columns={[
                  {
                    key: "hour",
                    head: t("office.figures.by.HOUR"),
                    cell: ({ hour }) =>
                      hour === hourNow
                        ? `${hourWords(hour, format)} (${t("office.figures.soFar")})`
                        : hourWords(hour, format),
                  },
                  {
                    key: "sold",
                    head: names.value,
                    cell: ({ sold }) => money(sold),
                    isNumber: true,
                  },
                  {
                    key: "usual",
                    head: names.usual,
                    cell: ({ usual }) => money(usual),
                    isNumber: true,
                  },
                ]}
              />
            }
          />
        );
      }}
    </AwaitedFigures>
  );
}

function TopProducts({ days }: { readonly days: ShopDays }) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = useQuery(partsQuery(days, "BRAND"));
  const { data: faces } = useQuery(operationQuery(brandFaceOperations.list));
  const colorOf = (brand: string) => faces?.list.find((one) => one.brand === brand)?.brandColor;
  const title = t("office.overview.top");
  return (
    <AwaitedFigures query={parts}>
      {(data) => {
        const money = moneyOf(format, data);
        const list = data.list.filter(({ figures }) => figures.earned > 0).slice(0, TOP_PRODUCTS);
        return list.length === 0 ? (
          <section className={classes.card}>
            <h2 className="size-body tracking-0">{title}</h2>
            <p className="faint size-caption">{t("office.overview.topNone")}</p>
          </section>
        ) : (
          <DataTable
            label={title}
            rows={list}
            keyOf={({ value }) => value}
            columns={[
              {
                key: "brand",
                head: title,
                cell: ({ value, name }) => (
                  <PlaceLink
                    className="gap-3"
                    place={{
                      section: "reports",
                      search: {
                        view: "sold",
                        ...searchOfDays(days),
                        ...searchOfPart({ by: "BRAND", value }),
                      },
                    }}
                  >
                    <BrandFace brand={value} name={name || value} color={colorOf(value) ?? ""} />
                    {name || value}
                  </PlaceLink>
                ),
              },
              {
                key: "sold",
                head: t("office.figures.of.sold"),
                cell: ({ figures }) => money(figures.sold),
                isNumber: true,
              },
              {
                key: "earned",
                head: t("office.figures.of.earned"),
                cell: ({ figures }) => <strong>{money(figures.earned)}</strong>,
                isNumber: true,
              },
            ]}
          />
        );
      }}
    </AwaitedFigures>
  );
}

interface WalletCardProps {
  readonly page: FirstPage;
  readonly isOwner: boolean;
}

function WalletCard({ page: { float, madeAt }, isOwner }: WalletCardProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: overview } = useQuery(walletOverviewQuery());
  const { available, held, salesLeft, lastsUntil } = float;
  const money = moneyOf(format, float);
  const low = overview?.alert.lowAmount;
  const full = Math.max(1, available, (low ?? 0) * FULL_WALLET);
  const daysLeft = lastsUntil
    ? Math.max(0, Math.floor((Date.parse(lastsUntil) - Date.parse(madeAt)) / DAY_MS))
    : undefined;
  const lasts = () => {
    if (available <= 0) return t("office.overview.wallet.empty");
    if (salesLeft === undefined) return t("office.overview.wallet.unknown");
    if (daysLeft === undefined) return t("office.overview.wallet.long");
    return t("office.overview.wallet.days", { count: daysLeft });
  };
  return (
    <section className={classes.card} aria-labelledby="overview-wallet">
      <div className="row wrap justify-between gap-1-3">
        <h2 id="overview-wallet" className="size-body tracking-0">
          {t("office.frame.section.wallet")}
        </h2>
        {isOwner ? (
          <PlaceLink place={{ section: "wallet" }} className={classes.funds}>
            <IconPlus size="1.125rem" aria-hidden="true" />
            {t("office.overview.wallet.add")}
          </PlaceLink>
        ) : null}
      </div>
      <p className={classes.balance}>
        <PlaceLink place={{ section: "wallet", search: { view: "statement" } }}>
          <bdi>{money(available)}</bdi>
        </PlaceLink>
        {held > 0 ? (
          <small className="faint size-caption regular tracking-0">
            {t("office.overview.wallet.held", { amount: money(held) })}
          </small>
        ) : null}
      </p>
      <span
        className={classes.level}
        data-low={(overview?.low.length ?? 0) > 0}
        data-alert={low !== undefined}
        style={
          {
            "--part": `${(100 * Math.max(0, available)) / full}%`,
            "--alert": `${(100 * (low ?? 0)) / full}%`,
          } as CSSProperties
        }
        aria-hidden="true"
      />
      <div className="row wrap justify-between gap-1-3">
        <strong className="medium">{lasts()}</strong>
        {low === undefined ? null : (
          <small className="faint size-caption">
            {t("office.overview.wallet.alert", { amount: money(low) })}
          </small>
        )}
      </div>
    </section>
  );
}
