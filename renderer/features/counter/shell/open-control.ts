import type { OpenFamily } from "../families/interface/family.ts";
import type { CurrentSale } from "../sale/basket/use-sale.ts";
import { saleControl } from "../sale/confirm/sale-control.ts";
import { type Held, heldControl } from "../sale/held/use-held.ts";
import type { StepControl, StepWords } from "../ui/step-control.ts";

interface Open {
  readonly open: OpenFamily;
  readonly sale: CurrentSale;
  readonly held: Held;
  readonly isUntouched: boolean;
  readonly result: { readonly shown: { readonly close: () => void } | undefined };
  readonly askAgain: () => void;
}

export function openControl({ open, sale, held, ...rest }: Open, words: StepWords): StepControl {
  if (sale.state.confirming || sale.state.entry) {
    return saleControl(sale, held, words);
  }
  if (held.isOpen) {
    return heldControl(held, words);
  }
  const composed = stoppable(open, words);
  const control = composed.asksAgain ? { ...composed, proceed: rest.askAgain } : composed;
  const { shown } = rest.result;
  if (shown) {
    const next = { label: words.t("counter.next.newSale"), ready: true };
    return { ...control, next, proceed: shown.close };
  }
  // If no line is started, Enter opens the payment of the basket.
  return rest.isUntouched && sale.lines.length > 0
    ? {
        ...control,
        next: {
          label: words.t("counter.next.basket", {
            price: words.inShop(sale.total),
          }),
          ready: true,
        },
        proceed: () => sale.dispatch({ type: "basket-opened" }),
      }
    : control;
}

function stoppable({ control, pause, ignoresPause }: OpenFamily, { t }: StepWords): StepControl {
  if (!pause?.byHand || ignoresPause) {
    return control;
  }
  const { typing, holdsNumber, holdsName, type, turnTab, turnPage, move, moveTo } = control;
  return {
    typing,
    ...(holdsNumber !== undefined && { holdsNumber }),
    ...(holdsName !== undefined && { holdsName }),
    next: { label: t("counter.next.paused"), ready: false },
    proceed: () => undefined,
    ...(type && { type }),
    ...(move && { move }),
    ...(moveTo && { moveTo }),
    ...(turnTab && { turnTab }),
    ...(turnPage && { turnPage }),
  };
}
