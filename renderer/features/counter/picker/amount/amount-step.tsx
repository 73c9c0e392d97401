import { SegmentedControl } from "@mantine/core";
import { useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { ErrorNotice } from "../../../../components/notice.tsx";
import { amountText } from "../../../../lib/amount-text.ts";
import { TYPING_MS, useAnnounced, useAnnouncedElement } from "../../../../lib/announcer.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { expects } from "../../../../lib/key-edge.ts";
import { areWhole, fractionDigits } from "../../../../lib/money.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { Keypad, modeBeside, useKeypadShown } from "../../ui/keypad.tsx";
import stepClasses from "../../ui/step.module.css";
import { OWN_FIELD, type StepControl } from "../../ui/step-control.ts";
import { WalletNotice } from "../../ui/wallet.tsx";
import classes from "./amount-step.module.css";
import type { Amount, RangeOffer } from "./use-amount.ts";

interface AmountStepProps {
  readonly amount: Amount;
  readonly control: StepControl;
  readonly arrives: string;
}

/** Takes either the delivered amount or the price, and shows the other amount. */
export function AmountStep({ amount, control, arrives }: AmountStepProps) {
  const { t } = useTranslation();
  const [keypadShown] = useKeypadShown();
  const { offer, state, dispatch } = amount;
  if (!offer) {
    return null;
  }
  const { side, text } = state;
  return (
    <section className={stepClasses.card} aria-labelledby="amount-title">
      <div className={stepClasses.head}>
        <h1 id="amount-title" className="size-heading leading-120">
          {t("counter.amountTitle")}
        </h1>
        <SegmentedControl
          aria-label={t("counter.amountTitle")}
          value={side}
          onChange={(value) => dispatch({ type: "amount-side", side: value })}
          data={[
            { value: "ZEND", label: arrives },
            { value: "PRICE", label: t("counter.customerPays") },
          ]}
        />
      </div>
      <div className={classes.below}>
        <div className={classes.left}>
          <AmountField
            key={side}
            label={side === "ZEND" ? arrives : t("counter.customerPays")}
            range={side === "ZEND" ? offer.send : offer.price}
            increment={side === "PRICE" ? offer.price.increment : undefined}
            text={text}
            isOff={text !== "" && !amount.isAllowed}
            stepped={amount.stepped}
            onText={(typed) => dispatch({ type: "amount-typed", text: typed })}
          />
          <OtherSide amount={amount} arrives={arrives} />
          {amount.quote && amount.walletShort ? <WalletNotice short={amount.walletShort} /> : null}
        </div>
        {keypadShown ? <Keypad control={control} withPoint /> : null}
      </div>
      <p className="soft size-caption">
        <KeyCap>↑</KeyCap> <KeyCap>↓</KeyCap> {t("counter.switchSide")}
      </p>
    </section>
  );
}

interface AmountFieldProps {
  readonly label: string;
  readonly range: RangeOffer["send"];
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
  const [keypadShown] = useKeypadShown();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  const bounds = [range.min ?? 0, range.max ?? 0, increment ?? 0];
  const write = areWhole(bounds, range.currencyDivisor) ? format.moneyShort : format.money;
  const money = (minor: number) => write(minor, range.currency, range.currencyDivisor, "code");
  const away = stepped === undefined ? "" : t("counter.amountStepped", { amount: money(stepped) });
  useAnnounced(away, { afterMs: TYPING_MS });
  const limits = { min: money(range.min ?? 0), max: money(range.max ?? 0) };
  return (
    <div>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <div className={classes.field} data-field data-off={isOff}>
        <span className="soft size-label medium">{range.currency}</span>
        <input
          {...OWN_FIELD}
          {...expects("digits")}
          ref={field}
          id={id}
          className={classes.input}
          type="text"
          inputMode={modeBeside(keypadShown, "decimal")}
          autoComplete="off"
          value={format.typedAmount(text)}
          aria-invalid={isOff}
          aria-describedby={`${id}-limits ${id}-stepped`}
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
        <p id={`${id}-stepped`} className={classes.stepped}>
          {away}
        </p>
      )}
    </div>
  );
}

function OtherSide({ amount, arrives }: Pick<AmountStepProps, "amount" | "arrives">) {
  const { t } = useTranslation();
  const format = useFormat();
  const { quote, error, offer, state } = amount;
  const said = useRef<HTMLDivElement>(null);
  const told = quote && !error ? `${state.side} ${state.text} ${quote.price}` : undefined;
  useAnnouncedElement(said, told, { afterMs: TYPING_MS });
  if (error) {
    return <ErrorNotice words={errorWords(error, t, format)} />;
  }
  const isPaid = state.side === "ZEND";
  const empty = "—";
  const price = quote
    ? format.money(quote.price, quote.priceCurrency, quote.priceCurrencyDivisor)
    : empty;
  const send = quote
    ? format.money(quote.send, quote.sendCurrency, quote.sendCurrencyDivisor, "code")
    : empty;
  return (
    <div className="row gap-4 pad-4 round sunken">
      <BrandFace
        brand={offer?.brand ?? ""}
        name={offer?.brandName ?? ""}
        color={offer?.brandColor ?? ""}
        size="large"
      />
      <span ref={said}>
        <span className="soft">{isPaid ? t("counter.customerPays") : arrives}</span>
        <span className="block size-heading strong leading-120">{isPaid ? price : send}</span>
      </span>
    </div>
  );
}
