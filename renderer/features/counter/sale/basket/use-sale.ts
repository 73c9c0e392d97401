import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useContext, useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import { counterOperations } from "../../../../../server/contract/pos/counter.ts";
import { favouriteOperations } from "../../../../../server/contract/pos/favourites.ts";
import { readNeeds } from "../../../../../server/contract/pos/rights.ts";
import type { DiscountInput } from "../../../../../server/contract/pos/sale-lines.ts";
import { saleOperations } from "../../../../../server/contract/pos/sales.ts";
import { ApiError, call, hasErrorCode } from "../../../../lib/api-client.ts";
import { type Approve, sendApproved, useApproval } from "../../../../lib/approval-context.ts";
import { gatewayNow } from "../../../../lib/gateway-clock.ts";
import { newId } from "../../../../lib/new-id.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { useBefore } from "../../../../lib/use-before.ts";
import { ShopDayStartContext, ShopTimeZoneContext } from "../../../../lib/use-format.ts";
import { phoneQuery } from "../../api/counter-queries.ts";
import { brandsQuery } from "../../api/offer-queries.ts";
import { paidLine } from "../../api/wallet-queries.ts";
import { type Pause, pauseOf } from "../../ui/pause.tsx";
import { useWalletShort } from "../../ui/wallet.tsx";
import {
  type Attempt,
  type ConfirmedAttempt,
  confirmAttempt,
  isAt,
  isConfirmed,
  isOwn,
  listAttempts,
  removeAttempt,
  reopenAttempt,
  saveAttempt,
  takeOver,
  withApproval,
} from "../attempt/attempt-store.ts";
import { findRecentSale, rememberSale } from "../attempt/last-sale.ts";
import { type AttemptLine, type LineItem, totalOf } from "../attempt/line-item.ts";
import type { Till, TillPlace } from "../attempt/till.ts";
import { listPaidHere, useOutbox } from "../attempt/use-outbox.ts";
import { confirmsFirst, useSoldHere, worstEarlier } from "../earlier/earlier-sale.ts";
import { countTender, type Tendered } from "../tender/tender.ts";
import { hasMoved } from "./reprice.ts";
import { lineToAsk, useNumberAsk, useSaleCheck } from "./sale-checks.ts";
import type { Checks, SaleContext, SaleEvent, SaleState } from "./sale-state.ts";

/** Maximum wait for the permission to give a discount. */
const DISCOUNT_TIMEOUT_MS = 1_500;

/** Age at which an unpaid attempt is deleted: the duration of a sign-in. */
const ATTEMPT_EXPIRY_MS = 12 * 60 * 60 * 1000;

export type CurrentSale = ReturnType<typeof useSale>;

const NO_LINES: readonly AttemptLine[] = [];

/**
 * Number of remembered sales. The panel shows the newest; older sales serve to detect duplicates.
 */
const REMEMBERED_SALES = 30;

export function useSale(
  till: Till,
  state: SaleState,
  dispatch: (event: SaleEvent) => void,
  onNumberRefused: (line: AttemptLine) => void,
) {
  const [shownSales, setShownSales] = useShownSales(till);
  const outbox = useOutbox(till, (saleId) =>
    setShownSales((now) => [...now.filter((id) => id !== saleId), saleId]),
  );
  const { attempt } = state;
  const lines = attempt?.lines ?? NO_LINES;

  useStoredAttempt(till, state, dispatch);

  const total = totalOf(lines);
  const tendered = attempt ? countAt(till, state, total) : undefined;
  const { checks, ask } = useSaleCheck(state, dispatch);
  const soldHere = useSoldHere(outbox, shownSales);
  const judge = (known: Checks) =>
    attempt ? worstEarlier(attempt, { checks: known, ...soldHere }) : undefined;
  const verdict = judge(checks);
  const pauses = usePauses(lines);
  const pauseOfLine = ({ item }: AttemptLine) => pauses.get(item.brand);
  const isStopped = lines.some((line) => pauseOfLine(line)?.byHand);
  const asks = confirmsFirst(verdict);
  const walletShort = useWalletShort(
    state.confirming ? lines.map(({ item }) => paidLine(item)) : [],
  );

  const numberAsk = useNumberAsk(till, state, checks, { dispatch, onRefused: onNumberRefused });

  const pay = usePayment(till, {
    state,
    dispatch,
    attempt,
    tendered,
    isStopped: isStopped || walletShort !== undefined || numberAsk !== undefined,
    asks,
    judge,
    ask,
    outbox,
    onPaid: (saleId) => setShownSales((now) => [saleId, ...now].slice(0, REMEMBERED_SALES)),
  });
  usePayTypedAhead(state, dispatch, pay);
  const giveDiscount = useDiscount(attempt, dispatch);

  return {
    till,
    state,
    dispatch,
    lines,
    total,
    tendered,
    verdict,
    confirmsFirst: asks,
    numberAsk,
    pauseOfLine,
    isStopped,
    walletShort,
    pay,
    giveDiscount,
    outbox,
    shownSales,
    showSale: (saleId: string) => setShownSales((now) => [saleId, ...now]),
    hideSale: (saleId: string) => setShownSales((now) => now.filter((id) => id !== saleId)),
    checks,
    openLine: lines.find(({ transactionId }) => transactionId === attempt?.openLine),
    openDiscount: () => openDiscount(state, dispatch),
    compose: (item: LineItem) =>
      dispatch({ type: "composed", item, context: contextOf(till, newId(), newId()) }),
  };
}

