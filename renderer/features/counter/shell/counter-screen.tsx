import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Family } from "../../../../server/contract/pos/families.ts";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { useUnreadKeys } from "../../../lib/key-edge.ts";
import { isDialogOpen } from "../../../lib/open-dialogs.ts";
import { isFocusLost, restFocus, restOnScreen } from "../../../lib/rest-focus.ts";
import { runScreenCommand } from "../../../lib/screen-commands.ts";
import { useBefore } from "../../../lib/use-before.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useSame } from "../../../lib/use-same.ts";
import { detailsOf, FIRST_FAMILY } from "../families/index.ts";
import type { CounterWish } from "../families/interface/counter-wish.ts";
import type { ThingFinder } from "../families/interface/sold-thing.ts";
import type { Till } from "../sale/attempt/till.ts";
import { ConfirmStep } from "../sale/confirm/confirm-step.tsx";
import { HeldStep } from "../sale/held/held-step.tsx";
import { type CustomerSide, useCustomerSide } from "../sale/shown/customer-side.ts";
import stepClasses from "../ui/open-step.module.css";
import type { CounterActions } from "./counter-actions.ts";
import { nameOfStep, typedText, underArrows } from "./counter-place.ts";
import classes from "./counter-screen.module.css";
import { SalePanel } from "./sale-panel.tsx";
import { type Counter, useCounter } from "./use-counter.ts";
import { useCounterKeys } from "./use-counter-keys.ts";

/** What the address names until it is taken out of it. */
class TakenWish {
  #taken: string | undefined;

  /** Whether it is another than before. */
  takes(named: string): boolean {
    const isNew = this.#taken !== named;
    this.#taken = named;
    return isNew;
  }

  forget(): void {
    this.#taken = undefined;
  }
}

interface CounterScreenProps {
  readonly till: Till;
  readonly family: Family;
  /** Which request of `onFamily` led to it; absent where something else did. */
  readonly asked?: number | undefined;
  readonly onFamily: (family: Family, asked: number) => void;
  /** What was looked for elsewhere, once; said to be taken as soon as it is typed here. */
  readonly wish?: CounterWish | undefined;
  readonly onWishTaken: () => void;
  /** Is told what the customer may see, whenever it changes. */
  readonly onCustomerSide: (side: CustomerSide) => void;
  /** Is told when money is being taken, and when that has ended. */
  readonly onPaying?: (paying: boolean) => void;
  /** Searches what is sold, once it is known. */
  readonly finder?: ThingFinder | undefined;
  /** Shows a sale that was made before. */
  readonly onSale?: ((sale: Sale) => void) | undefined;
  /** What stands below the start while nothing is typed: the day, and what waits. */
  readonly glance?: ReactNode;
  /** Prints the receipt of a sale; rejects when it was not printed. */
  readonly onPrint: (saleId: string) => Promise<void>;
}

/** The main screen: who and what on the left, how much and what became of it on the right. */
export function CounterScreen({
  till,
  family,
  asked,
  onFamily,
  wish,
  onWishTaken,
  onCustomerSide,
  onPaying,
  finder,
  onSale,
  glance,
  onPrint,
}: CounterScreenProps) {
  const { t } = useTranslation();
  const counter = useCounter(till, { family, asked }, onFamily, { finder, onSale });
  const { missing, onProceed } = useMissing(counter);
  const actions: CounterActions = { proceeding: onProceed, run: runScreenCommand };
  useCounterKeys(counter, actions);
  useCounterFocus(counter);
  const { fulfil, state } = counter;
  useWish(wish, state.family === family, (wished) => {
    fulfil(wished);
    onWishTaken();
  });
  useTelling(state.sale.paying, onPaying);
  useTelling(useSame(useCustomerSide(counter.sale, !counter.isUntouched)), onCustomerSide);
  const work = useRef<HTMLElement>(null);
  const receipt = useRef<HTMLDivElement>(null);
  useInSight(counter, work, receipt);
  return (
    <div className={classes.counter}>
      <main
        ref={work}
        className={classes.work}
        aria-label={t(`family.${counter.state.family}.tab`)}
      >
        {counter.state.sale.confirming ? (
          <div className={stepClasses.step} key="confirm">
            <ConfirmStep
              sale={counter.sale}
              held={counter.held}
              control={counter.control}
              detailsOf={detailsOf}
              onUndo={counter.undo}
            />
          </div>
        ) : (
          <>
            <SaleError counter={counter} />
            {counter.held.isOpen ? (
              <HeldStep held={counter.held} />
            ) : (
              counter.steps(counter.control)
            )}
            {isAtStart(counter) ? glance : null}
          </>
        )}
      </main>
      <SalePanel counter={counter} missing={missing} onPrint={onPrint} receipt={receipt} />
    </div>
  );
}

