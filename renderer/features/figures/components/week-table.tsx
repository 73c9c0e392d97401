import type { CSSProperties } from "react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { FigureHours } from "../../../../server/contract/pos/figures.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { hourWords, type MoneyUnit, moneyOf, shortAmount, weekdayWords } from "../figure-format.ts";
import panel from "./bar-chart.module.css";
import { FileLink } from "./bar-chart.tsx";
import classes from "./week-table.module.css";

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
    <figure className={panel.panel} aria-labelledby={id}>
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
