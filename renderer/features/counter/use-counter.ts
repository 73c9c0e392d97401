import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useMemo, useReducer, useState } from "react";
import type { Environment } from "../../../server/contract/common.ts";
import type { PosEarlierSale, PosOffer, PosPhone } from "../../../server/contract/pos/counter.ts";
import { ApiError, UnreachableError } from "../../lib/api-client.ts";
import { useConnection } from "../../lib/connection-store.ts";
import { newId } from "../../lib/new-id.ts";
import { readAmount } from "./amount-input.ts";
import { offersQuery, phoneQuery, quoteQuery, recentsQuery } from "./api/counter-queries.ts";
import {
  type Attempt,
  type ConfirmedAttempt,
  confirmAttempt,
  isConfirmed,
  listAttempts,
  removeAttempt,
  saveAttempt,
} from "./attempt-store.ts";
import type { SaleContext } from "./basket.ts";
import { countCash } from "./cash-notes.ts";
import { counterReducer } from "./counter-machine.ts";
import { currentBrand, INITIAL_COUNTER } from "./counter-state.ts";
import { asksFirst, judgeEarlier } from "./earlier-sale.ts";
import { findRecentSale, rememberSale } from "./last-sale.ts";
import { viewOffers } from "./offer-pages.ts";
import { useOutbox } from "./use-outbox.ts";
import { usePausedSince } from "./use-paused-since.ts";
import { useSoldBefore } from "./use-sold-before.ts";

/** Who sells at this till, and where. */
export interface Till {
  readonly staffId: string;
  readonly environment: Environment;
  readonly currency: string;
  readonly currencyDivisor: number;
}

export type Counter = ReturnType<typeof useCounter>;

/** The moment the clerk takes the money. */
function confirmNow(attempt: Attempt, tendered: number): ConfirmedAttempt {
  return confirmAttempt(attempt, tendered, Date.now());
}

/** The panel shows the newest; the others answer whether a number was just sold to. */
const REMEMBERED_SALES = 30;

