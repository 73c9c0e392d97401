import { useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { FitText } from "../../../components/fit-text.tsx";
import { fractionDigits, toDecimal } from "../../../lib/money.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { type Cash, quickNotes } from "../cash-notes.ts";
import { amountText, noteText } from "../counter-actions.ts";
import type { Counter } from "../use-counter.ts";
import { OWN_FIELD } from "../use-counter-keys.ts";
import classes from "./cash-box.module.css";

/** Cash for the sale being confirmed: exact unless something is typed, and the change, huge. */
export function CashBox({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, cash } = counter;
  const basket = state.attempt?.basket;
  if (!basket || !cash) {
    return null;
  }
  const { price, priceCurrency: currency, priceCurrencyDivisor: divisor } = basket;
  const isShort = cash.missing > 0;
  const [word, amount] = cashWord(cash);
  return (
    <div className={classes.cash}>
      <div className={classes.row}>
        <span className={classes.label}>{t("counter.total")}</span>
        <span className={classes.total}>{format.money(price, currency, divisor)}</span>
      </div>
      <CashField counter={counter} exact={toDecimal(price, divisor)} divisor={divisor} />
      <fieldset className={classes.notes} aria-label={t("counter.cash")}>
        <NoteButton
          label={t("counter.exact")}
          pressed={cash.tendered === price}
          disabled={state.paying}
          onPress={() => counter.dispatch({ type: "tender-typed", text: "" })}
        />
        {quickNotes(price, currency, divisor).map((note) => (
          <NoteButton
            key={note}
            label={format.moneyShort(note, currency, divisor)}
            pressed={cash.tendered === note}
            disabled={state.paying}
            onPress={() =>
              counter.dispatch({ type: "tender-typed", text: noteText(note, price, divisor) })
            }
          />
        ))}
      </fieldset>
      <div
        className={classes.change}
        data-short={isShort}
        data-absurd={cash.isAbsurd}
        aria-live="polite"
      >
        <span className={classes.label}>{t(`counter.${word}`)}</span>
        <output className={classes.changeAmount}>
          <FitText>{format.money(amount, currency, divisor)}</FitText>
        </output>
      </div>
    </div>
  );
}

/** The one thing to say of the cash, and the amount it is said of. */
function cashWord({ isAbsurd, tendered, missing, change }: Cash) {
  if (isAbsurd) {
    return ["notCash", tendered ?? 0] as const;
  }
  return missing > 0 ? (["missing", missing] as const) : (["change", change] as const);
}

interface CashFieldProps {
  readonly counter: Counter;
  readonly exact: string;
  readonly divisor: number;
}

function CashField({ counter, exact, divisor }: CashFieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <div>
      <label className={classes.label} htmlFor={id}>
        {t("counter.cash")}
      </label>
      <input
        {...OWN_FIELD}
        ref={field}
        id={id}
        className={classes.input}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        placeholder={format.typedAmount(exact)}
        readOnly={counter.state.paying}
        value={format.typedAmount(counter.state.tenderText)}
        onChange={({ currentTarget }) =>
          counter.dispatch({
            type: "tender-typed",
            text: amountText(currentTarget.value, fractionDigits(divisor)),
          })
        }
      />
    </div>
  );
}

interface NoteButtonProps {
  readonly label: string;
  readonly pressed: boolean;
  readonly disabled: boolean;
  readonly onPress: () => void;
}

function NoteButton({ label, pressed, disabled, onPress }: NoteButtonProps) {
  return (
    <button
      type="button"
      className={classes.note}
      aria-pressed={pressed}
      disabled={disabled}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {label}
    </button>
  );
}
