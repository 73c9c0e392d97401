import { newId } from "../../../../lib/new-id.ts";
import { paidLine } from "../../api/wallet-queries.ts";
import { useWalletShort } from "../../ui/use-wallet-reach.ts";
import { type AttemptLine, type LineItem, totalOf } from "../attempt/line-item.ts";
import type { Till } from "../attempt/till.ts";
import { useOutbox } from "../attempt/use-outbox.ts";
import { confirmsFirst, worstEarlier } from "../earlier/earlier-sale.ts";
import { useSoldHere } from "../earlier/use-sold-here.ts";
import { countTender, type Tendered } from "../tender/tender.ts";
import type { Checks, SaleContext, SaleEvent, SaleState } from "./sale-state.ts";
import { useDiscount } from "./use-discount.ts";
import { useNumberAsk } from "./use-number-ask.ts";
import { usePauses } from "./use-pauses.ts";
import { usePayment, usePayTypedAhead } from "./use-payment.ts";
import { useSaleCheck } from "./use-sale-check.ts";
import { useShownSales } from "./use-shown-sales.ts";
import { useStoredAttempt } from "./use-stored-attempt.ts";

export type CurrentSale = ReturnType<typeof useSale>;

const NO_LINES: readonly AttemptLine[] = [];

/** The panel shows the newest; the others answer whether a number was just sold to. */
const REMEMBERED_SALES = 30;

/** The machine of the sale joined to the gateway, with what was paid and not answered yet. */
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
    /** The customer is to confirm a number before it is paid. */
    numberAsk,
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
