import { IconTrendingDown, IconTrendingUp } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { FitText } from "../../../components/fit-text.tsx";
import { MoreButton, type PagesOfList } from "../../../components/loading.tsx";
import type { MoneyUnit } from "../../../lib/money.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { owedQuery } from "../api/figure-queries.ts";
import { changeWords, moneyOf } from "../figure-format.ts";
import { AwaitedFigures } from "./awaited-figures.tsx";
import { FileLink } from "./bar-chart.tsx";
import classes from "./figure-row.module.css";
import { type FigurePlace, PlaceLink } from "./place-link.tsx";

const LEAST_FOR_PERCENT = 10;

/** `of` is the number of sales or lines that the figure is based on. */
interface Compared {
  readonly amount: number;
  readonly of: number;
}

/**
 * Returns the change in whole percent. Undefined below ten sales in either period, or if the
 * earlier figure is not positive.
 */
export function changePercent(now: Compared, before: Compared): number | undefined {
  if (now.of < LEAST_FOR_PERCENT || before.of < LEAST_FOR_PERCENT || before.amount <= 0) {
    return undefined;
  }
  return Math.round(((now.amount - before.amount) * 100) / before.amount);
}

interface RowFigure {
  readonly label: string;
  readonly value: string;
  /** A change in percent is shown only from ten sales. */
  readonly change?: readonly [now: Compared, before: Compared];
  /** Text of the comparison with another period, or of the figure's parts. */
  readonly base: string;
  readonly place: FigurePlace;
}

interface FigureRowProps {
  readonly label: string;
  readonly figures: readonly RowFigure[];
}

export function FigureRow({ label, figures }: FigureRowProps) {
  return (
    <ul className={classes.row} aria-label={label}>
      {figures.map((figure) => (
        <li key={figure.label} className={classes.cell}>
          <PlaceLink place={figure.place} className={classes.figure}>
            <span className="soft">{figure.label}</span>
            <span className="strong tracking-tight leading-130 size-figure">
              <FitText>{figure.value}</FitText>
            </span>
            <span className={classes.base}>
              {figure.change ? <Change change={figure.change} /> : null}
              <span>{figure.base}</span>
            </span>
          </PlaceLink>
        </li>
      ))}
    </ul>
  );
}

function Change({ change: [now, before] }: { readonly change: NonNullable<RowFigure["change"]> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const percent = changePercent(now, before);
  if (percent === undefined) return null;
  const Icon = percent < 0 ? IconTrendingDown : IconTrendingUp;
  return (
    <span className={classes.change} data-falls={percent < 0}>
      {percent === 0 ? null : <Icon size="1rem" aria-hidden="true" />}
      <bdi>{changeWords(percent, t, format)}</bdi>
    </span>
  );
}

interface RowListProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly sums: readonly { readonly label: string; readonly value: string }[];
  /** Number and sum of all rows. Shown while some rows are not loaded. */
  readonly all?: string;
  readonly none: string;
  readonly file?: string;
  readonly pages: PagesOfList;
}

export function RowList<Row>(props: RowListProps<Row>) {
  const { label, columns, rows, keyOf, sums, all, none, file, pages } = props;
  const { t } = useTranslation();
  const format = useFormat();
  if (rows.length === 0) return <p className="soft">{none}</p>;
  return (
    <div className="stack gap-3">
      <div className="row wrap justify-between gap-2-4">
        {all === undefined ? null : <p className="strong">{all}</p>}
        <p className="strong" role="status">
          {t("office.figures.rows.sum", { number: format.number(rows.length) })}
          {sums.map((sum) => (
            <span key={sum.label}> · {t("common.labelled", sum)}</span>
          ))}
        </p>
        {file ? <FileLink address={file} /> : null}
      </div>
      <DataTable label={label} columns={columns} rows={rows} keyOf={keyOf} />
      <MoreButton pages={pages}>{t("office.figures.rows.more")}</MoreButton>
    </div>
  );
}

interface SaleLinkProps {
  /** Absent for a purchase through `/v1`. */
  readonly saleId: string | undefined;
  readonly saleNumber: number | undefined;
}

export function SaleLink({ saleId, saleNumber }: SaleLinkProps) {
  if (saleId === undefined || saleNumber === undefined) return "–";
  return (
    <PlaceLink place={{ screen: "today", search: { sale: saleId }, instead: undefined }}>
      <bdi dir="ltr">{String(saleNumber).padStart(6, "0")}</bdi>
    </PlaceLink>
  );
}

export function OwedRows({ unit }: { readonly unit: MoneyUnit }) {
  const { t } = useTranslation();
  const format = useFormat();
  const owed = useInfiniteQuery(owedQuery());
  const money = moneyOf(format, unit);
  return (
    <AwaitedFigures query={owed}>
      {({ pages }) => {
        const rows = pages.flatMap(({ list }) => list);
        return (
          <RowList
            label={t("office.figures.view.owed")}
            rows={rows}
            keyOf={({ transactionId }) => transactionId}
            all={t("office.figures.rows.all", {
              number: format.number(pages[0]?.lines ?? 0),
              amount: money(pages[0]?.amount ?? 0),
            })}
            sums={[
              {
                label: t("office.figures.rows.amount"),
                value: money(rows.reduce((sum, { amount }) => sum + amount, 0)),
              },
            ]}
            none={t("office.figures.rows.nothingOwed")}
            pages={owed}
            columns={[
              {
                key: "sale",
                head: t("office.figures.rows.sale"),
                cell: (row) => <SaleLink {...row} />,
              },
              {
                key: "at",
                head: t("office.figures.rows.at"),
                cell: ({ failedAt }) => format.moment(failedAt),
              },
              { key: "clerk", head: t("office.figures.rows.clerk"), cell: ({ clerk }) => clerk },
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
