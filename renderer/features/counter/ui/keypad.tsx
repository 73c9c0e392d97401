import { useMediaQuery } from "@mantine/hooks";
import { IconBackspace } from "@tabler/icons-react";
import { type ReactNode, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { Listeners } from "../../../lib/listeners.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./keypad.module.css";
import type { StepControl } from "./step-control.ts";

const STORAGE_KEY = "tillgate.keypad";
const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;
/** An upright phone. Its keypad is above the primary button, near the thumb. */
const IS_PHONE = "(max-width: 45em) and (min-height: 44em)";

/**
 * Returns whether the keypad is shown, and a toggle. It is shown by default on touch screens. The
 * till stores the clerk's choice.
 */
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

/**
 * Returns the field's input mode. Suppresses the device's own keyboard while the keypad is shown.
 */
export function modeBeside<Mode extends string>(keypadShown: boolean, mode: Mode): Mode | "none" {
  return keypadShown ? "none" : mode;
}

/** Returns whether the keypad is above the primary button. */
export function useIsPhone(): boolean {
  return useMediaQuery(IS_PHONE, false, { getInitialValueInEffect: false });
}

let room: HTMLElement | null = null;
const listeners = new Listeners();

/** A `ref` to the element above the primary button that holds a phone's keypad. */
export function setKeypadRoom(element: HTMLElement | null): void {
  room = element;
  listeners.notify();
}

interface KeypadProps {
  readonly control: StepControl;
  readonly withPoint?: boolean;
  /** Toggles the "+" of a phone number. */
  readonly onPlus?: () => void;
  /** Switches to letters, in a field that also takes a name. */
  readonly onLetters?: () => void;
}

/** Never takes the focus from its field. */
export function Keypad(props: KeypadProps) {
  const place = useSyncExternalStore(listeners.subscribe, () => room);
  const isDocked = useIsPhone();
  if (!isDocked) {
    return <Keys {...props} />;
  }
  return place ? createPortal(<Keys {...props} isDocked />, place) : null;
}

function Keys(props: KeypadProps & { readonly isDocked?: boolean }) {
  const { control, onPlus, onLetters, withPoint = false, isDocked = false } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const onDigit = (digit: string) => control.type?.((typed) => typed + digit);
  return (
    <fieldset
      className={classes.keypad}
      data-docked={isDocked}
      dir="ltr"
      aria-label={t("counter.keypad")}
      onPointerDown={(event) => event.preventDefault()}
    >
      {DIGITS.map((digit) => (
        <Key key={digit} onPress={() => onDigit(digit)}>
          {digit}
        </Key>
      ))}
      {withPoint ? (
        <Key area="sign" onPress={() => onDigit(".")}>
          {format.typedAmount(".")}
        </Key>
      ) : null}
      {onPlus ? (
        <Key area="sign" onPress={onPlus}>
          +
        </Key>
      ) : null}
      <Key area="zero" onPress={() => onDigit("0")}>
        0
      </Key>
      <Key area="zeros" onPress={() => onDigit("00")}>
        00
      </Key>
      {onLetters ? (
        <Key area="letters" onPress={onLetters}>
          {t("keyboard.letters")}
        </Key>
      ) : null}
      <Key
        area="erase"
        label={t("signIn.delete")}
        onPress={() => control.type?.((typed) => typed.slice(0, -1))}
      >
        <IconBackspace size="1.5rem" aria-hidden="true" />
      </Key>
    </fieldset>
  );
}

interface KeyProps {
  readonly area?: "sign" | "zero" | "zeros" | "letters" | "erase";
  readonly label?: string;
  readonly children: ReactNode;
  readonly onPress: () => void;
}

function Key({ area, label, children, onPress }: KeyProps) {
  return (
    <button
      type="button"
      className={classes.key}
      data-area={area}
      aria-label={label}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
