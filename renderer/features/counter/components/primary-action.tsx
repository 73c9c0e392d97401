import { useTranslation } from "react-i18next";
import { KeyCap } from "../../../components/key-cap.tsx";
import type { CurrentSale } from "../basket/use-sale.ts";
import type { Counter } from "../use-counter.ts";
import classes from "./primary-action.module.css";
import { SlowNotice } from "./slow-brand.tsx";

/** The one primary button: it names what Enter does next. */
export function PrimaryAction({ counter }: { readonly counter: Counter }) {
  const { control, sale, slowSince } = counter;
  return (
    <div className={classes.foot}>
      <div aria-live="polite">
        {slowSince === undefined ? null : <SlowNotice since={slowSince} boxed />}
      </div>
      <button
        type="button"
        className={classes.primary}
        disabled={!control.next.ready}
        onClick={(event) => {
          event.currentTarget.blur();
          control.proceed();
        }}
      >
        <span>{control.next.label}</span>
        <KeyCap>Enter</KeyCap>
      </button>
      {sale.state.confirming && sale.asksFirst && !sale.state.paying ? (
        <SellAgain sale={sale} />
      ) : null}
    </div>
  );
}

/** Apart from Enter and named: a second sale is never the next thing, only a wish. */
function SellAgain({ sale }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const kind = sale.verdict?.kind === "being-sent" ? "beingSent" : "sameAgain";
  return (
    <button
      type="button"
      className={classes.again}
      disabled={!sale.tendered?.isEnough}
      onClick={(event) => {
        event.currentTarget.blur();
        void sale.pay("again");
      }}
    >
      <span>{t(`counter.sellAgain.${kind}`)}</span>
      <KeyCap>F8</KeyCap>
    </button>
  );
}
