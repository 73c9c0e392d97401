import { Button, Select, TextInput } from "@mantine/core";
import { IconCalendarTime, IconDownload } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type FigureLine, NO_CLERK, UNKNOWN_KEY } from "../../../../server/contract/pos/figures.ts";
import type { Role } from "../../../../server/contract/pos/rights.ts";
import type { DayClock } from "../../../../server/contract/pos/shop-day.ts";
import type { Column } from "../../../components/data-table.tsx";
import { Notice } from "../../../components/notice.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { useNow } from "../../../lib/gateway-clock.ts";
import type { MoneyUnit } from "../../../lib/money.ts";
import type { OfficeSearch, OfficeSectionProps } from "../../../lib/office-section.ts";
import { tenderName } from "../../../lib/tender-name.ts";
import { useFormat } from "../../../lib/use-format.ts";
import {
  linesFile,
  linesQuery,
  movementsFile,
  movementsQuery,
  partsQuery,
} from "../api/figure-queries.ts";
import { DAY_PRESETS, type ShopDays } from "../figure-days.ts";
import { moneyOf } from "../figure-format.ts";
import {
  FIGURE_VIEWS,
  type FigureChoice,
  type FigurePart,
  GROUPINGS,
  type Grouping,
  readChoice,
  searchOfDays,
} from "../figure-search.ts";
import { AwaitedFigures } from "./awaited-figures.tsx";
import { FigureSums } from "./figure-sums.tsx";
import classes from "./figures-screen.module.css";
import { MoneyWalk } from "./money-walk.tsx";
import { PlaceLink, WaysContext } from "./place-link.tsx";
import { OwedRows, RowList, SaleLink } from "./row-list.tsx";
import { usePartName } from "./use-part-name.ts";

const SUMS = ["sold", "tax", "cost", "earned"] as const;

const SHOWN_VIEWS = FIGURE_VIEWS.filter((view) => view !== "sold");

const PRESETS = [...DAY_PRESETS, "range"] as const;

interface FiguresScreenProps extends Pick<OfficeSectionProps, "search" | "onSearch" | "onOpen"> {
  readonly day: DayClock;
  readonly role: Role;
  readonly hasTill: boolean;
  readonly unit: MoneyUnit;
}

const MINUTE_MS = 60_000;

/** Every choice is stored in the address. */
export function FiguresScreen(props: FiguresScreenProps) {
  const { day, unit, role, hasTill, search, onSearch, onOpen } = props;
  const { t } = useTranslation();
  const choice = readChoice(search, useNow(MINUTE_MS), day);
  return (
    <WaysContext value={{ open: onOpen, hasTill }}>
      <OfficeScreen
        title={t("office.frame.section.reports")}
        actions={<Actions role={role} onView={(view) => onSearch({ view })} />}
      >
        <div className="row wrap justify-between gap-2-4">
          <Views search={search} view={choice.view} />
          {choice.view === "owed" ? null : (
            <FigureRange
              choice={choice}
              search={search}
              onDays={(changed) => onSearch({ ...withoutDays(search), ...changed })}
              onGrouping={(by) => onSearch({ ...search, by: by.toLowerCase() })}
            />
          )}
        </div>
        <View
          choice={choice}
          unit={unit}
          day={day}
          isOwner={role === "owner"}
          search={search}
          onSearch={onSearch}
        />
      </OfficeScreen>
    </WaysContext>
  );
}

interface ActionsProps {
  readonly role: Role;
  readonly onView: (view: string) => void;
}

function Actions({ role, onView }: ActionsProps) {
  const { t } = useTranslation();
  return (
    <>
      {role === "accountant" ? (
        <Button variant="default" onClick={() => onView("trail")}>
          {t("office.reports.view.trail")}
        </Button>
      ) : null}
      {role === "owner" ? (
        <Button
          variant="default"
          leftSection={<IconCalendarTime size="1.125rem" aria-hidden="true" />}
          onClick={() => onView("schedules")}
        >
          {t("office.reports.schedule")}
        </Button>
      ) : null}
      <Button
        leftSection={<IconDownload size="1.125rem" aria-hidden="true" />}
        onClick={() => onView("files")}
      >
        {t("office.reports.export")}
      </Button>
    </>
  );
}

interface ViewsProps {
  readonly search: OfficeSearch;
  readonly view: FigureChoice["view"];
}

/** The view `sold` is part of the tab `sums`. */
function Views({ search, view }: ViewsProps) {
  const { t } = useTranslation();
  return (
    <nav className={classes.views} aria-label={t("office.figures.view.label")}>
      {SHOWN_VIEWS.map((one) => (
        <PlaceLink
          key={one}
          place={{ section: "reports", search: { ...withoutPart(search), view: one } }}
          className={classes.view}
          isCurrent={one === (view === "sold" ? "sums" : view)}
        >
          {t(`office.figures.view.${one}`)}
        </PlaceLink>
      ))}
    </nav>
  );
}

