import { IconBackspace } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./keypad.module.css";

const STORAGE_KEY = "tillgate.keypad";
const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;

/** Shown where there is a touch screen, until a person chooses otherwise on this till. */
export function useKeypadShown(): readonly [boolean, () => void] {
  const [shown, setShown] = useState(() => {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === null ? navigator.maxTouchPoints > 0 : stored === "shown";
  });
  function toggle() {
    localStorage.setItem(STORAGE_KEY, shown ? "hidden" : "shown");
    setShown(!shown);
  }
  return [shown, toggle];
}

interface KeypadProps {
  readonly onDigit: (digit: string) => void;
  readonly onErase: () => void;
  /** A decimal point, where amounts are typed. */
  readonly withPoint?: boolean;
  /** Begins an international number, where numbers are typed; pressed once more it is taken away. */
  readonly onPlus?: () => void;
}

/** Digits for a finger. It never takes the focus away from the field it types into. */
export function Keypad({ onDigit, onErase, onPlus, withPoint = false }: KeypadProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <fieldset
      className={classes.keypad}
      dir="ltr"
      aria-label={t("counter.keypad")}
      onPointerDown={(event) => event.preventDefault()}
    >
      {DIGITS.map((digit) => (
        <button key={digit} type="button" className={classes.key} onClick={() => onDigit(digit)}>
          {digit}
        </button>
      ))}
      {withPoint ? (
        <button type="button" className={classes.key} onClick={() => onDigit(".")}>
          {format.typedAmount(".")}
        </button>
      ) : null}
      {onPlus ? (
        <button type="button" className={classes.key} onClick={onPlus}>
          +
        </button>
      ) : null}
      {withPoint || onPlus ? null : <span />}
      <button type="button" className={classes.key} onClick={() => onDigit("0")}>
        0
      </button>
      <button
        type="button"
        className={classes.key}
        aria-label={t("signIn.delete")}
        onClick={onErase}
      >
        <IconBackspace size="1.5rem" aria-hidden="true" />
      </button>
    </fieldset>
  );
}
