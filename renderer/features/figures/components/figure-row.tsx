import { IconTrendingDown, IconTrendingUp } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { FitText } from "../../../components/fit-text.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { type Compared, changePercent } from "../comparison.ts";
import { changeWords } from "../figure-format.ts";
import classes from "./figure-row.module.css";
import { type FigurePlace, PlaceLink } from "./place-link.tsx";

export interface RowFigure {
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
      {changeWords(percent, t, format)}
    </span>
  );
}
