import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { counterOperations } from "../../../../../server/contract/pos/counter.ts";
import { favouriteOperations } from "../../../../../server/contract/pos/favourites.ts";
import { ApiError } from "../../../../lib/api-client.ts";
import { sendApproved, useApproval } from "../../../../lib/approval-context.ts";
import { gatewayNow } from "../../../../lib/gateway-clock.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import {
  type Attempt,
  type ConfirmedAttempt,
  confirmAttempt,
  reopenAttempt,
  saveAttempt,
  withApproval,
} from "../attempt/attempt-store.ts";
import { rememberSale } from "../attempt/last-sale.ts";
import type { AttemptLine } from "../attempt/line-item.ts";
import type { Till } from "../attempt/till.ts";
import type { useOutbox } from "../attempt/use-outbox.ts";
import { confirmsFirst, type worstEarlier } from "../earlier/earlier-sale.ts";
import type { Tendered } from "../tender/tender.ts";
import { hasMoved } from "./reprice.ts";
import type { Checks, SaleEvent, SaleState } from "./sale-state.ts";
import { lineToAsk } from "./use-number-ask.ts";
import type { useSaleCheck } from "./use-sale-check.ts";

interface Payment {
  readonly state: SaleState;
  readonly dispatch: (event: SaleEvent) => void;
  readonly attempt: Attempt | undefined;
  readonly tendered: Tendered | undefined;
  readonly isStopped: boolean;
  readonly asks: boolean;
  readonly judge: (known: Checks) => ReturnType<typeof worstEarlier> | undefined;
  readonly ask: ReturnType<typeof useSaleCheck>["ask"];
  readonly outbox: Pick<ReturnType<typeof useOutbox>, "send" | "keep">;
  readonly onPaid: (saleId: string) => void;
}

function confirmNow(attempt: Attempt, { tenders, cashRounding }: Tendered): ConfirmedAttempt {
  return confirmAttempt(attempt, { tenders, cashRounding }, Date.now());
}

/** Enter pays, except for a possible duplicate, which needs another key. */
export function usePayment(till: Till, payment: Payment) {
  const queryClient = useQueryClient();
  const approve = useApproval();
  const { state, dispatch, attempt, tendered, isStopped, asks } = payment;
  const { judge, ask, outbox, onPaid } = payment;
  return async (meaning: "once" | "again" = "once"): Promise<void> => {
    if (!attempt || !state.confirming || state.paying || state.entry || !tendered?.isEnough) {
      return;
    }
    if (isStopped || (asks && meaning === "once")) {
      return;
    }
    if (state.asksDiscount) {
      dispatch({ type: "pay-after" });
      return;
    }
    const confirmed = confirmNow(attempt, tendered);
    dispatch({ type: "pay" });
    // Since the step opened, another till may have made the same sale, or a price may have changed.
    const now = meaning === "once" ? await ask(attempt) : undefined;
    if (
      now &&
      (confirmsFirst(judge(now)) || hasMoved(attempt.lines, now) || isHeldBack(attempt, now))
    ) {
      void invalidateAnswers(queryClient, [counterOperations.describePhone]);
      dispatch({ type: "checked", checks: now, heldBack: true });
      return;
    }
    try {
      await sendApproved(approve, attempt.saleId, (approvalId) =>
        send(outbox, confirmed, approvalId),
      );
    } catch (error) {
      const prices = error instanceof ApiError ? pricesOfNow(error, confirmed.lines) : undefined;
      dispatch({ type: "refused", error, ...(prices && { prices }) });
      return;
    }
    rememberSale({
      staffId: till.staffId,
      environment: till.environment,
      training: till.training,
      saleId: confirmed.saleId,
      paidAt: confirmed.confirmedAt,
    });
    onPaid(confirmed.saleId);
    dispatch({ type: "answered" });
    void invalidateAnswers(queryClient, [
      counterOperations.listRecents,
      favouriteOperations.list,
      counterOperations.describePhone,
    ]);
  };
}

/**
 * Sends a paid sale. The outbox repeats the request until the gateway answers.
 * @throws ApiError if the gateway refused the sale
 */
async function send(
  outbox: Payment["outbox"],
  confirmed: ConfirmedAttempt,
  approvalId: string | undefined,
): Promise<void> {
  const approved = approvalId ? withApproval(confirmed, approvalId) : confirmed;
  saveAttempt(approved);
  const result = await outbox.send(approved);
  if (result.kind === "refused") {
    reopenAttempt(confirmed);
    throw result.error;
  }
  if (result.kind === "unanswered") {
    outbox.keep(approved);
  }
}

export function usePayTypedAhead(
  state: SaleState,
  dispatch: (event: SaleEvent) => void,
  pay: () => Promise<void>,
): void {
  const payTypedAhead = useEffectEvent(() => {
    dispatch({ type: "pays-after-all" });
    void pay();
  });
  const paysNow = state.paysAfter && !state.asksDiscount;
  useEffect(() => {
    if (paysNow) {
      queueMicrotask(() => payTypedAhead());
    }
  }, [paysNow]);
}

/** Returns whether a paused brand or an unconfirmed number prevents the payment. */
function isHeldBack(attempt: Attempt, checks: Checks): boolean {
  return isPausedByHand(checks) || lineToAsk(attempt, checks, gatewayNow()) !== undefined;
}

function isPausedByHand(checks: Checks): boolean {
  return [...checks.values()].some(({ pausedByHand }) => pausedByHand);
}

/**
 * Returns the new prices by transaction id, in minor units of the shop's currency; undefined for a
 * refusal without new prices.
 */
export function pricesOfNow(
  { errorCode, fields }: Pick<ApiError, "errorCode" | "fields">,
  lines: readonly Pick<AttemptLine, "transactionId">[],
): Readonly<Record<string, number>> | undefined {
  if (errorCode !== "PRICE_CHANGED") {
    return undefined;
  }
  return Object.fromEntries(
    lines.flatMap(({ transactionId }, index) => {
      const now = fields[`lines.${index}.priceNow`];
      return now === undefined ? [] : [[transactionId, Number(now)]];
    }),
  );
}
