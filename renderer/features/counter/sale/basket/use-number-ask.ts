import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { gatewayNow } from "../../../../lib/gateway-clock.ts";
import { useNow } from "../../../../lib/use-now.ts";
import { answerOfDisplayQuery } from "../../api/display-queries.ts";
import type { AttemptLine } from "../attempt/line-item.ts";
import type { Till } from "../attempt/till.ts";
import { lineToAsk } from "./number-line.ts";
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