interface ViewProps extends Pick<FiguresScreenProps, "unit" | "day" | "search" | "onSearch"> {
  readonly choice: FigureChoice;
  readonly isOwner: boolean;
}

function View({ choice, unit, day, isOwner, search, onSearch }: ViewProps) {
  const { t } = useTranslation();
  const { view, days, part, by } = choice;
  if (view === "owed") return <OwedRows unit={unit} />;
  if (!days) return <Notice tone="wait">{t("office.figures.range.invalid")}</Notice>;
  switch (view) {
    case "sums":
      return <FigureSums days={days} by={by} day={day} figure="sold" namesTills={isOwner} />;
    case "profit":
      return <FigureSums days={days} by={by} day={day} figure="earned" namesTills={isOwner} />;
    case "money":
      return <MoneyWalk days={days} />;
    case "taken":
      return <MovementRows days={days} unit={unit} />;
    case "sold":
      return (
        <LineRows days={days} part={part} unit={unit} onAll={() => onSearch(withoutPart(search))} />
      );
  }
}

function withoutDays({ days: _days, from: _from, to: _to, ...search }: OfficeSearch): OfficeSearch {
  return search;
}

function withoutPart({ of: _of, value: _value, ...search }: OfficeSearch): OfficeSearch {
  return search;
}

interface FigureRangeProps {
  readonly choice: FigureChoice;
  readonly search: OfficeSearch;
  readonly onDays: (search: OfficeSearch) => void;
  readonly onGrouping: (by: Grouping) => void;
}

function FigureRange({ choice, search, onDays, onGrouping }: FigureRangeProps) {
  const { t } = useTranslation();
  const { preset, view, by } = choice;
  const groupings = useGroupings(choice);
  return (
    <div className={classes.range}>
      <DayPresets choice={choice} search={search} onDays={onDays} />
      {preset === "range" ? <DayFields choice={choice} search={search} onDays={onDays} /> : null}
      {view === "sums" || view === "profit" ? (
        <Select
          aria-label={t("office.figures.by.label")}
          data={groupings.map((value) => ({
            value,
            label: t(`office.figures.grouped.${value}`),
          }))}
          value={by}
          onChange={(value) => onGrouping(GROUPINGS.find((one) => one === value) ?? "DAY")}
        />
      ) : null}
    </div>
  );
}

/**
 * Channels and keys are offered only if the period has sales through `/v1`, and providers only if it
 * has sales of several.
 */
function useGroupings({ days, by }: FigureChoice): readonly Grouping[] {
  const asked = { days: days ?? { firstDay: "", lastDay: "" }, enabled: days !== undefined };
  const channels = useQuery({ ...partsQuery(asked.days, "CHANNEL"), enabled: asked.enabled });
  const providers = useQuery({ ...partsQuery(asked.days, "PROVIDER"), enabled: asked.enabled });
  const hasApi = channels.data?.list.some(({ value }) => value === "API") ?? false;
  const hasProviders = (providers.data?.list.length ?? 0) > 1;
  return GROUPINGS.filter((one) => {
    if (one === by) return true;
    if (one === "PROVIDER") return hasProviders;
    return hasApi || (one !== "CHANNEL" && one !== "KEY");
  });
}

type DaysProps = Pick<FigureRangeProps, "choice" | "search" | "onDays">;

function DayPresets({ choice, onDays }: DaysProps) {
  const { t } = useTranslation();
  return (
    <Select
      aria-label={t("office.figures.range.label")}
      data={PRESETS.map((value) => ({ value, label: t(`office.figures.preset.${value}`) }))}
      value={choice.preset}
      onChange={(value) =>
        // A free range starts with the days of the preset.
        onDays(value === "range" && choice.days ? searchOfDays(choice.days) : { days: value ?? "" })
      }
    />
  );
}

function DayFields({ search, onDays }: DaysProps) {
  const { t } = useTranslation();
  const { from = "", to = "" } = search;
  return (
    <>
      <TextInput
        type="date"
        aria-label={t("office.figures.range.first")}
        value={from}
        onChange={({ currentTarget }) => onDays({ days: "range", from: currentTarget.value, to })}
      />
      <TextInput
        type="date"
        aria-label={t("office.figures.range.last")}
        value={to}
        onChange={({ currentTarget }) => onDays({ days: "range", from, to: currentTarget.value })}
      />
    </>
  );
}

interface LineRowsProps {
  readonly days: ShopDays;
  readonly part: FigurePart | undefined;
  readonly unit: MoneyUnit;
  readonly onAll: () => void;
}

