import { IconKeyboard, IconX } from "@tabler/icons-react";
import { type CSSProperties, useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Flag } from "../../../components/flag.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { caretAfterDigits, groupPhone, phoneDigits } from "../../../lib/phone-format.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { carryOut, type StepProps } from "../counter-actions.ts";
import { OWN_FIELD } from "../use-counter-keys.ts";
import { CarrierLine } from "./carrier-line.tsx";
import { Keypad, useKeypadShown } from "./keypad.tsx";
import classes from "./number-step.module.css";
import { EarlierOfNumber, RecentList } from "./recent-list.tsx";
import stepClasses from "./step.module.css";

/** The number first: digits typed anywhere land here and are grouped as they come. */
export function NumberStep({ counter, actions }: StepProps) {
  const { t } = useTranslation();
  const [keypadShown, toggleKeypad] = useKeypadShown();
  const { state } = counter;
  return (
    <section className={stepClasses.card} aria-label={t("counter.number")}>
      <h1 className="spoken">{t("counter.title")}</h1>
      <NumberField counter={counter} actions={actions} />
      <div className={classes.below}>
        <div className={classes.left}>
          {state.digits === "" ? (
            <RecentList counter={counter} />
          ) : (
            <>
              <CarrierLine counter={counter} />
              <EarlierOfNumber counter={counter} />
            </>
          )}
        </div>
        {keypadShown ? (
          <Keypad
            onDigit={(text) => carryOut({ do: "type", text }, counter, actions)}
            onErase={() => carryOut({ do: "erase" }, counter, actions)}
          />
        ) : null}
      </div>
      <button
        type="button"
        className={`${stepClasses.link} ${classes.keypadToggle}`}
        aria-pressed={keypadShown}
        onClick={(event) => {
          event.currentTarget.blur();
          toggleKeypad();
        }}
      >
        <IconKeyboard size="1.25rem" aria-hidden="true" />
        {t("counter.keypad")}
      </button>
    </section>
  );
}

function NumberField({ counter }: StepProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const caret = useRef<number | undefined>(undefined);
  const { digits } = counter.state;
  const typed = groupPhone(digits);
  const country = counter.phone?.country || typed.country;
  const letters = {
    "--letters": Math.max(1, typed.formatted.length),
    "--hint-letters": t("counter.numberPlaceholder").length,
  } as CSSProperties;

  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
  }, []);

  useLayoutEffect(() => {
    if (field.current && caret.current !== undefined) {
      const position = caretAfterDigits(typed.formatted, caret.current);
      field.current.setSelectionRange(position, position);
      caret.current = undefined;
    }
  }, [typed.formatted]);

  return (
    <div>
      <label className={classes.label} htmlFor={id}>
        {t("counter.number")}
      </label>
      <div className={classes.field}>
        {country ? (
          <span className={classes.country}>
            <Flag country={country} />
          </span>
        ) : (
          <span className={classes.plus} aria-hidden="true">
            {digits === "" ? "+" : null}
          </span>
        )}
        <span className={classes.room} style={letters}>
          <input
            {...OWN_FIELD}
            ref={field}
            id={id}
            className={classes.input}
            type="text"
            inputMode="tel"
            autoComplete="off"
            spellCheck={false}
            placeholder={t("counter.numberPlaceholder")}
            value={typed.formatted}
            aria-describedby={`${id}-country`}
            onChange={({ currentTarget }) => {
              const before = currentTarget.value.slice(0, currentTarget.selectionStart ?? 99);
              caret.current = phoneDigits(before).length;
              counter.dispatch({ type: "number-typed", digits: phoneDigits(currentTarget.value) });
            }}
          />
        </span>
        {digits === "" ? null : (
          <button
            type="button"
            className={stepClasses.link}
            onClick={() => {
              counter.dispatch({ type: "reset" });
              field.current?.focus();
            }}
          >
            <IconX size="1.25rem" aria-hidden="true" />
            <span className={classes.clearWord}>{t("counter.clear")}</span> <KeyCap>Esc</KeyCap>
          </button>
        )}
      </div>
      <span id={`${id}-country`} className="spoken">
        {country ? format.country(country) : t("counter.numberHint")}
      </span>
    </div>
  );
}