function openDiscount(
  { attempt, confirming, paying }: SaleState,
  dispatch: (event: SaleEvent) => void,
): void {
  const { lines = NO_LINES, openLine } = attempt ?? {};
  const line = lines.find(({ transactionId }) => transactionId === openLine) ?? lines.at(-1);
  if (line && confirming && !paying) {
    const { transactionId } = line;
    dispatch({ type: "entry-opened", entry: { kind: "discount", transactionId, text: "" } });
  }
}

function countAt(till: Till, { tender }: SaleState, total: number): Tendered {
  const { currency, currencyDivisor: divisor, cashStep } = till;
  return countTender(tender, { total, currency, divisor, cashStep });
}

function contextOf(till: Till, saleId: string, transactionId: string): SaleContext {
  const { environment, training, staffId } = till;
  return { saleId, transactionId, environment, training, staffId, openedAt: Date.now() };
}

/** Uses the latest answers, because a pause may end during a sale. */
function usePauses(lines: readonly AttemptLine[]): ReadonlyMap<string, Pause> {
  const families = lines.flatMap(({ item }) => (item.number ? [] : [item.productType]));
  const lists = useQueries({
    queries: [...new Set(families)].map((family) => brandsQuery(family, true)),
  });
  const numbers = lines.flatMap(({ item }) => item.number ?? []);
  const phones = useQueries({
    queries: [...new Set(numbers)].map((number) => phoneQuery(number.slice(1))),
  });
  const brands = [
    ...lists.flatMap(({ data }) => data?.list ?? []),
    ...phones.flatMap(({ data }) => data?.brands ?? []),
  ];
  return new Map(
    brands.flatMap((brand) => {
      const pause = pauseOf(brand);
      return pause ? [[brand.brand, pause] as const] : [];
    }),
  );
}

/**
 * Returns the shown sales, newest first. A reload restores the unanswered sales and the last sale.
 */
function useShownSales(till: Till) {
  const timeZone = useContext(ShopTimeZoneContext);
  const dayStartsAt = useContext(ShopDayStartContext);
  return useState<readonly string[]>(() => {
    const unanswered = listPaidHere(till).map(({ saleId, confirmedAt }) => ({
      saleId,
      paidAt: confirmedAt,
    }));
    const last = findRecentSale({ ...till, day: { timeZone, dayStartsAt } }, Date.now());
    const newestFirst = [...unanswered, ...(last ? [last] : [])].sort(
      (one, other) => other.paidAt - one.paidAt,
    );
    return [...new Set(newestFirst.map(({ saleId }) => saleId))];
  });
}

/**
 * Stores each change of the attempt before any request (rules#idempotency-attempt-stored). After a
 * restart, restores this window's open attempt with its ids, or else the open attempt of a closed
 * window.
 */
