import { useTranslation } from "react-i18next";
import { useFormat } from "../../../lib/use-format.ts";
import { changePercent, LEAST_FOR_PERCENT } from "../comparison.ts";
import { changeWords, moneyOf } from "../figure-format.ts";
import { FigureCard, FigureGroup } from "./figure-card.tsx";
import type { PageProps } from "./overview-props.ts";
import { SOLD_TODAY } from "./places.ts";

/** Did we earn: today beside the same weekday until the same time. */
export function EarnedGroup({ page }: PageProps) {
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
