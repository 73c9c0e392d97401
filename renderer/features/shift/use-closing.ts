import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Shift, shiftOperations, type ZReport } from "../../../server/contract/pos/shifts.ts";
import { ApiError, call, isRefusal, UnreachableError } from "../../lib/api-client.ts";
import { sendApproved, useApproval } from "../../lib/approval-context.ts";
import { invalidateAnswers } from "../../lib/operation-query.ts";
import { useHasUnsentSale } from "../../lib/unsent-sale-context.ts";
import { SHIFT_ANSWERS } from "./api/shift-queries.ts";
import { type CashDraft, type CountedCash, NO_CASH, readCash } from "./cash-count.ts";

export type Closing = ReturnType<typeof useClosing>;

const MAX_REPEATS = 5;

interface ClosingEvents {
  readonly onClosed: (report: ZReport) => void;
  /**
   * Called with true when the request is sent, and with false when it is refused or given up. In
   * between, the shift may be closed although its report is not here yet.
   */
  readonly onClosing: (isClosing: boolean) => void;
}

interface CloseRequest {
  readonly counted: CountedCash;
  readonly leaveUnfinished: boolean;
  readonly sure: boolean;
}

/** Repeats the same request after a lost answer: the gateway then repeats the Z report. */
export function useClosing(shift: Shift, { onClosed, onClosing }: ClosingEvents) {
  const approve = useApproval();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<CashDraft>(NO_CASH);
  const { amount, count } = readCash(draft, shift.currencyDivisor);
  /** Implausible amount that the person has confirmed. */
  const [sureOf, setSureOf] = useState<number>();
  const close = useMutation({
    mutationFn: ({ counted, leaveUnfinished, sure }: CloseRequest) =>
      sendApproved(approve, shift.shiftId, (approvalId) =>
        call(shiftOperations.close, {
          params: { shiftId: shift.shiftId },
          body: {
            counted: counted.amount ?? 0,
            ...(counted.count && { count: counted.count }),
            ...(leaveUnfinished && { leaveUnfinished }),
            ...(sure && { isSure: true }),
            ...(approvalId !== undefined && { approvalId }),
          },
        }),
      ),
    retry: (repeats, error) => repeats < MAX_REPEATS && error instanceof UnreachableError,
    onMutate: () => onClosing(true),
    onSuccess: onClosed,
    onError: (error) => {
      if (isRefusal(error)) {
        onClosing(false);
        void invalidateAnswers(queryClient, SHIFT_ANSWERS);
      }
    },
  });
  const isRefused = isOf(close.error, "SHIFT_UNFINISHED");
  const hasUnsent = useHasUnsentSale();
  return {
    draft,
    setDraft: (next: CashDraft) => {
      setDraft(next);
      if (isOf(close.error, "COUNT_UNLIKELY")) {
        close.reset();
      }
    },
    amount,
    isPending: close.isPending,
    /** True if a paid sale was not sent. After the shift, the gateway would not accept it. */
    hasUnsent,
    isReady: amount !== undefined && !close.isPending && !hasUnsent,
    /** True if sales of the shift have no outcome yet. */
    isRefused,
    error: isRefused ? null : close.error,
    close: (leaveUnfinished: boolean) =>
      close.mutate({
        counted: { amount, count },
        leaveUnfinished,
        sure: sureOf !== undefined && sureOf === amount,
      }),
    /** Closes with an implausible amount. Undefined if the amount is plausible. */
    closeSurely:
      isOf(close.error, "COUNT_UNLIKELY") && !hasUnsent
        ? () => {
            setSureOf(amount);
            close.mutate({
              counted: { amount, count },
              leaveUnfinished: close.variables?.leaveUnfinished ?? false,
              sure: true,
            });
          }
        : undefined,
    reset: () => {
      setDraft(NO_CASH);
      close.reset();
      onClosing(false);
    },
  };
}

function isOf(error: Error | null, code: string): boolean {
  return error instanceof ApiError && error.errorCode === code;
}
