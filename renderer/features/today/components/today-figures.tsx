import { Skeleton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Sales } from "../../../../server/contract/pos/sales.ts";
import { FitText } from "../../../components/fit-text.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./today-figures.module.css";

interface TodayFiguresProps {
  /** Undefined while loading. */
  readonly figures: Sales["figures"];
  readonly total: number | undefined;
}

export function TodayFigures({ figures, total }: TodayFiguresProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = (minor: number) =>
    figures ? format.money(minor, figures.currency, figures.currencyDivisor) : undefined;
  return (
    <div className="container">
      <dl className={classes.figures}>
        <Figure label={t("today.sold")} value={money(figures?.sold ?? 0)} tone="ink" />
        <Figure
          label={t("today.sending")}
          value={money(figures?.sending ?? 0)}
          tone={figures?.sending ? "wait" : "ink"}
        />
        <Figure
          label={t("today.refundDue")}
          value={money(figures?.refundDue ?? 0)}
          tone={figures?.refundDue ? "bad" : "ink"}
        />
        <Figure
          label={t("today.sales")}
          value={total === undefined ? undefined : format.number(figures?.sales ?? total)}
          tone="ink"
        />
      </dl>
    </div>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly tone: "ink" | "wait" | "bad";
}

function Figure({ label, value, tone }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt className="soft medium">{label}</dt>
      <dd className={`size-heading strong leading-125 nowrap ${tone}`}>
        {value === undefined ? (
          <Skeleton height="1.25em" width="6rem" />
        ) : (
          <FitText>{value}</FitText>
        )}
      </dd>
    </div>
  );
}
