import { useTranslation } from "react-i18next";
import { KeyCap } from "../../../components/key-cap.tsx";
import type { Translate } from "../../../lib/i18n.ts";
import { type Format, useFormat } from "../../../lib/use-format.ts";
import { proceed } from "../counter-actions.ts";
import { type CounterStep, lastSale } from "../counter-state.ts";
import type { Counter } from "../use-counter.ts";
import classes from "./primary-action.module.css";
import { SlowNotice } from "./slow-brand.tsx";

interface NextThing {
  readonly label: string;
  readonly ready: boolean;
}

/** The steps that sell; the number has its own place for the notice, beside the brand. */
const SLOW_STEPS: readonly CounterStep[] = ["offer", "amount", "confirm"];

/** The one primary button: it names what Enter does next. */
export function PrimaryAction({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  const format = useFormat();
  const next = nextThing(counter, t, format);
  return (
    <div className={classes.foot}>
      <div aria-live="polite">
        {counter.pausedSince !== undefined && SLOW_STEPS.includes(counter.state.step) ? (
          <SlowNotice since={counter.pausedSince} boxed />
        ) : null}
      </div>
      <button
        type="button"
        className={classes.primary}
        disabled={!next.ready}
        onClick={(event) => {
          event.currentTarget.blur();
          proceed(counter);
        }}
      >
        <span>{next.label}</span>
        <KeyCap>Enter</KeyCap>
      </button>
      {counter.asksFirst && !counter.state.paying ? <SellAgain counter={counter} /> : null}
    </div>
  );
}

/** Apart from Enter and named: a second sale is never the next thing, only a wish. */
function SellAgain({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  const kind = counter.verdict?.kind === "being-sent" ? "beingSent" : "sameAgain";
  return (
    <button
      type="button"
      className={classes.again}
      disabled={!counter.cash?.isEnough}
      onClick={(event) => {
        event.currentTarget.blur();
        void counter.pay("again");
      }}
    >
      <span>{t(`counter.sellAgain.${kind}`)}</span>
      <KeyCap>F8</KeyCap>
    </button>
  );
}

function nextThing(counter: Counter, t: Translate, format: Format): NextThing {
  const { state, view, till } = counter;
  const inShop = (minor: number) => format.money(minor, till.currency, till.currencyDivisor);
  switch (state.step) {
    case "number": {
      const recent = state.recent === undefined ? undefined : counter.recents[state.recent];
      return recent
        ? { label: t("counter.next.again", { price: inShop(recent.price) }), ready: true }
        : { label: t("counter.next.number"), ready: state.phone?.valid ?? false };
    }
    case "carrier": {
      const focused = state.phone?.brands.find(({ brand }) => brand === state.focusedTile);
      return focused
        ? { label: t("counter.next.offerPicked", { title: focused.brandName }), ready: true }
        : { label: t("counter.next.carrier"), ready: false };
    }
    case "offer": {
      const focused = view.tiles.find(({ offerId }) => offerId === state.focusedTile);
      if (focused) {
        return { label: t("counter.next.offerPicked", { title: focused.title }), ready: true };
      }
      const earlier = lastSale(state);
      return earlier
        ? { label: t("counter.next.again", { price: inShop(earlier.price) }), ready: true }
        : { label: t("counter.next.offer"), ready: false };
    }
    case "amount": {
      const { quote, amount } = counter;
      return amount?.input && quote.data
        ? {
            label: t("counter.next.amountPriced", { price: inShop(quote.data.price) }),
            ready: true,
          }
        : { label: t("counter.next.amount"), ready: false };
    }
    case "confirm":
      return paymentThing(counter, t, inShop);
  }
}

function paymentThing(
  { state, cash, verdict, asksFirst }: Counter,
  t: Translate,
  inShop: (minor: number) => string,
): NextThing {
  if (state.paying) {
    return { label: t("counter.next.paying"), ready: false };
  }
  if (cash && cash.missing > 0) {
    return { label: t("counter.next.short", { amount: inShop(cash.missing) }), ready: false };
  }
  if (cash?.isAbsurd) {
    return { label: t("counter.next.notCash"), ready: false };
  }
  if (asksFirst) {
    const isOpen = verdict?.kind === "being-sent";
    return { label: t(isOpen ? "counter.next.beingSent" : "counter.next.sameAgain"), ready: false };
  }
  const price = inShop(state.attempt?.basket.price ?? 0);
  return { label: t("counter.next.pay", { price }), ready: cash?.isEnough ?? false };
}
