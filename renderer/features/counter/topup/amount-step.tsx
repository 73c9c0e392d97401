import { SegmentedControl } from "@mantine/core";
import { useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { PosOffer } from "../../../../server/contract/pos/counter.ts";
import { BrandMonogram } from "../../../components/brand-monogram.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { ErrorNotice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { areWhole, fractionDigits } from "../../../lib/money.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { amountText } from "../amount-text.ts";
import { Keypad, useKeypadShown } from "../components/keypad.tsx";
import stepClasses from "../components/step.module.css";
import { OWN_FIELD } from "../use-counter-keys.ts";
import classes from "./amount-step.module.css";
import type { TopupStepProps } from "./topup-step.ts";
import type { Topup } from "./use-topup.ts";

/** Any amount of a range: named by what arrives or by what is paid, the other side shown live. */
export function AmountStep({ topup, control }: TopupStepProps) {
  const { t } = useTranslation();
  const [keypadShown] = useKeypadShown();
  const offer = topup.state.amountOffer;
  if (!offer) {
    return null;
  }
  const { amountSide: side, amountText: text } = topup.state;
  return (
    <section className={stepClasses.card} aria-labelledby="amount-title">
      <div className={stepClasses.head}>
        <h1 id="amount-title" className={stepClasses.title}>
          {t("counter.amountTitle")}
        </h1>
        <SegmentedControl
          aria-label={t("counter.amountTitle")}
          value={side}
          onChange={(value) => topup.dispatch({ type: "amount-side", side: value })}
          data={[
            { value: "ZEND", label: t("counter.phoneReceives") },
            { value: "PRICE", label: t("counter.customerPays") },
          ]}
        />
      </div>
      <div className={classes.below}>
        <div className={classes.left}>
          <AmountField
            key={side}
            label={t(side === "ZEND" ? "counter.phoneReceives" : "counter.customerPays")}
            range={side === "ZEND" ? offer.send : offer.price}
            increment={side === "PRICE" ? offer.price.increment : undefined}
            text={text}
            isOff={text !== "" && topup.amount?.input === undefined}
            stepped={topup.amount?.stepped}
            onText={(typed) => topup.dispatch({ type: "amount-typed", text: typed })}
          />
          <OtherSide topup={topup} offer={offer} />
        </div>
        {keypadShown ? (
          <Keypad
            withPoint
            onDigit={(digit) => control.type?.((typed) => typed + digit)}
            onErase={() => control.type?.((typed) => typed.slice(0, -1))}
          />
        ) : null}
      </div>
      <p className={stepClasses.small}>
        <KeyCap>↑</KeyCap> <KeyCap>↓</KeyCap> {t("counter.switchSide")}
      </p>
    </section>
  );
}

interface AmountFieldProps {
  readonly label: string;
  readonly range: PosOffer["send"];
  readonly increment: number | undefined;
  readonly text: string;
  readonly isOff: boolean;
  readonly stepped: number | undefined;
  readonly onText: (text: string) => void;
}

function AmountField(props: AmountFieldProps) {
  const { label, range, increment, text, isOff, stepped, onText } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  const bounds = [range.min ?? 0, range.max ?? 0, increment ?? 0];
  const write = areWhole(bounds, range.currencyDivisor) ? format.moneyShort : format.money;
  const money = (minor: number) => write(minor, range.currency, range.currencyDivisor, "code");
  const limits = { min: money(range.min ?? 0), max: money(range.max ?? 0) };
  return (
    <div>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <div className={classes.field} data-off={isOff}>
        <span className={classes.currency}>{range.currency}</span>
        <input
          {...OWN_FIELD}
          ref={field}
          id={id}
          className={classes.input}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          value={format.typedAmount(text)}
          aria-invalid={isOff}
          aria-describedby={`${id}-limits`}
          onChange={({ currentTarget }) =>
            onText(amountText(currentTarget.value, fractionDigits(range.currencyDivisor)))
          }
        />
      </div>
      <p id={`${id}-limits`} className={classes.limits} data-off={isOff}>
        {t(isOff ? "counter.amountOff" : "counter.amountBetween", limits)}
        {increment && increment > 1
          ? ` ${t("counter.amountStep", { step: money(increment) })}`
          : null}
      </p>
      {stepped === undefined ? null : (
        <p className={classes.stepped} role="status">
          {t("counter.amountStepped", { amount: money(stepped) })}
        </p>
      )}
    </div>
  );
}

function OtherSide({ topup, offer }: { readonly topup: Topup; readonly offer: PosOffer }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { quote, amount, state } = topup;
  if (quote.error && amount?.input) {
    return <ErrorNotice words={errorWords(quote.error, t, format)} />;
  }
  const data = amount?.input ? quote.data : undefined;
  const isPaid = state.amountSide === "ZEND";
  const empty = "—";
  const price = data
    ? format.money(data.price, data.priceCurrency, data.priceCurrencyDivisor)
    : empty;
  const send = data
    ? format.money(data.send, data.sendCurrency, data.sendCurrencyDivisor, "code")
    : empty;
  return (
    <div className={classes.other} aria-live="polite">
      <BrandMonogram name={offer.brandName} color={topup.brand?.brandColor ?? ""} size="large" />
      <span>
        <span className={stepClasses.quiet}>
          {t(isPaid ? "counter.customerPays" : "counter.phoneReceives")}
        </span>
        <span className={classes.result}>{isPaid ? price : send}</span>
      </span>
    </div>
  );
}
