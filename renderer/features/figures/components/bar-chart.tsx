import { IconDownload, IconTable } from "@tabler/icons-react";
import { type CSSProperties, type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { FigureHours } from "../../../../server/contract/pos/figures.ts";
import type { MoneyUnit } from "../../../lib/money.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { hourWords, moneyOf, shortAmount, weekdayWords } from "../figure-format.ts";
import classes from "./bar-chart.module.css";

/** Amounts are in minor units. */
export interface Bar {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** Usual value, drawn as a short line across the bar. */
  readonly usual?: number;
  /** True if the period has not ended. Its bar is hatched. */
  readonly isUnfinished?: boolean;
}

interface BarChartProps {
  readonly title: string;
  /** Currency and time zone. */
  readonly unit: string;
  readonly bars: readonly Bar[];
  /** Legend of the bars (`value`) and of the lines across them (`usual`). */
  readonly names: { readonly value: string; readonly usual?: string };
  /** `short` formats an amount on the axis, `full` an amount in a tooltip. */
  readonly short: (minor: number) => string;
  readonly full: (minor: number) => string;
  readonly table: ReactNode;
  readonly file?: string;
}

const MAX_LABELS = 8;

export function BarChart(props: BarChartProps) {
  const { title, unit, bars, names, table, file } = props;
  const { t } = useTranslation();
  const id = useId();
  const hasUnfinished = bars.some(({ isUnfinished }) => isUnfinished);
  return (
    <figure className={classes.panel} aria-labelledby={id}>
      <figcaption className="flex wrap justify-between items-baseline gap-1-4">
        <h2 id={id} className="size-body tracking-0">
          {title} <small className="faint size-caption regular">· {unit}</small>
        </h2>
        <ul className={classes.legend}>
          <li className="flex items-center" data-sign="bar">
            {names.value}
          </li>
          {hasUnfinished ? (
            <li className="flex items-center" data-sign="hatched">
              {t("office.figures.hatched")}
            </li>
          ) : null}
          {names.usual ? (
            <li className="flex items-center" data-sign="usual">
              {names.usual}
            </li>
          ) : null}
        </ul>
      </figcaption>
      <Plot {...props} />
      <div className={classes.foot}>
        <details className={classes.details}>
          <summary className={classes.action}>
            <IconTable size="1.125rem" aria-hidden="true" />
            {t("office.figures.table")}
          </summary>
          {table}
        </details>
        {file ? <FileLink address={file} /> : null}
      </div>
    </figure>
  );
}

type PlotProps = Pick<BarChartProps, "bars" | "names" | "short" | "full">;

/** Hidden from screen readers, which read the table. */
function Plot({ bars, names, short, full }: PlotProps) {
  const { low, high, ticks } = scaleOf(bars.flatMap(({ value, usual = 0 }) => [value, usual]));
  const part = (amount: number) => (100 * (amount - low)) / (high - low);
  const step = Math.ceil(bars.length / MAX_LABELS);
  return (
    <div className={classes.chart} aria-hidden="true">
      <div className={classes.plot}>
        {ticks.map((tick) => (
          <span key={tick} className={classes.tick} style={{ insetBlockEnd: `${part(tick)}%` }}>
            <span className="faint nowrap">
              <bdi>{short(tick)}</bdi>
            </span>
          </span>
        ))}
        <div className={classes.bars}>
          {bars.map(({ key, label, value, usual, isUnfinished = false }) => (
            <span key={key} className={classes.column}>
              <span
                className={classes.bar}
                data-unfinished={isUnfinished}
                style={barStyle(part(Math.min(0, value)), part(Math.max(0, value)))}
              />
              {usual ? (
                <span className={classes.usual} style={{ insetBlockEnd: `${part(usual)}%` }} />
              ) : null}
              <span className={classes.tip}>
                <strong>{label}</strong>
                <span>
                  {names.value} <bdi>{full(value)}</bdi>
                </span>
                {names.usual ? (
                  <span>
                    {names.usual} <bdi>{full(usual ?? 0)}</bdi>
                  </span>
                ) : null}
              </span>
            </span>
          ))}
        </div>
      </div>
      <div className={classes.labels}>
        {bars.map(({ key, label }, index) => (
          <span key={key}>
            {index % step === 0 ? (
              <span className="nowrap" data-between={(index / step) % 2 === 1}>
                <bdi>{label}</bdi>
              </span>
            ) : null}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Link to download a file. The audit trail records each download. */
export function FileLink({ address }: { readonly address: string }) {
  const { t } = useTranslation();
  return (
    <a href={address} download className={classes.action} title={t("office.figures.csvHint")}>
      <IconDownload size="1.125rem" aria-hidden="true" />
      {t("office.figures.csv")}
    </a>
  );
}

function barStyle(from: number, to: number): CSSProperties {
  return { insetBlockEnd: `${from}%`, height: `${to - from}%` };
}

/** Returns about four round amounts that span zero and every value. */
function scaleOf(values: readonly number[]) {
  const most = Math.max(0, ...values);
  const least = Math.min(0, ...values);
  const rough = Math.max(1, (most - least) / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (([1, 2, 2.5, 5, 10] as const).find((one) => one * power >= rough) ?? 10) * power;
  const low = Math.floor(least / step) * step;
  const high = Math.max(low + step, Math.ceil(most / step) * step);
  const ticks = Array.from(
    { length: Math.round((high - low) / step) + 1 },
    (_, index) => low + index * step,
  );
  return { low, high, ticks };
}

interface WeekTableProps {
  readonly title: string;
  readonly period: string;
  readonly rows: FigureHours["list"];
  readonly unit: MoneyUnit;
  readonly file: string;
}

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6] as const;

export function WeekTable({ title, period, rows, unit, file }: WeekTableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const [money, short] = [moneyOf(format, unit), shortAmount(format, unit)];
  const soldAt = new Map(
    rows.map(({ weekday, hour, figures }) => [`${weekday} ${hour}`, figures.sold]),
  );
  const most = Math.max(1, ...soldAt.values());
  const hours = spanOf(rows.map(({ hour }) => hour));
  return (
    <figure className={classes.panel} aria-labelledby={id}>
      <figcaption className="flex wrap justify-between items-baseline gap-1-4">
        <h3 id={id} className="size-body tracking-0">
          {title}
        </h3>
        <p className="faint size-caption regular">{period}</p>
      </figcaption>
      {hours.length === 0 ? (
        <p className="faint size-caption regular">{t("office.figures.empty")}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need the focus to scroll
        <section className={classes.scroll} data-strip aria-label={title} tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t("office.figures.by.HOUR")}</th>
                {WEEKDAYS.map((weekday) => (
                  <th key={weekday} scope="col">
                    {weekdayWords(weekday, format)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {hours.map((hour) => (
                <tr key={hour}>
                  <th scope="row">{hourWords(hour, format)}</th>
                  {WEEKDAYS.map((weekday) => {
                    const sold = soldAt.get(`${weekday} ${hour}`) ?? 0;
                    return (
                      <td key={weekday} style={heatOf(sold, most)} title={money(sold)}>
                        {sold === 0 ? "–" : short(sold)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <FileLink address={file} />
    </figure>
  );
}

function spanOf(hours: readonly number[]): number[] {
  if (hours.length === 0) return [];
  const [first, last] = [Math.min(...hours), Math.max(...hours)];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Maximum darkness, so that the figures stay readable. */
const DARKEST_PERCENT = 42;

function heatOf(amount: number, most: number): CSSProperties {
  const heat = Math.max(0, Math.round((amount * DARKEST_PERCENT) / most));
  return { "--heat": `${heat}%` } as CSSProperties;
}
