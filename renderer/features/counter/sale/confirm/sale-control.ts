import { amountText } from "../../../../lib/amount-text.ts";
import { fractionDigits } from "../../../../lib/money.ts";
import { runScreenCommand } from "../../../../lib/screen-commands.ts";
import { type OfferedTender, offeredTenders } from "../../../../lib/tender-keys.ts";
import type { NextThing, StepControl, StepWords } from "../../ui/step-control.ts";
import { walletNext } from "../../ui/wallet.tsx";
import { discountText, readDiscount } from "../basket/discount-text.ts";
import type { SaleEntry, SaleEvent } from "../basket/sale-state.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import { type Held, LONGEST_LABEL } from "../held/use-held.ts";
import { noteText, quickNotes } from "../tender/counted-cash.ts";

export function saleControl(sale: CurrentSale, held: Held, words: StepWords): StepControl {
  if (sale.state.entry) {
    return entryControl(sale, sale.state.entry, held, words);
  }
  const { state, dispatch, till, tendered } = sale;
  const divisor = till.currencyDivisor;
  const { asksLook } = state;
  return {
    typing: "amount",
    next: {
      ...paymentThing(sale, words),
      ...(asksLook && { missing: words.t(`counter.look.${asksLook}`) }),
    },
    // Keys typed during the payment are meant for the next sale.
    ...(state.paying && { waits: "next" }),
    proceed: () => void sale.pay(),
    type: (edit) =>
      dispatch({
        type: "tender-typed",
        text: amountText(edit(state.tender.text), fractionDigits(divisor)),
      }),
    letters: ["d", "r", "w", ...offeredTenders(till.tenders).map(({ key }) => key)],
    letter: (letter) => {
      if (letter === "d") {
        sale.openDiscount();
      }
      if (letter === "r") {
        runScreenCommand("tender-reference");
      }
      if (letter === "w") {
        runScreenCommand("why-price");
      }
      const other = offeredTenders(till.tenders).find(({ key }) => key === letter);
      if (other) {
        dispatch(tenderAdded(other));
      }
    },
    move: (step) => {
      const due = tendered?.cashDue ?? 0;
      const notes = [due, ...quickNotes(due, till.currency, divisor)];
      const at = notes.indexOf(tendered?.tendered ?? due);
      const note = notes[(at + step + notes.length) % notes.length];
      dispatch({ type: "tender-typed", text: noteText(note, due, divisor) });
    },
  };
}

function entryControl(
  sale: CurrentSale,
  entry: SaleEntry,
  held: Held,
  { t }: StepWords,
): StepControl {
  const { dispatch, till } = sale;
  if (entry.kind === "hold") {
    return {
      typing: "words",
      next: {
        label: t("counter.next.hold"),
        ready: entry.text.trim() !== "" && !sale.state.holding && !sale.state.asksDiscount,
      },
      // Keys typed until the answer are meant for the next sale.
      ...(sale.state.holding && { waits: "next" }),
      proceed: () => held.hold(),
      type: (edit) =>
        dispatch({ type: "entry-typed", text: edit(entry.text).slice(0, LONGEST_LABEL) }),
    };
  }
  const { transactionId } = entry;
  const { discount } = readEntry(sale, entry);
  return {
    typing: "amount",
    next: {
      label: t("counter.next.discount"),
      ready: discount !== undefined,
      ...(sale.state.asksLook === "row" && { missing: t("counter.look.row") }),
    },
    proceed: () => {
      if (discount !== undefined) {
        void sale.giveDiscount(transactionId, discount);
      }
    },
    type: (edit) =>
      dispatch({
        type: "entry-typed",
        text: discountText(edit(entry.text), till.currencyDivisor),
      }),
  };
}

/** Reads the typed discount. `discount` is undefined if the discount exceeds `most`. */
export function readEntry(
  { lines, till }: Pick<CurrentSale, "lines" | "till">,
  { transactionId, text }: Extract<SaleEntry, { kind: "discount" }>,
): { readonly discount: number | undefined; readonly most: number } {
  const most = lines.find((line) => line.transactionId === transactionId)?.item.price ?? 0;
  return { discount: readDiscount(text, most, till.currencyDivisor), most };
}

/** Records a payment method. The first method of each kind is stored without an id. */
export function tenderAdded({ kind, tenderId, name }: OfferedTender): SaleEvent {
  return {
    type: "tender-added",
    kind,
    ...(tenderId !== kind && { tenderId }),
    ...(name !== undefined && { name }),
  };
}

function paymentThing(
  {
    state,
    tendered,
    verdict,
    confirmsFirst,
    isStopped,
    walletShort,
    numberAsk,
    total,
  }: CurrentSale,
  { t, inShop, inShopShort }: StepWords,
): NextThing {
  if (state.paying) {
    return { label: t("counter.next.paying"), ready: false };
  }
  if (isStopped) {
    return { label: t("counter.next.paused"), ready: false };
  }
  if (walletShort) {
    return walletNext(t);
  }
  if (numberAsk) {
    return { label: t("counter.next.numberAsk"), ready: false };
  }
  if (tendered && tendered.missing > 0) {
    return { label: t("counter.next.short", { amount: inShop(tendered.missing) }), ready: false };
  }
  if (tendered?.isAbsurd) {
    return { label: t("counter.next.notCash"), ready: false };
  }
  if (confirmsFirst) {
    const isOpen = verdict?.kind === "being-sent";
    return { label: t(isOpen ? "counter.next.beingSent" : "counter.next.sameAgain"), ready: false };
  }
  return {
    label:
      tendered?.tendered !== undefined && tendered.change > 0
        ? t("counter.next.payChange", {
            cash: inShopShort(tendered.tendered),
            change: inShopShort(tendered.change),
          })
        : t("counter.next.pay", { price: inShop(total) }),
    ready: tendered?.isEnough ?? false,
  };
}
