import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import type { WantedLine } from "../../../../../server/contract/pos/sale-lines.ts";
import { ApiError } from "../../../../lib/api-client.ts";
import { gatewayNow, useNow } from "../../../../lib/gateway-clock.ts";
import { useSame } from "../../../../lib/use-before.ts";
import {
  answerOfDisplayQuery,
  checkQuery,
  LAST_CHECK_TIMEOUT_MS,
  postCheck,
} from "../../api/counter-queries.ts";
import type { Attempt } from "../attempt/attempt-store.ts";
import { type AttemptLine, isWithoutAmounts, wantedOf } from "../attempt/line-item.ts";
import type { Till } from "../attempt/till.ts";
import type { Checks, SaleEvent, SaleState } from "./sale-state.ts";

interface SaleCheck {
  readonly checks: Checks;
  /** Checks the sale again. Returns undefined if no answer arrives in time. */
  ask(attempt: Attempt): Promise<Checks | undefined>;
}

const NO_LINES: readonly AttemptLine[] = [];

/**
 * Checks prices, earlier sales to the recipient, promotions and pauses. Without a connection, the
 * sale continues unchecked.
 */
export function useSaleCheck(
  { attempt, confirming }: SaleState,
  dispatch: (event: SaleEvent) => void,
): SaleCheck {
  const queryClient = useQueryClient();
  const language = useTranslation().i18n.language;
  const place = { saleId: attempt?.saleId ?? "", language };
  const lines = confirming ? (attempt?.lines ?? NO_LINES) : NO_LINES;
  const wantedLines = new Map(
    lines.map(({ item }) => [keyOf(wantedOf(item)), wantedOf(item)] as const),
  );
  const answers = useQueries({
    queries: [...wantedLines.values()].map((line) => checkQuery(line, place)),
  });
  const answered = new Map([...wantedLines.keys()].map((key, at) => [key, answers[at]?.data]));
  const checks: Checks = new Map(
    lines.flatMap(({ transactionId, item }) => {
      const data = answered.get(keyOf(wantedOf(item)));
      return data ? [[transactionId, data] as const] : [];
    }),
  );

  const told = useSame([...checks]);
  const tell = useEffectEvent((known: Checks) => {
    const unfit = lines.find(
      (line) => known.get(line.transactionId)?.problem && isTakenBack(line, attempt),
    );
    const problem = unfit && known.get(unfit.transactionId)?.problem;
    if (unfit && problem) {
      const { errorCode, message, fields } = problem;
      const error = new ApiError(409, errorCode, message, fields);
      dispatch({ type: "line-refused", transactionId: unfit.transactionId, error });
    } else if (known.size > 0) {
      dispatch({ type: "checked", checks: known });
    }
  });
  useEffect(() => tell(new Map(told)), [told]);

  return {
    checks,
    ask: async (asked) => {
      const wanted = asked.lines.map(({ item }) => wantedOf(item));
      try {
        const found = await postCheck(wanted, language, { timeoutMs: LAST_CHECK_TIMEOUT_MS });
        for (const [index, line] of wanted.entries()) {
          queryClient.setQueryData(checkQuery(line, place).queryKey, found[index] ?? null);
        }
        return new Map(
          asked.lines.flatMap(({ transactionId }, index) => {
            const one = found[index];
            return one ? [[transactionId, one] as const] : [];
          }),
        );
      } catch {
        return undefined;
      }
    },
  };
}

/** Equal lines share one check. */
function keyOf(line: WantedLine): string {
  return JSON.stringify(line);
}

/** Returns whether a refusal removes the line: only the open line and repeated lines. */
function isTakenBack({ transactionId, item }: AttemptLine, attempt: Attempt | undefined): boolean {
  return isWithoutAmounts(item) || transactionId === attempt?.openLine;
}

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