function useStoredAttempt(
  { staffId, environment, training }: Till,
  { attempt, paying }: SaleState,
  dispatch: (event: SaleEvent) => void,
): void {
  const before = useBefore({ saleId: attempt?.saleId });
  const restore = useEffectEvent((open: Attempt) => {
    if (!attempt && !paying) {
      dispatch({ type: "restored", attempt: open });
    }
  });
  const store = useEffectEvent((open: Attempt) => {
    try {
      saveAttempt(open);
    } catch (error) {
      // The clerk sees the error. The payment stores the attempt again before any request.
      dispatch({ type: "not-stored", error });
    }
  });
  useLayoutEffect(() => {
    if (paying) {
      return;
    }
    if (before.saleId !== undefined && before.saleId !== attempt?.saleId) {
      forgetOpen(before.saleId);
    }
    if (attempt) {
      store(attempt);
    }
  }, [attempt, before.saleId, paying]);
  useEffect(() => {
    const place = { staffId, environment, training };
    forgetStale(place);
    const newestFirst = listAttempts()
      .filter((one) => !isConfirmed(one) && isAt(place, one))
      .reverse();
    const own = newestFirst.find(isOwn);
    if (own) {
      return restore(own);
    }
    let isGone = false;
    async function restoreLeftBehind() {
      for (const attempt of newestFirst) {
        if (!isGone && (await takeOver(attempt))) {
          return isGone ? undefined : restore(attempt);
        }
      }
    }
    // An attempt that cannot be moved stays with its own window.
    restoreLeftBehind().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [staffId, environment, training]);
}

/**
 * Deletes open attempts that have expired, or whose training session has ended. Keeps other
 * people's attempts for them.
 */
function forgetStale(place: TillPlace): void {
  const open = listAttempts().filter((one) => !isConfirmed(one) && !isAt(place, one));
  for (const attempt of open) {
    const isOver = attempt.training && attempt.staffId === place.staffId && isOwn(attempt);
    if (isOver || Date.now() - attempt.openedAt > ATTEMPT_EXPIRY_MS) {
      removeAttempt(attempt.saleId);
    }
  }
}

/** Deletes the sale's attempt, unless it is paid: a paid attempt is stored until the answer. */
function forgetOpen(saleId: string): void {
  const open = listAttempts().find((attempt) => attempt.saleId === saleId);
  if (open && !isConfirmed(open)) {
    removeAttempt(saleId);
  }
}

/**
 * Applies a discount at once, and requests the clerk's permission or a colleague's approval.
 * Without an answer, the payment repeats the request. An Enter typed ahead pays after the answer.
 */
function useDiscount(attempt: Attempt | undefined, dispatch: (event: SaleEvent) => void) {
  const approve = useApproval();
  return async (transactionId: string, discount: number) => {
    const line = attempt?.lines.find((one) => one.transactionId === transactionId);
    if (!attempt || !line) {
      return;
    }
    dispatch({ type: "discounted", transactionId, discount });
    const { offerId, value, price } = line.item;
    const ids = { saleId: attempt.saleId, transactionId, offerId };
    const asked = { ...ids, ...(value && { value }), price, discount };
    dispatch({ type: "discount-asked" });
    try {
      const answer = await approveDiscount(approve, asked);
      if (answer) {
        dispatch({ type: "discount-approved", transactionId, discount, ...answer });
      }
    } catch (error) {
      dispatch({ type: "discount-refused", transactionId, discount, error });
    }
    dispatch({ type: "discount-answered" });
  };
}

interface DiscountAnswer {
  readonly approvalId: string | undefined;
  readonly belowCost: boolean;
}

/**
 * @returns undefined if the gateway did not answer
 * @throws ApiError if a required approval was not given
 */
async function approveDiscount(
  approve: Approve,
  input: DiscountInput,
): Promise<DiscountAnswer | undefined> {
  if (input.discount === 0) {
    return undefined;
  }
  let belowCost = false;
  try {
    return await sendApproved(approve, input.saleId, async (approvalId) => {
      if (approvalId === undefined) {
        try {
          const asked = { body: input, timeoutMs: DISCOUNT_TIMEOUT_MS };
          const allowed = await call(saleOperations.checkDiscount, asked);
          belowCost = allowed.belowCost;
        } catch (error) {
          belowCost = needsBelowCost(error);
          throw error;
        }
      }
      return { approvalId, belowCost };
    });
  } catch (error) {
    if (hasErrorCode(error, "APPROVAL_REQUIRED")) {
      throw error;
    }
    return undefined;
  }
}

function needsBelowCost(error: unknown): boolean {
  const needs = error instanceof ApiError ? readNeeds(error.fields.needs ?? "") : [];
  return needs.some(({ right }) => right === "belowCost");
}

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
function usePayment(till: Till, payment: Payment) {
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

function usePayTypedAhead(
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
