import { useQueryClient } from "@tanstack/react-query";
import { useContext, useEffect, useEffectEvent, useState } from "react";
import { counterOperations } from "../../../../../server/contract/pos/counter-operations.ts";
import { favouriteOperations } from "../../../../../server/contract/pos/favourite-operations.ts";
import { ApiError } from "../../../../lib/api-client.ts";
import { sendApproved, useApproval } from "../../../../lib/approval-context.ts";
import { newId } from "../../../../lib/new-id.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { ShopTimeZoneContext } from "../../../../lib/use-format.ts";
import { paidLine } from "../../api/wallet-queries.ts";
import { useWalletShort } from "../../ui/use-wallet-reach.ts";
import {
  type Attempt,
  type ConfirmedAttempt,
  confirmAttempt,
  saveAttempt,
  withApproval,
} from "../attempt/attempt-store.ts";
import { findRecentSale, rememberSale } from "../attempt/last-sale.ts";
import { type AttemptLine, type LineItem, totalOf } from "../attempt/line-item.ts";
import type { Till } from "../attempt/till.ts";
import { listPaidHere, useOutbox } from "../attempt/use-outbox.ts";
import { confirmsFirst, worstEarlier } from "../earlier/earlier-sale.ts";
import { useSoldHere } from "../earlier/use-sold-here.ts";
import { countTender, type Tendered } from "../tender/tender.ts";
import { approveDiscount } from "./approve-discount.ts";
import { pricesOfNow } from "./prices-of-now.ts";
import { hasMoved } from "./reprice.ts";
import type { Checks, SaleContext, SaleEvent, SaleState } from "./sale-state.ts";
import { usePauses } from "./use-pauses.ts";
import { useSaleCheck } from "./use-sale-check.ts";
import { useStoredAttempt } from "./use-stored-attempt.ts";

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
  const timeZone = useContext(ShopTimeZoneContext);
  const [shownSales, setShownSales] = useState<readonly string[]>(() => {
    const unanswered = listPaidHere(till).map(({ saleId, confirmedAt }) => ({
      saleId,
      paidAt: confirmedAt,
    }));
    const last = findRecentSale({ ...till, timeZone }, Date.now());
    const newestFirst = [...unanswered, ...(last ? [last] : [])].sort(
      (one, other) => other.paidAt - one.paidAt,
    );
    return [...new Set(newestFirst.map(({ saleId }) => saleId))];
  });
  const outbox = useOutbox(till, (saleId) =>
    setShownSales((now) => [...now.filter((id) => id !== saleId), saleId]),
  );
  const { attempt } = state;
  const lines = attempt?.lines ?? NO_LINES;

  useStoredAttempt(till, state, dispatch);

  const total = totalOf(lines);
  const tendered = attempt
    ? countTender(state.tender, { total, currency: till.currency, divisor: till.currencyDivisor })
    : undefined;
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

  /** Enter pays once; what might be a second time needs to be meant. */
  async function pay(meaning: "once" | "again" = "once") {
    if (!attempt || !state.confirming || state.paying || state.entry || !tendered?.isEnough) {
      return;
    }
    if (isStopped || walletShort || (asks && meaning === "once")) {
      return;
    }
    if (state.asksDiscount) {
      dispatch({ type: "pay-after" });
      return;
    }
    const confirmed = confirmNow(attempt, tendered.tenders);
    dispatch({ type: "pay" });
    // Another till may have sold the same, and a price may have moved, since the step opened.
    const now = meaning === "once" ? await ask(attempt) : undefined;
    if (now && (confirmsFirst(judge(now)) || hasMoved(lines, now) || isPausedByHand(now))) {
      void invalidateAnswers(queryClient, [counterOperations.describePhone]);
      dispatch({ type: "checked", checks: now, heldBack: true });
      return;
    }
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
      training: till.training,
      saleId: confirmed.saleId,
      paidAt: confirmed.confirmedAt,
    });
    setShownSales((now) => [confirmed.saleId, ...now].slice(0, REMEMBERED_SALES));
    dispatch({ type: "answered" });
    void invalidateAnswers(queryClient, [
      counterOperations.listRecents,
      favouriteOperations.list,
      counterOperations.describePhone,
    ]);
  }

  /**
   * Takes it off at once, and asks whether the clerk may, or a colleague who may; at the payment where
   * nobody answers. An Enter that is typed ahead pays when that is known.
   */
  async function giveDiscount(transactionId: string, discount: number) {
    const line = lines.find((one) => one.transactionId === transactionId);
    if (!attempt || !line) {
      return;
    }
    dispatch({ type: "discounted", transactionId, discount });
    const { offerId, value, price } = line.item;
    const ids = { saleId: attempt.saleId, transactionId, offerId };
    const asked = { ...ids, ...(value ? { value } : {}), price, discount };
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

  return {
    till,
    state,
    dispatch,
    lines,
    total,
    tendered,
    verdict,
    confirmsFirst: asks,
    pauseOfLine,
    /** The owner has paused a brand of it: it cannot be sold now. */
    isStopped,
    /** What the wallet can pay for, where it cannot pay for all of the lines. */
    walletShort,
    pay,
    giveDiscount,
    outbox,
    shownSales,
    hideSale: (saleId: string) => setShownSales((now) => now.filter((id) => id !== saleId)),
    /** What the gateway says of each line, by transaction id. */
    checks,
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

function isPausedByHand(checks: Checks): boolean {
  return [...checks.values()].some(({ pausedByHand }) => pausedByHand);
}

function contextOf(till: Till, saleId: string, transactionId: string): SaleContext {
  const { environment, training, staffId } = till;
  return { saleId, transactionId, environment, training, staffId, openedAt: Date.now() };
}
