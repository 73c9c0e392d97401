import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { gatewayNow } from "../../../../lib/gateway-clock.ts";
import { useNow } from "../../../../lib/use-now.ts";
import { answerOfDisplayQuery } from "../../api/counter-queries.ts";
import type { Attempt } from "../attempt/attempt-store.ts";
import type { AttemptLine } from "../attempt/line-item.ts";
import type { Till } from "../attempt/till.ts";
import type { Checks, SaleEvent, SaleState } from "./sale-state.ts";

const EXPIRY_CHECK_MS = 20_000;

export interface NumberAsk {
  readonly line: AttemptLine;
  /** True if a customer display shows the number. Otherwise only the clerk can continue. */
  readonly isShown: boolean;
  /** Continues without the confirmation. The gateway records this. */
  readonly skip: () => void;
}

/**
 * Waits for the customer's confirmation of a number, if the shop requires it
 * (rules#counter-number-confirmed).
 */
export function useNumberAsk(
  { display }: Till,
  { attempt, confirming, paying }: SaleState,
  checks: Checks,
  {
    dispatch,
    onRefused,
  }: {
    readonly dispatch: (event: SaleEvent) => void;
    readonly onRefused: (line: AttemptLine) => void;
  },
): NumberAsk | undefined {
  const isChecked = attempt?.lines.some(({ numberCheck }) => numberCheck !== undefined) ?? false;
  const now = useNow(EXPIRY_CHECK_MS, confirming && isChecked);
  const isOpen = attempt && confirming && !paying;
  const line = isOpen ? lineToAsk(attempt, checks, now) : undefined;
  const transactionId = line?.transactionId ?? "";
  const asked = display && line ? { code: display, transactionId } : undefined;
  const answer = useQuery(answerOfDisplayQuery(asked));
  const said = asked && answer.data?.said;
  const hear = useEffectEvent((what: "YES" | "NO", about: string) => {
    if (line?.transactionId !== about) {
      return;
    }
    if (what === "NO") {
      onRefused(line);
    } else {
      dispatch(checkedBy("CUSTOMER", about));
    }
  });
  useEffect(() => {
    if (said) {
      hear(said, transactionId);
    }
  }, [said, transactionId]);
  return (
    line && {
      line,
      isShown: asked !== undefined && !answer.isError && (answer.data?.watching ?? 0) > 0,
      skip: () => dispatch(checkedBy("CLERK", transactionId)),
    }
  );
}

function checkedBy(by: "CUSTOMER" | "CLERK", transactionId: string): SaleEvent {
  return { type: "number-checked", transactionId, check: { by, at: gatewayNow() } };
}

/** Time for which a customer's confirmation is valid. */
const COUNTS_MS = 10 * 60_000;

export function lineToAsk(
  attempt: Pick<Attempt, "lines">,
  checks: Checks,
  now: number,
): AttemptLine | undefined {
  return attempt.lines.find((line) => {
    const isWanted = line.asksNumber || checks.get(line.transactionId)?.asksNumber;
    return isWanted && line.item.number !== undefined && !isChecked(line, now);
  });
}

function isChecked({ numberCheck }: AttemptLine, now: number): boolean {
  if (numberCheck?.by === "CUSTOMER") {
    return Math.abs(now - numberCheck.at) < COUNTS_MS;
  }
  return numberCheck !== undefined;
}
