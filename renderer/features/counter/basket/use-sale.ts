import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useContext, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { Environment } from "../../../../server/contract/common.ts";
import { sendApproved, useApproval } from "../../../components/approval/approval-context.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { newId } from "../../../lib/new-id.ts";
import { ShopTimeZoneContext } from "../../../lib/use-format.ts";
import { quoteQuery, recentsQuery } from "../api/counter-queries.ts";
import {
  type Attempt,
  type ConfirmedAttempt,
  confirmAttempt,
  isConfirmed,
  listAttempts,
  removeAttempt,
  saveAttempt,
  withApproval,
} from "../attempt-store.ts";
import { asksFirst, worstEarlier } from "../earlier-sale.ts";
import { findRecentSale, rememberSale } from "../last-sale.ts";
import { type AttemptLine, type LineItem, totalOf } from "../line-item.ts";
import { countTender, type Tendered } from "../tender/tender.ts";
import { useOutbox } from "../use-outbox.ts";
import { pricesOfNow } from "./prices-of-now.ts";
import type { SaleContext, SaleEvent, SaleState } from "./sale-state.ts";
import { useSoldBefore } from "./use-sold-before.ts";

/** Who sells at this till, and where. */
export interface Till {
  readonly staffId: string;
  readonly environment: Environment;
  readonly currency: string;
  readonly currencyDivisor: number;
}

export type CurrentSale = ReturnType<typeof useSale>;

const NO_LINES: readonly AttemptLine[] = [];

/** The panel shows the newest; the others answer whether a number was just sold to. */
const REMEMBERED_SALES = 30;

/** The moment the clerk takes the money. */
function confirmNow(attempt: Attempt, tenders: Tendered["tenders"]): ConfirmedAttempt {
  return confirmAttempt(attempt, tenders, Date.now());
}

/** The machine of the sale joined to the gateway, with what was paid and not answered yet. */
export function useSale(till: Till, state: SaleState, dispatch: (event: SaleEvent) => void) {
  const queryClient = useQueryClient();
  const approve = useApproval();
  const outbox = useOutbox(till.environment);
  const timeZone = useContext(ShopTimeZoneContext);
  const [shownSales, setShownSales] = useState<readonly string[]>(() => {
    const unanswered = outbox.entries.map(({ attempt }) => attempt.saleId).toReversed();
    const last = findRecentSale({ ...till, timeZone }, Date.now());
    return last === undefined || unanswered.includes(last) ? unanswered : [...unanswered, last];
  });
  const { attempt } = state;
  const lines = attempt?.lines ?? NO_LINES;

  useRepricing(lines, dispatch);
  useStoredAttempt(till, state, dispatch);

  const total = totalOf(lines);
  const tendered = attempt
    ? countTender(state.tender, { total, currency: till.currency, divisor: till.currencyDivisor })
    : undefined;
  const { sold, phones } = useSoldBefore({ attempt, outbox, shownSales });
  const verdict = attempt ? worstEarlier(lines, sold, attempt.openedAt) : undefined;
  const asks = asksFirst(verdict);

  /** Enter pays once; what might be a second time needs to be meant. */
  async function pay(meaning: "once" | "again" = "once") {
    if (!attempt || !state.confirming || state.paying || state.entry || !tendered?.isEnough) {
      return;
    }
    if (asks && meaning === "once") {
      return;
    }
    const confirmed = confirmNow(attempt, tendered.tenders);
    dispatch({ type: "pay" });
    try {
      await sendApproved(approve, attempt.saleId, (approvalId) => send(confirmed, approvalId));
    } catch (error) {
      const prices = error instanceof ApiError ? pricesOfNow(error, confirmed.lines) : undefined;
      dispatch({ type: "refused", error, ...(prices ? { prices } : {}) });
      return;
    }
    rememberSale({
      staffId: till.staffId,
      environment: till.environment,
      saleId: confirmed.saleId,
      paidAt: confirmed.confirmedAt,
    });
    setShownSales((now) => [confirmed.saleId, ...now].slice(0, REMEMBERED_SALES));
    dispatch({ type: "answered" });
    void queryClient.invalidateQueries({ queryKey: recentsQuery().queryKey });
    void queryClient.invalidateQueries({ queryKey: ["phone"] });
  }

  /** @throws ApiError when it was refused; what stays unanswered is sent again by itself */
  async function send(confirmed: ConfirmedAttempt, approvalId: string | undefined): Promise<void> {
    const approved = approvalId ? withApproval(confirmed, approvalId) : confirmed;
    saveAttempt(approved);
    const result = await outbox.send(approved);
    if (result.kind === "refused") {
      throw result.error;
    }
    if (result.kind === "unanswered") {
      outbox.keep(approved);
    }
  }

  return {
    till,
    state,
    dispatch,
    lines,
    total,
    tendered,
    verdict,
    asksFirst: asks,
    pay,
    outbox,
    shownSales,
    hideSale: (saleId: string) => setShownSales((now) => now.filter((id) => id !== saleId)),
    /** The newest that is known of the numbers in the basket, by number. */
    phones,
    /** The line the confirm step stands open for. */
    openLine: lines.find(({ transactionId }) => transactionId === attempt?.openLine),
    /** A discount on the open line, else on the last. */
    openDiscount: () => {
      const line =
        lines.find(({ transactionId }) => transactionId === attempt?.openLine) ?? lines.at(-1);
      if (line && state.confirming && !state.paying) {
        const { transactionId } = line;
        dispatch({ type: "entry-opened", entry: { kind: "discount", transactionId, text: "" } });
      }
    },
    compose: (item: LineItem) =>
      dispatch({ type: "composed", item, context: contextOf(till, newId(), newId()) }),
  };
}

