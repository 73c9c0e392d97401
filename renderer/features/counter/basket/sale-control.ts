import type { Translate } from "../../../lib/i18n.ts";
import { fractionDigits } from "../../../lib/money.ts";
import { amountText } from "../amount-text.ts";
import type { NextThing, StepControl } from "../step-control.ts";
import { noteText, quickNotes } from "../tender/cash-notes.ts";
import type { CurrentSale } from "./use-sale.ts";

interface Words {
  readonly t: Translate;
  readonly inShop: (minor: number) => string;
}

/** What the keys do while the sale is confirmed. */
export function saleControl(sale: CurrentSale, words: Words): StepControl {
  const { state, dispatch, till, tendered } = sale;
  const divisor = till.currencyDivisor;
  return {
    typing: "amount",
    next: paymentThing(sale, words),
    proceed: () => void sale.pay(),
    type: (edit) =>
      dispatch({
        type: "tender-typed",
        text: amountText(edit(state.tender.text), fractionDigits(divisor)),
      }),
    letter: (letter) => {
      const kind = TENDER_LETTERS[letter];
      if (kind) {
        dispatch({ type: "tender-added", kind });
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

const TENDER_LETTERS: Readonly<Record<string, "CARD" | "OTHER">> = { c: "CARD", o: "OTHER" };

function paymentThing(
  { state, tendered, verdict, asksFirst, total }: CurrentSale,
  { t, inShop }: Words,
): NextThing {
  if (state.paying) {
    return { label: t("counter.next.paying"), ready: false };
  }
  if (tendered && tendered.missing > 0) {
    return { label: t("counter.next.short", { amount: inShop(tendered.missing) }), ready: false };
  }
  if (tendered?.isAbsurd) {
    return { label: t("counter.next.notCash"), ready: false };
  }
  if (asksFirst) {
    const isOpen = verdict?.kind === "being-sent";
    return { label: t(isOpen ? "counter.next.beingSent" : "counter.next.sameAgain"), ready: false };
  }
  return {
    label: t("counter.next.pay", { price: inShop(total) }),
    ready: tendered?.isEnough ?? false,
  };
}
