import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FAMILIES, FAMILY_FACTS, type Family } from "../../../../server/contract/pos/families.ts";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { ErrorNotice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { useUnreadKeys } from "../../../lib/key-edge.ts";
import { isDialogOpen } from "../../../lib/open-dialogs.ts";
import { isFocusLost, letGo, restFocus, restOnScreen } from "../../../lib/rest-focus.ts";
import { runScreenCommand } from "../../../lib/screen-commands.ts";
import { useBefore, useSame } from "../../../lib/use-before.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { FIRST_FAMILY } from "../families/family-address.ts";
import { detailsOf, PLUGINS } from "../families/index.ts";
import type { CounterWish } from "../families/interface/family.ts";
import type { ThingFinder } from "../families/interface/sold-thing.ts";
import type { Till } from "../sale/attempt/till.ts";
import { awaitsAnswer } from "../sale/basket/sale-state.ts";
import { ConfirmStep } from "../sale/confirm/confirm-step.tsx";
import { HeldStep } from "../sale/held/held-step.tsx";
import { type CustomerSide, useCustomerSide } from "../sale/shown/customer-side.ts";
import { SaleResult } from "../sale/shown/sale-result.tsx";
import { FamilyButtonsContext, ResultContext } from "../ui/family-buttons.ts";
import stepClasses from "../ui/open-step.module.css";
import classes from "./counter-screen.module.css";
import { nameOfStep, typedText, underArrows } from "./counter-state.ts";
import type { CounterActions } from "./press-key.ts";
import { SalePanel } from "./sale-panel.tsx";
import { type Counter, useCounter } from "./use-counter.ts";
import { useCounterKeys } from "./use-counter-keys.ts";

/** Remembers the applied wish, so that a wish that stays in the address is applied only once. */
class TakenWish {
  #taken: string | undefined;

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
  /**
   * Sequence number of the `onFamily` call that changed `family`. Undefined if `family` changed for
   * another reason.
   */
  readonly asked?: number | undefined;
  readonly onFamily: (family: Family, asked: number) => void;
  /**
   * Search from another screen. `onWishTaken` is called after the search is typed into this screen.
   */
  readonly wish?: CounterWish | undefined;
  readonly onWishTaken: () => void;
  readonly onCustomerSide: (side: CustomerSide) => void;
  readonly onPaying?: (paying: boolean) => void;
  readonly finder?: ThingFinder | undefined;
  readonly onSale?: ((sale: Sale) => void) | undefined;
  /** Rejects if the receipt was not printed. */
  readonly onPrint: (saleId: string) => Promise<void>;
}

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
  useTelling(awaitsAnswer(state.sale), onPaying);
  useTelling(useSame(useCustomerSide(counter.sale, !counter.isUntouched)), onCustomerSide);
  const work = useRef<HTMLElement>(null);
  useInSight(counter, work);
  return (
    <div className={classes.counter} data-counter>
      <main
        ref={work}
        className={classes.work}
        aria-label={t(`family.${counter.state.family}.tab`)}
      >
        {counter.state.sale.confirming ? (
          <div className={stepClasses.step} key="confirm">
            <ConfirmStep
              sale={counter.sale}
              control={counter.control}
              held={counter.held}
              detailsOf={detailsOf}
              onUndo={counter.undo}
            >
              <FamilyButtons counter={counter} />
            </ConfirmStep>
          </div>
        ) : (
          <Composing counter={counter} />
        )}
      </main>
      <SalePanel counter={counter} missing={missing} onPrint={onPrint} />
    </div>
  );
}

function Composing({ counter }: { readonly counter: Counter }) {
  const { result, held } = counter;
  if (held.isOpen) {
    return (
      <>
        <SaleError counter={counter} />
        <HeldStep held={held} />
      </>
    );
  }
  const shown = result && (
    <SaleResult
      key={result.saleId}
      saleId={result.saleId}
      sale={counter.sale}
      isReopened={result.isReopened}
      below={soldParts}
    />
  );
  return (
    <>
      <SaleError counter={counter} />
      <FamilyButtonsContext value={<FamilyButtons counter={counter} />}>
        <ResultContext value={shown}>{counter.steps(counter.control)}</ResultContext>
      </FamilyButtonsContext>
    </>
  );
}

function useTelling<Value>(value: Value, tell: ((now: Value) => void) | undefined): void {
  const tellNow = useEffectEvent((now: Value) => tell?.(now));
  useEffect(() => tellNow(value), [value]);
}

/** Scrolls to the top for a new step or a new result. */
function useInSight({ step, result }: Counter, work: RefObject<HTMLElement | null>): void {
  const shown = `${step} ${result?.saleId}`;
  const before = useBefore({ shown });
  useEffect(() => {
    if (shown !== before.shown) {
      work.current?.scrollTo?.({ top: 0 });
    }
  }, [shown, before, work]);
}

function soldParts({ lines }: Sale): ReactNode {
  return FAMILIES.map((family) => {
    const { Sold } = PLUGINS[family];
    const ofFamily = lines.filter(({ productType }) => productType === family);
    return Sold && ofFamily.length > 0 ? <Sold key={family} lines={ofFamily} /> : null;
  });
}

function FamilyButtons({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  const { state, pickFamily } = counter;
  const isChosen = (family: Family) =>
    !state.sale.confirming && family === state.family && family !== FIRST_FAMILY;
  return (
    <fieldset className={classes.families} aria-label={t("counter.families")}>
      {FAMILIES.map((family) => {
        const { Icon } = PLUGINS[family];
        const { key } = FAMILY_FACTS[family];
        return (
          <button
            key={family}
            type="button"
            className={classes.family}
            aria-pressed={isChosen(family)}
            title={`${t(`family.${family}.tab`)} (${key})`}
            disabled={state.sale.paying}
            onClick={(event) => {
              letGo(event);
              pickFamily(isChosen(family) ? FIRST_FAMILY : family);
            }}
          >
            <Icon className="flex-none accent" size="1.25rem" stroke={1.75} aria-hidden="true" />
            <span>{t(`family.${family}.tab`)}</span>
            <KeyCap>{key}</KeyCap>
          </button>
        );
      })}
    </fieldset>
  );
}

function SaleError({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { error } = counter.state.sale;
  // A name or a discount has its own error message.
  return error && !counter.state.sale.entry ? (
    <ErrorNotice words={errorWords(error, t, format)} />
  ) : null;
}

/**
 * Moves the focus to the tile selected with the arrow keys, and back to the step's own field.
 * Without a field, or after the focused element was removed, the screen gets the focus.
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

/** Returns the reason why the step is incomplete, between Enter and the next input. */
function useMissing({ state, control, result }: Counter) {
  const { t } = useTranslation();
  const isUnread = useUnreadKeys();
  const place = `${nameOfStep(state)} ${typedText(state)}`;
  const [tried, setTried] = useState<string>();
  // Text at the payment that the clerk has not seen is reported even before Enter.
  const missing = tried === place || state.sale.asksLook ? control.next.missing : undefined;
  return {
    missing: isUnread ? t("keyboard.unread") : missing,
    // If Enter closed a result, the empty field shows no reason yet.
    onProceed: () => setTried(result ? undefined : place),
  };
}

/**
 * Applies a search from another screen after its family has opened. Applies it only once, although
 * it stays in the address: a repeat would overwrite later input.
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