function contextOf(till: Till, saleId: string, transactionId: string): SaleContext {
  const { environment, staffId } = till;
  return { saleId, transactionId, environment, staffId, openedAt: Date.now() };
}

/** A repeated top-up is priced again while its confirm step is open. */
function useRepricing(lines: readonly AttemptLine[], dispatch: (event: SaleEvent) => void): void {
  const unpriced = lines.filter(
    ({ item }) => item.productType === "TOPUP" && item.send === undefined,
  );
  const quotes = useQueries({
    queries: unpriced.map(({ item: { offerId, value } }) =>
      quoteQuery({ offerId, ...(value ? { value } : {}) }),
    ),
  });
  const [first] = unpriced;
  const [quote] = quotes;
  const transactionId = first?.transactionId;
  const tell = useEffectEvent(dispatch);
  useEffect(() => {
    if (transactionId && quote?.data) {
      tell({ type: "quoted", transactionId, quote: quote.data });
    } else if (transactionId && quote?.error instanceof ApiError) {
      tell({ type: "quote-failed", transactionId, error: quote.error });
    }
  }, [transactionId, quote?.data, quote?.error]);
}

/**
 * Stored as soon as it is opened and after every change, before anything is sent (product lesson
 * 4). What was open when the till stopped opens again, with its ids.
 */
function useStoredAttempt(
  { staffId, environment }: Till,
  { attempt, paying }: SaleState,
  dispatch: (event: SaleEvent) => void,
): void {
  const stored = useRef<string | undefined>(undefined);
  const tell = useEffectEvent(dispatch);
  useLayoutEffect(() => {
    if (paying) {
      return;
    }
    if (stored.current !== undefined && stored.current !== attempt?.saleId) {
      forgetOpen(stored.current);
    }
    stored.current = attempt?.saleId;
    if (attempt) {
      saveAttempt(attempt);
    }
  }, [attempt, paying]);
  useEffect(() => {
    for (const open of listAttempts().filter((candidate) => !isConfirmed(candidate))) {
      if (open.staffId === staffId && open.environment === environment) {
        tell({ type: "restored", attempt: open });
      } else if (open.staffId === staffId || Date.now() - open.openedAt > KEPT_MS) {
        // Of training, or long forgotten. What somebody else has open waits for them.
        removeAttempt(open.saleId);
      }
    }
  }, [staffId, environment]);
}

/** As long as a sign-in lasts. */
const KEPT_MS = 12 * 60 * 60 * 1000;

/** An attempt that was undone; one that was paid stays until the gateway has answered. */
function forgetOpen(saleId: string): void {
  const open = listAttempts().find((attempt) => attempt.saleId === saleId);
  if (open && !isConfirmed(open)) {
    removeAttempt(saleId);
  }
}
