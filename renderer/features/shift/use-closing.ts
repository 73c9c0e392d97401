import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Shift, ZReport } from "../../../server/contract/pos/shifts.ts";
import { ApiError } from "../../lib/api-client.ts";
import { sendApproved, useApproval } from "../../lib/approval-context.ts";
import { invalidateAnswers } from "../../lib/operation-query.ts";
import { useHasUnsentSale } from "../../lib/unsent-sale-context.ts";
import { closeShift, SHIFT_ANSWERS } from "./api/shift-queries.ts";
import { type CashDraft, NO_CASH, readCash } from "./cash-count.ts";

export type Closing = ReturnType<typeof useClosing>;

export function useClosing(shift: Shift, onClosed: (report: ZReport) => void) {
  const approve = useApproval();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<CashDraft>(NO_CASH);
  const { amount, count } = readCash(draft, shift.currencyDivisor);
  /** Implausible amount that the person has confirmed. */
  const [sureOf, setSureOf] = useState<number>();
  const close = useMutation({
    mutationFn: ({ leaveUnfinished, sure }: { leaveUnfinished: boolean; sure: boolean }) =>
      sendApproved(approve, shift.shiftId, (approvalId) =>
        closeShift(shift.shiftId, {
          counted: amount ?? 0,
          ...(count && { count }),
          ...(leaveUnfinished && { leaveUnfinished }),
          ...(sure && { isSure: true }),
          ...(approvalId !== undefined && { approvalId }),
        }),
      ),
    onSuccess: onClosed,
    onError: () => invalidateAnswers(queryClient, SHIFT_ANSWERS),
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
    /** True if a paid sale was not sent. After the shift, the gateway would not accept it. */
    hasUnsent,
    isReady: amount !== undefined && !close.isPending && !hasUnsent,
    /** True if sales of the shift have no outcome yet. */
    isRefused,
    error: isRefused ? null : close.error,
    close: (leaveUnfinished: boolean) =>
      close.mutate({ leaveUnfinished, sure: sureOf !== undefined && sureOf === amount }),
    /** Closes with an implausible amount. Undefined if the amount is plausible. */
    closeSurely:
      isOf(close.error, "COUNT_UNLIKELY") && !hasUnsent
        ? () => {
            setSureOf(amount);
            close.mutate({
              leaveUnfinished: close.variables?.leaveUnfinished ?? false,
              sure: true,
            });
          }
        : undefined,
    reset: () => {
      setDraft(NO_CASH);
      close.reset();
    },
  };
}

function isOf(error: Error | null, code: string): boolean {
  return error instanceof ApiError && error.errorCode === code;
}
