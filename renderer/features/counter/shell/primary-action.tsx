import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { KeyCap } from "../../../components/key-cap.tsx";
import { useAnnounced } from "../../../lib/announcer.ts";
import { letGo } from "../../../lib/rest-focus.ts";
import type { CurrentSale } from "../sale/basket/use-sale.ts";
import { SALE_IN_SHORT_ID, SaleInShort } from "../sale/confirm/sale-in-short.tsx";
import { PauseNotice } from "../ui/brand-pause.tsx";
import classes from "./primary-action.module.css";
import type { Counter } from "./use-counter.ts";

interface PrimaryActionProps {
  readonly counter: Counter;
  readonly missing: string | undefined;
}

/** The one primary button: it names what Enter does next. */
export function PrimaryAction({ counter, missing }: PrimaryActionProps) {
  const { control, sale, pause } = counter;
  useAnnounced(missing, { urgency: "assertive" });
  return (
    <div className={classes.foot}>
      <div aria-live="polite">{pause ? <PauseNotice pause={pause} boxed /> : null}</div>
      {sale.state.confirming ? <SaleInShort sale={sale} /> : null}
      {missing === undefined ? null : <p className={classes.missing}>{missing}</p>}
      <button
        type="button"
        className={classes.primary}
        data-primary
        disabled={!control.next.ready}
        aria-describedby={sale.state.confirming ? SALE_IN_SHORT_ID : undefined}
        onClick={(event) => {
          letGo(event);
          control.proceed();
        }}
      >
        {/* Another label is another button to the eye: it appears, and nothing of the old one moves. */}
        <Fragment key={control.next.label}>
          <span>{control.next.label}</span>
          <KeyCap>Enter</KeyCap>
        </Fragment>
      </button>
      {sale.state.confirming &&
      sale.confirmsFirst &&
      !sale.isStopped &&
      !sale.walletShort &&
      !sale.state.paying ? (
        <SellAgain sale={sale} />
      ) : null}
    </div>
  );
}

/** Apart from Enter and named: a second sale is never the next step by itself, only a deliberate choice. */
function SellAgain({ sale }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const kind = sale.verdict?.kind === "being-sent" ? "beingSent" : "sameAgain";
  return (
    <button
      type="button"
      className={classes.again}
      data-sells
      disabled={!sale.tendered?.isEnough}
      onClick={(event) => {
        letGo(event);
        void sale.pay("again");
      }}
    >
      <span>{t(`counter.sellAgain.${kind}`)}</span>
      <KeyCap>F8</KeyCap>
    </button>
  );
}
