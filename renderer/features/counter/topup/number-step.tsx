import { IconKeyboard, IconStar, IconX } from "@tabler/icons-react";
import { type CSSProperties, useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Flag } from "../../../components/flag.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { caretAfterDigits, groupPhone, phoneDigits } from "../../../lib/phone-format.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { Keypad, useKeypadShown } from "../components/keypad.tsx";
import stepClasses from "../components/step.module.css";
import { OWN_FIELD } from "../use-counter-keys.ts";
import { CarrierLine } from "./carrier-line.tsx";
import classes from "./number-step.module.css";
import { EarlierOfNumber, RecentList } from "./recent-list.tsx";
import type { TopupStepProps } from "./topup-step.ts";

/** The number first: digits typed anywhere land here and are grouped as they come. */
export function NumberStep({ topup, control }: TopupStepProps) {
  const { t } = useTranslation();
  const [keypadShown, toggleKeypad] = useKeypadShown();
  const { state } = topup;
  return (
    <section className={stepClasses.card} aria-label={t("counter.number")}>
      <h1 className="spoken">{t("counter.title")}</h1>
      <NumberField topup={topup} control={control} />
      <div className={classes.below}>
        <div className={classes.left}>
          {state.digits === "" ? null : (
            <>
              <CarrierLine topup={topup} />
              <EarlierOfNumber topup={topup} />
            </>
          )}
          <RecentList topup={topup} />
        </div>
        {keypadShown ? (
          <Keypad
            onDigit={(digit) => control.type?.((text) => text + digit)}
            onErase={() => control.type?.((typed) => typed.slice(0, -1))}
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

function NumberField({ topup, control }: TopupStepProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const caret = useRef<number | undefined>(undefined);
  const { digits, query } = topup.state;
  const typed = groupPhone(digits);
  const text = query || typed.formatted;
  const country = topup.phone?.country || typed.country;
  const letters = {
    "--letters": Math.max(1, text.length),
    "--hint-letters": t("counter.numberPlaceholder").length,
  } as CSSProperties;

  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
  }, []);

  useLayoutEffect(() => {
    if (field.current && caret.current !== undefined && query === "") {
      const position = caretAfterDigits(typed.formatted, caret.current);
      field.current.setSelectionRange(position, position);
      caret.current = undefined;
    }
  }, [typed.formatted, query]);

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
            {query === "" ? "+" : <IconStar size="1.5rem" />}
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
            value={text}
            dir={query === "" ? undefined : "auto"}
            aria-describedby={`${id}-country`}
            onChange={({ currentTarget }) => {
              const before = currentTarget.value.slice(0, currentTarget.selectionStart ?? 99);
              caret.current = phoneDigits(before).length;
              control.type?.(() => currentTarget.value);
            }}
          />
        </span>
        {text === "" ? null : (
          <button
            type="button"
            className={stepClasses.link}
            onClick={() => {
              topup.dispatch({ type: "reset" });
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