/** The counter's machine joined to the gateway: its state, what it shows, and what can be done. */
export function useCounter(till: Till) {
  const queryClient = useQueryClient();
  const [state, dispatch] = useReducer(counterReducer, INITIAL_COUNTER);
  const outbox = useOutbox(till.environment);
  const connection = useConnection();
  const [shownSales, setShownSales] = useState<readonly string[]>(() => {
    const unanswered = outbox.entries.map(({ attempt }) => attempt.saleId).toReversed();
    const last = findRecentSale(till, Date.now());
    return last === undefined || unanswered.includes(last) ? unanswered : [...unanswered, last];
  });

  const phone = useQuery({
    ...phoneQuery(state.digits),
    // What was known a digit ago stands until the next answer, unless the field was emptied.
    placeholderData: (previous: PosPhone | undefined) =>
      state.digits === "" ? undefined : previous,
  });
  const known = phone.isPlaceholderData ? undefined : phone.data;
  useEffect(() => {
    if (known) {
      dispatch({ type: "phone-known", digits: state.digits, phone: known });
    }
  }, [known, state.digits]);

  const brand = currentBrand(state);
  const offers = useQuery(offersQuery(state.phone?.country ?? "", brand?.brand ?? ""));
  const view = useMemo(
    () => viewOffers(offers.data?.list ?? [], { subType: state.subType, page: state.page }),
    [offers.data, state.subType, state.page],
  );
  const recents = useQuery(recentsQuery());

  const amount = state.amountOffer
    ? readAmount(state.amountOffer, state.amountSide, state.amountText)
    : undefined;
  const quote = useQuery(quoteQuery(amount?.input));

  const { attempt } = state;
  const repriced = useQuery(
    quoteQuery(
      attempt && attempt.basket.send === undefined
        ? {
            offerId: attempt.basket.offerId,
            ...(attempt.basket.value ? { value: attempt.basket.value } : {}),
          }
        : undefined,
    ),
  );
  const attemptId = attempt?.saleId;
  useEffect(() => {
    if (attemptId && repriced.data) {
      dispatch({ type: "quoted", saleId: attemptId, quote: repriced.data });
    } else if (attemptId && repriced.error instanceof ApiError) {
      removeAttempt(attemptId);
      dispatch({ type: "quote-failed", saleId: attemptId, error: repriced.error });
    }
  }, [attemptId, repriced.data, repriced.error]);

  // Stored as soon as it is opened, before anything is sent (product lesson 4).
  useLayoutEffect(() => {
    if (attempt && !state.paying) {
      saveAttempt(attempt);
    }
  }, [attempt, state.paying]);

  // A confirm step that was open when the till stopped opens again, with its ids.
  const { staffId, environment } = till;
  useEffect(() => {
    for (const stored of listAttempts().filter((candidate) => !isConfirmed(candidate))) {
      if (stored.staffId === staffId && stored.environment === environment) {
        dispatch({ type: "restored", attempt: stored });
      } else {
        removeAttempt(stored.saleId);
      }
    }
  }, [staffId, environment]);

  const saleContext = (): SaleContext => ({
    saleId: newId(),
    transactionId: newId(),
    environment: till.environment,
    staffId: till.staffId,
    openedAt: Date.now(),
  });

  const cash = attempt
    ? countCash(
        state.tenderText,
        attempt.basket.price,
        attempt.basket.priceCurrency,
        attempt.basket.priceCurrencyDivisor,
      )
    : undefined;

  const sold = useSoldBefore({ attempt, outbox, recents: recents.data, shownSales });
  const verdict = attempt ? judgeEarlier(attempt.basket, sold, attempt.openedAt) : undefined;

  /** Enter pays once; what might be a second time needs to be meant. */
  async function pay(meaning: "once" | "again" = "once") {
    if (!attempt || state.paying || !cash?.isEnough || cash.tendered === undefined) {
      return;
    }
    if (asksFirst(verdict) && meaning === "once") {
      return;
    }
    const confirmed = confirmNow(attempt, cash.tendered);
    saveAttempt(confirmed);
    dispatch({ type: "pay" });
    const result = await outbox.send(confirmed);
    if (result.kind === "refused") {
      const moved = result.error.errorCode === "PRICE_CHANGED" && result.error.fields.price;
      dispatch({
        type: "refused",
        error: result.error,
        ...(moved ? { price: Number(moved) } : {}),
      });
      return;
    }
    if (result.kind === "unanswered") {
      outbox.keep(confirmed);
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

  function undo() {
    if (state.paying) {
      return;
    }
    if (attempt) {
      removeAttempt(attempt.saleId);
    }
    dispatch({ type: "back" });
  }

  return {
    till,
    state,
    dispatch,
    outbox,
    shownSales,
    hideSale: (saleId: string) => setShownSales((now) => now.filter((id) => id !== saleId)),
    /** The last answer, which may be for fewer digits: good for a hint, never for a verdict. */
    phone: phone.data,
    phoneFailed: phone.error,
    /** No answer is to be had at the moment: it is asked again by itself. */
    phoneAway: phone.failureReason instanceof UnreachableError || connection === "reconnecting",
    brand,
    pausedSince: usePausedSince(state),
    offers,
    view,
    recents: recents.data?.list ?? [],
    recentsLoading: recents.isPending,
    amount,
    quote,
    cash,
    verdict,
    asksFirst: asksFirst(verdict),
    pay,
    undo,
    pickOffer: (offer: PosOffer) =>
      dispatch({ type: "offer-picked", offer, context: saleContext() }),
    repeat: (earlier: PosEarlierSale) =>
      dispatch({ type: "repeated", earlier, context: saleContext() }),
    enterAmount: () => {
      if (quote.data && amount?.input) {
        dispatch({ type: "amount-entered", quote: quote.data, context: saleContext() });
      }
    },
  };
}