/** Refunded lines have negative amounts. */
function LineRows({ days, part, unit, onAll }: LineRowsProps) {
  const { t } = useTranslation();
  const lines = useInfiniteQuery(linesQuery(days, part));
  const money = moneyOf(useFormat(), unit);
  const columns = useLineColumns(money);
  const partWords = usePartWords(part);
  return (
    <>
      {part ? (
        <div className="row wrap justify-between gap-2-4">
          <p className="strong">
            {t("office.figures.only", {
              value: partWords(lines.data?.pages[0]?.list[0]) ?? part.value,
            })}
          </p>
          <Button variant="default" onClick={onAll}>
            {t("office.figures.all")}
          </Button>
        </div>
      ) : null}
      <AwaitedFigures query={lines}>
        {({ pages }) => {
          const rows = pages.flatMap(({ list }) => list);
          return (
            <RowList
              label={t("office.figures.rows.label")}
              columns={columns}
              rows={rows}
              keyOf={({ kind, transactionId }) => `${kind} ${transactionId}`}
              sums={SUMS.map((figure) => ({
                label: t(`office.figures.of.${figure}`),
                value: money(rows.reduce((sum, row) => sum + row[figure], 0)),
              }))}
              none={t("office.figures.rows.none")}
              file={linesFile(days, part)}
              pages={lines}
            />
          );
        }}
      </AwaitedFigures>
    </>
  );
}

function usePartWords(part: FigurePart | undefined) {
  const nameOf = usePartName();
  return (line: FigureLine | undefined) => {
    if (part?.by === "BRAND") return line?.brandName;
    if (part?.by === "CLERK" && part.value !== NO_CLERK) return line?.clerk;
    if (part?.by === "KEY" && part.value !== UNKNOWN_KEY) return line?.apiKey?.name;
    if (part?.by === "PROVIDER") return line?.provider;
    if (part?.by === "TILL") return line && nameOf("TILL", line.till);
    return part && nameOf(part.by, part.value);
  };
}

function useLineColumns(money: (minor: number) => string): Column<FigureLine>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = usePartName();
  return [
    {
      key: "sale",
      head: t("office.figures.rows.sale"),
      cell: ({ saleId, saleNumber }) => <SaleLink saleId={saleId} saleNumber={saleNumber} />,
    },
    {
      key: "at",
      head: t("office.figures.rows.at"),
      cell: ({ at }) => <span className="nowrap">{format.moment(at)}</span>,
    },
    {
      key: "what",
      head: t("office.figures.rows.what"),
      cell: ({ family, brandName, country, kind }) =>
        `${brandName} · ${t(`family.${family}.one`)} · ${format.country(country)}${
          kind === "NOT_DELIVERED" ? ` (${t("office.figures.rows.notDelivered")})` : ""
        }`,
    },
    {
      key: "clerk",
      head: t("office.figures.rows.clerk"),
      cell: ({ clerk, apiKey }) => clerk || apiKey?.name || "–",
    },
    {
      key: "till",
      head: t("office.figures.rows.till"),
      cell: ({ till }) => nameOf("TILL", till),
    },
    ...SUMS.map((figure) => ({
      key: figure,
      head: t(`office.figures.of.${figure}`),
      cell: (line: FigureLine) => money(line[figure]),
      isNumber: true,
    })),
  ];
}

interface MovementRowsProps {
  readonly days: ShopDays;
  readonly unit: MoneyUnit;
}

function MovementRows({ days, unit }: MovementRowsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const movements = useInfiniteQuery(movementsQuery(days));
  const money = moneyOf(format, unit);
  return (
    <AwaitedFigures query={movements}>
      {({ pages }) => {
        const rows = pages.flatMap(({ list }) => list);
        return (
          <RowList
            label={t("office.figures.view.taken")}
            rows={rows}
            keyOf={({ at, kind, saleId, tender, tenderId, amount }) =>
              [at, kind, saleId, tender, tenderId, amount].join(" ")
            }
            sums={[
              {
                label: t("office.figures.of.taken"),
                value: money(rows.reduce((sum, { amount }) => sum + amount, 0)),
              },
            ]}
            none={t("office.figures.rows.none")}
            file={movementsFile(days)}
            pages={movements}
            columns={[
              {
                key: "sale",
                head: t("office.figures.rows.sale"),
                cell: (row) => <SaleLink {...row} />,
              },
              {
                key: "at",
                head: t("office.figures.rows.at"),
                cell: ({ at }) => <span className="nowrap">{format.moment(at)}</span>,
              },
              {
                key: "tender",
                head: t("office.figures.rows.tender"),
                cell: ({ tender, name, kind }) =>
                  tenderName({ kind: tender, name }, t) +
                  (kind === "HANDED_BACK" ? ` (${t("office.figures.rows.handedBack")})` : ""),
              },
              { key: "clerk", head: t("office.figures.rows.clerk"), cell: ({ clerk }) => clerk },
              {
                key: "reference",
                head: t("office.figures.rows.reference"),
                cell: ({ reference }) => reference || "–",
              },
              {
                key: "amount",
                head: t("office.figures.rows.amount"),
                cell: ({ amount }) => money(amount),
                isNumber: true,
              },
            ]}
          />
        );
      }}
    </AwaitedFigures>
  );
}