/** Tells of a value, and of each that comes after it. */
function useTelling<Value>(value: Value, tell: ((now: Value) => void) | undefined): void {
  const tellNow = useEffectEvent((now: Value) => tell?.(now));
  useEffect(() => tellNow(value), [value]);
}

/** Nothing is typed, and the next customer is served here. */
function isAtStart({ isUntouched, state, held }: Counter): boolean {
  return isUntouched && !held.isOpen && state.family === FIRST_FAMILY;
}

/**
 * Where the whole page is scrolled, each step begins at its top, and what became of the sale that
 * was just paid is in sight. Elsewhere both stand beside each other, and nothing moves.
 */
function useInSight(
  { step, sale }: Counter,
  work: RefObject<HTMLElement | null>,
  receipt: RefObject<HTMLDivElement | null>,
): void {
  const paid = sale.lines.length === 0 ? sale.shownSales[0] : undefined;
  const before = useBefore({ step, paid });
  useEffect(() => {
    if (paid !== undefined && paid !== before.paid) {
      receipt.current?.scrollIntoView?.({ block: "start" });
    } else if (step !== before.step) {
      work.current?.scrollIntoView?.({ block: "start" });
    }
  }, [step, paid, before, work, receipt]);
}

/** Why a line did not get into the sale. */
function SaleError({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { error } = counter.state.sale;
  // While a name or a discount is typed, the error stands beside it.
  return error && !counter.state.sale.entry ? (
    <ErrorNotice words={errorWords(error, t, format)} />
  ) : null;
}

/**
 * The focus follows the arrow keys to what they choose, returns to the step's own field from there, and
 * is never lost: where a step has no field, or the focused element is gone, the screen has it.
 */
function useCounterFocus({ state }: Counter): void {
  const chosen = underArrows(state);
  useEffect(() => {
    if (chosen !== undefined) {
      document
        .querySelector<HTMLElement>(
          "[data-own-keys] [data-focused=true], [data-own-keys][data-focused=true]",
        )
        ?.focus({ preventScroll: true });
    } else if (document.activeElement?.closest("[data-own-keys]")) {
      restFocus();
    }
  }, [chosen]);
  useEffect(() => {
    if (isFocusLost() && !isDialogOpen()) {
      restOnScreen();
    }
  });
}

/** What is missing for Enter to go on, from its press until something else is typed. */
function useMissing({ state, control }: Counter) {
  const { t } = useTranslation();
  const isUnread = useUnreadKeys();
  const place = `${nameOfStep(state)} ${typedText(state)}`;
  const [tried, setTried] = useState<string>();
  // A mistake at the payment is shown before Enter is pressed, too.
  const missing = tried === place || state.sale.asksLook ? control.next.missing : undefined;
  return {
    missing: isUnread ? t("keyboard.unread") : missing,
    onProceed: () => setTried(place),
  };
}

/**
 * Takes what was looked for elsewhere, once the family it is for is open. It is taken once, however often
 * the address still names it: what was typed behind it since would be gone.
 */
function useWish(
  wish: CounterWish | undefined,
  isOpen: boolean,
  onTake: (wish: CounterWish) => void,
): void {
  const [taken] = useState(() => new TakenWish());
  const named = wish && JSON.stringify(wish);
  const take = useEffectEvent(() => wish && onTake(wish));
  useEffect(() => {
    if (named === undefined) {
      taken.forget();
    } else if (isOpen && taken.takes(named)) {
      take();
    }
  }, [taken, named, isOpen]);
}
