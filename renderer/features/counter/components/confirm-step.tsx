import { IconAlertTriangle, IconArrowBackUp } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { BrandMonogram } from "../../../components/brand-monogram.tsx";
import { FitText } from "../../../components/fit-text.tsx";
import { Flag } from "../../../components/flag.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { offerContents } from "../../../lib/offer-title.ts";
import { type Format, useFormat } from "../../../lib/use-format.ts";
import { useLineTitle } from "../../../lib/use-line-title.ts";
import type { Basket } from "../attempt-store.ts";
import { carryOut, type StepProps } from "../counter-actions.ts";
import type { Counter } from "../use-counter.ts";
import classes from "./confirm-step.module.css";
import { Keypad, useKeypadShown } from "./keypad.tsx";
import { SlowMark } from "./slow-brand.tsx";
import stepClasses from "./step.module.css";

/** Everything in the customer's words before money moves: number, carrier, what arrives, price. */
export function ConfirmStep({ counter, actions }: StepProps) {
  const [keypadShown] = useKeypadShown();
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const basket = counter.state.attempt?.basket;
  if (!basket) {
    return null;
  }
  const price = format.money(basket.price, basket.priceCurrency, basket.priceCurrencyDivisor);
  return (
    <section className={stepClasses.card} aria-labelledby="confirm-title">
      <div className={stepClasses.head}>
        <h1 id="confirm-title" className={stepClasses.title}>
          {t("counter.confirmTitle")}
        </h1>
        <button
          type="button"
          className={stepClasses.link}
          disabled={counter.state.paying}
          onClick={counter.undo}
        >
          <IconArrowBackUp size="1.25rem" aria-hidden="true" />
          {t("counter.undo")} <KeyCap>Esc</KeyCap>
        </button>
      </div>
      <Warnings counter={counter} basket={basket} price={price} />
      <div className={classes.recipient}>
        <p className={classes.number}>
          <FitText>{basket.formatted}</FitText>
        </p>
        <p className={classes.place}>
          <Flag country={basket.country} /> {format.country(basket.country)}
          <span className={classes.dot} aria-hidden="true" />
          <BrandMonogram name={basket.brandName} color={basket.brandColor} />
          <strong>{basket.brandName}</strong>
          {counter.pausedSince === undefined ? null : <SlowMark since={counter.pausedSince} />}
        </p>
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>
            {t("counter.delivers")}
            <span className={classes.offer}>{lineTitle(basket)}</span>
          </dt>
          <dd>
            <FitText>{delivered(basket, format)}</FitText>
          </dd>
        </div>
        <div>
          <dt>{t("counter.price")}</dt>
          <dd>
            <FitText>{price}</FitText>
          </dd>
        </div>
      </dl>
      <div className={classes.foot}>
        <p className={classes.warning}>
          <IconAlertTriangle size="1.25rem" aria-hidden="true" />
          {t("counter.confirmWarning")}
        </p>
        {keypadShown ? (
          <Keypad
            withPoint
            onDigit={(text) => carryOut({ do: "type", text }, counter, actions)}
            onErase={() => carryOut({ do: "erase" }, counter, actions)}
          />
        ) : null}
      </div>
    </section>
  );
}

/** What the phone gets: a bundle in the words of its title, a top-up as its amount. */
function delivered(basket: Basket, format: Format): string {
  const contents = basket.value === undefined ? offerContents(basket.title) : undefined;
  if (contents !== undefined) {
    return contents;
  }
  const { send, sendCurrency, sendCurrencyDivisor } = basket;
  return send && sendCurrency && sendCurrencyDivisor
    ? format.money(send, sendCurrency, sendCurrencyDivisor, "code")
    : basket.title;
}

interface WarningsProps {
  readonly counter: Counter;
  readonly basket: Basket;
  readonly price: string;
}

function Warnings({ counter, basket, price }: WarningsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state } = counter;
  const isPriceChange =
    state.priceMoved &&
    (!state.error || (state.error as { errorCode?: string }).errorCode === "PRICE_CHANGED");
  return (
    <>
      {state.error && !isPriceChange ? (
        <ErrorNotice
          words={errorWords(state.error, t, format, {
            currency: basket.priceCurrency,
            divisor: basket.priceCurrencyDivisor,
          })}
        />
      ) : null}
      {isPriceChange ? (
        <Notice tone="wait" loud>
          {t("counter.priceChanged", { price })}
        </Notice>
      ) : null}
      <EarlierNotice counter={counter} />
    </>
  );
}

/** What became of an earlier sale to this number; the worst in the strongest tone. */
function EarlierNotice({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { verdict } = counter;
  if (!verdict) {
    return null;
  }
  const { kind, earlier } = verdict;
  const time = format.moment(earlier.soldAt);
  switch (kind) {
    case "being-sent":
      return (
        <Notice tone="stop" loud>
          <strong>
            {earlier.saleNumber === undefined
              ? t("counter.earlierVerdict.beingSentUnnumbered")
              : t("counter.earlierVerdict.beingSent", { number: earlier.saleNumber })}
          </strong>
        </Notice>
      );
    case "same-again":
      return (
        <Notice tone="wait" loud>
          <strong>
            {t("counter.earlierVerdict.sameAgain", { time, number: earlier.saleNumber ?? "" })}
          </strong>
        </Notice>
      );
    case "delivered":
      return <Notice tone="info">{t("counter.earlierVerdict.delivered", { time })}</Notice>;
    case "not-delivered":
      return <Notice tone="info">{t("counter.earlierVerdict.notDelivered", { time })}</Notice>;
  }
}
