import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Shift, ZReport } from "../../../server/contract/pos/shifts.ts";
import { ApiError } from "../../lib/api-client.ts";
import { sendApproved, useApproval } from "../../lib/approval-context.ts";
import { invalidateAnswers } from "../../lib/operation-query.ts";
import { closeShift, SHIFT_ANSWERS } from "./api/shift-queries.ts";
import { type CashDraft, NO_CASH, readCash } from "./cash-count.ts";

export type Closing = ReturnType<typeof useClosing>;

/** The count that ends the own shift, from the first digit to the report. */
export function useClosing(shift: Shift, onClosed: (report: ZReport) => void) {
  const approve = useApproval();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<CashDraft>(NO_CASH);
  const { amount, count } = readCash(draft, shift.currencyDivisor);
  const close = useMutation({
    mutationFn: (leaveUnfinished: boolean) =>
      sendApproved(approve, shift.shiftId, (approvalId) =>
        closeShift(shift.shiftId, {
          counted: amount ?? 0,
          ...(count && { count }),
          ...(leaveUnfinished && { leaveUnfinished }),
          ...(approvalId !== undefined && { approvalId }),
        }),
      ),
    onSuccess: onClosed,
    onError: () => invalidateAnswers(queryClient, SHIFT_ANSWERS),
  });
  const isRefused = close.error instanceof ApiError && close.error.errorCode === "SHIFT_UNFINISHED";
  return {
    draft,
    setDraft,
    amount,
    isReady: amount !== undefined && !close.isPending,
    /** Sales of it are still being sent. */
    isRefused,
    /** Any other reason why it did not close. */
    error: isRefused ? null : close.error,
    close: (leaveUnfinished: boolean) => close.mutate(leaveUnfinished),
    /** As when the count was never begun. */
    reset: () => {
      setDraft(NO_CASH);
      close.reset();
    },
  };
}
