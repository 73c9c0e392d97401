import type { ReactNode } from "react";
import { FitText } from "../../../components/fit-text.tsx";
import classes from "./figure-card.module.css";
import { type FigurePlace, PlaceLink } from "./place-link.tsx";

interface FigureCardProps {
  readonly label: string;
  readonly value: string;
  /** What it is compared with or made of, a line each. */
  readonly base: readonly string[];
  readonly tone?: "plain" | "bad" | "wait" | "good";
  /** The rows that add up to it. */
  readonly place: FigurePlace;
}

/** A figure with what it is compared with; all of it leads to the rows behind it. */
export function FigureCard({ label, value, base, tone = "plain", place }: FigureCardProps) {
  return (
    <li className={classes.cell}>
      <PlaceLink place={place} className={classes.card}>
        <span className={classes.label}>{label}</span>
        <span className={classes.value} data-tone={tone}>
          <FitText>{value}</FitText>
        </span>
        {base.map((line) => (
          <span key={line} className={classes.base}>
            {line}
          </span>
        ))}
      </PlaceLink>
    </li>
  );
}

interface FigureGroupProps {
  readonly question: string;
  readonly children: ReactNode;
}

/** The figures that answer one question. */
export function FigureGroup({ question, children }: FigureGroupProps) {
  return (
    <section className={classes.group}>
      <h2 className={classes.question}>{question}</h2>
      <ul className={classes.cells}>{children}</ul>
    </section>
  );
}
