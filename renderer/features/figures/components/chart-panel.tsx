import { IconDownload, IconTable } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import classes from "./chart-panel.module.css";

/** What a colour or a pattern of a chart stands for. */
export interface LegendEntry {
  readonly sign: "bar" | "hatched" | "line";
  readonly words: string;
}

interface ChartPanelProps {
  readonly title: string;
  /** Which days, by which clock, in what. */
  readonly period: string;
  readonly legend?: readonly LegendEntry[];
  /** The same as a table: the chart is for the eye alone. */
  readonly table: ReactNode;
  /** The address of a file with the rows behind it. */
  readonly file?: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A chart with its period and its legend, the table under it, and its rows as a file. */
export function ChartPanel(props: ChartPanelProps) {
  const { title, period, legend = [], table, file, isWide = false, children } = props;
  const { t } = useTranslation();
  const id = useId();
  return (
    <figure className={classes.panel} aria-labelledby={id} data-wide={isWide}>
      <figcaption className={classes.caption}>
        <h3 id={id} className={classes.title}>
          {title}
        </h3>
        <p className={classes.small}>{period}</p>
        {legend.length > 0 ? (
          <ul className={classes.legend}>
            {legend.map(({ sign, words }) => (
              <li key={sign}>
                <span className={classes.sign} data-sign={sign} aria-hidden="true" />
                {words}
              </li>
            ))}
          </ul>
        ) : null}
      </figcaption>
      <div className={classes.chart} aria-hidden="true">
        {children}
      </div>
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

/** Saves a file of rows; who did is recorded. */
export function FileLink({ address }: { readonly address: string }) {
  const { t } = useTranslation();
  return (
    <a href={address} download className={classes.action} title={t("office.figures.csvHint")}>
      <IconDownload size="1.125rem" aria-hidden="true" />
      {t("office.figures.csv")}
    </a>
  );
}
