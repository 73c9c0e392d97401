import {
  IconCheck,
  IconCircleHalf2,
  IconClock,
  IconSend,
  IconX,
  type TablerIcon,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { nameOutcome, type ShownLine } from "../../server/contract/pos/outcome.ts";
import type { SaleOutcome } from "../lib/sale-outcome.ts";
import { FitText } from "./fit-text.tsx";
import classes from "./result-head.module.css";

/** `REFUSED`: the gateway rejected the sale, so nothing was sold. */
export type ResultState = SaleOutcome | "UNANSWERED" | "REFUSED";

const ICONS: Readonly<Record<ResultState, TablerIcon>> = {
  SENDING: IconSend,
  UNANSWERED: IconClock,
  STILL_SENDING: IconClock,
  DELIVERED: IconCheck,
  PARTLY_DELIVERED: IconCircleHalf2,
  NOT_DELIVERED: IconX,
  REFUSED: IconX,
};

interface ResultHeadProps {
  readonly state: ResultState;
  readonly lines?: readonly ShownLine[];
  readonly note: string;
  readonly cash?: ReactNode;
}

export function ResultHead({ state, lines = [], note, cash }: ResultHeadProps) {
  const { t } = useTranslation();
  const Icon = ICONS[state];
  return (
    <header className={classes.head} data-state={state}>
      <div className={classes.told}>
        <span className={classes.sign} aria-hidden="true">
          <Icon size="1.875rem" stroke={2.25} />
        </span>
        <div className="min-w-0">
          <h2 className="size-amount leading-120">{t(titleOf(state, lines))}</h2>
          <p className="soft">{note}</p>
        </div>
      </div>
      {cash}
    </header>
  );
}

function titleOf(state: ResultState, lines: readonly ShownLine[]) {
  if (state === "REFUSED") return "sale.refused.title";
  if (state === "UNANSWERED") return "sale.unanswered.title";
  return `sale.outcome.${nameOutcome(state, lines)}` as const;
}

interface CashToGiveProps {
  readonly label: string;
  /** Formatted. */
  readonly amount: string;
  readonly sum?: string | undefined;
}

export function CashToGive({ label, amount, sum }: CashToGiveProps) {
  return (
    <div className={classes.cash}>
      <span>{label}</span>
      <strong className="ink size-hero tracking-tight leading-115">
        <FitText>{amount}</FitText>
      </strong>
      {sum === undefined ? null : <small className="soft">{sum}</small>}
    </div>
  );
}
