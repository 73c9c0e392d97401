import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { FigureSeries, Figures } from "../../../../server/contract/pos/figures.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { linesFile, periodsQuery } from "../api/figure-queries.ts";
import { changePercent } from "../comparison.ts";
import type { ShopDays } from "../figure-days.ts";
import { changeWords, moneyOf, periodWords } from "../figure-format.ts";
import { dimensionOf, type FigureView, type Grouping, searchOfDays } from "../figure-search.ts";
import { FileLink } from "./chart-panel.tsx";
import cards from "./figure-card.module.css";
import { FigureCard } from "./figure-card.tsx";
import { FigureIdentity } from "./figure-identity.tsx";
import { AwaitedFigures } from "./figures-page.tsx";
import classes from "./figures-screen.module.css";
import { HourTable } from "./hour-table.tsx";
import { PartTable } from "./part-table.tsx";
import { PeriodTable } from "./period-table.tsx";
import { TillNames } from "./till-names.tsx";

interface FigureSumsProps {
  readonly days: ShopDays;
  readonly by: Grouping;
  /** Whether the person may change what a till is called. */
  readonly namesTills: boolean;
}

/** The sums of the days beside the same period before, and divided as the owner chose. */
export function FigureSums({ days, by, namesTills }: FigureSumsProps) {
  const kind = by === "WEEK" || by === "MONTH" ? by : "DAY";
  const series = useQuery(periodsQuery(days, kind));
  const dimension = dimensionOf(by);
  return (
    <AwaitedFigures query={series}>
      {(data) => (
        <>
          <Sums series={data} days={days} />
          <FigureIdentity figures={data.figures} unit={data} />
          <div className={classes.block}>
            {dimension ? <PartTable days={days} by={dimension} /> : null}
            {by === "HOUR" ? <HourTable days={days} /> : null}
            {!dimension && by !== "HOUR" ? <PeriodTable series={data} kind={kind} /> : null}
            <FileLink address={linesFile(days)} />
            {by === "TILL" && namesTills ? <TillNames /> : null}
          </div>
        </>
      )}
    </AwaitedFigures>
  );
}

interface SumCard {
  readonly figure: "sold" | "earned" | "tax" | "cost" | "discount" | "refunded" | "taken" | "owed";
  /** Where its rows are. */
  readonly view: FigureView;
}

const SUMS: readonly SumCard[] = [
  { figure: "sold", view: "sold" },
  { figure: "earned", view: "sold" },
  { figure: "cost", view: "sold" },
  { figure: "tax", view: "sold" },
  { figure: "discount", view: "sold" },
  { figure: "taken", view: "taken" },
  { figure: "refunded", view: "taken" },
  { figure: "owed", view: "money" },
];

interface SumsProps {
  readonly series: FigureSeries;
  readonly days: ShopDays;
}

/** Every figure with what it was before; each leads to its rows. */
function Sums({ series, days }: SumsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = moneyOf(format, series);
  const { figures: now, before } = series;
  const { figures: earlier } = before;
  const was = (value: string) => t("office.figures.beforeValue", { value });
  const change = (amount: number, was: number) =>
    changeWords(
      changePercent({ amount, of: now.sales }, { amount: was, of: earlier.sales }),
      t,
      format,
    );
  const placeOf = (view: FigureView) =>
    ({ section: "figures", search: { view, ...searchOfDays(days) } }) as const;
  return (
    <div className={classes.block}>
      <p className={classes.soft}>
        {t("office.figures.compared", {
          days: beforeWords(series, (period) => periodWords(period, period.until, t, format)),
        })}
      </p>
      <ul className={cards.cells}>
        {SUMS.map(({ figure, view }) => (
          <FigureCard
            key={figure}
            label={t(`office.figures.of.${figure}`)}
            value={money(now[figure])}
            base={[
              was(money(earlier[figure])),
              change(now[figure], earlier[figure]),
              ...(figure === "earned" ? [marginLine(now)] : []),
            ].filter((line) => line !== "–")}
            place={placeOf(view)}
          />
        ))}
        <FigureCard
          label={t("office.figures.of.sales")}
          value={format.number(now.sales)}
          base={[
            was(format.number(earlier.sales)),
            change(now.sales, earlier.sales),
            ...(now.average === undefined
              ? []
              : [
                  t("common.labelled", {
                    label: t("office.figures.of.average"),
                    value: money(now.average),
                  }),
                ]),
          ].filter((line) => line !== "–")}
          place={placeOf("taken")}
        />
      </ul>
    </div>
  );

  function marginLine({ marginPct }: Figures): string {
    return marginPct === undefined
      ? t("office.figures.few")
      : t("common.labelled", {
          label: t("office.figures.of.margin"),
          value: format.percent(marginPct),
        });
  }
}

/** The period before; of one that is not over, only as much is compared as has passed. */
function beforeWords(
  { before, madeAt, period }: FigureSeries,
  write: (period: FigureSeries["period"]) => string,
): string {
  const isPart = period.isUnfinished && Date.parse(period.from) <= Date.parse(madeAt);
  return write({ ...before.period, isUnfinished: isPart });
}
