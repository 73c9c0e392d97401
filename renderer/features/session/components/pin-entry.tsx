import { IconBackspace } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useId } from "react";
import { useTranslation } from "react-i18next";
import type { StaffName } from "../../../../server/contract/pos/staff.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { TYPING_MS, useAnnounced } from "../../../lib/announcer.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { latinDigits } from "../../../lib/direction.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { findByKey } from "../../../lib/find-by-key.ts";
import { expectedBy, markUnread, meaningOf, useUnreadKeys } from "../../../lib/key-edge.ts";
import type { KeyMeaning } from "../../../lib/key-meaning.ts";
import { formatCountdown } from "../../../lib/time-format.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import classes from "./pin-entry.module.css";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;
const MAX_PIN = 8;
const SHORTEST_PIN = 4;
const LONGEST_OWN_LOCK_MS = 3_600_000;

interface PinEntryProps {
  readonly person: StaffName | undefined;
  readonly people: readonly StaffName[];
  readonly pin: string;
  readonly onPin: (pin: string) => void;
  readonly onMove: (staffId: string | undefined) => void;
  readonly onSubmit: () => void;
  readonly error: unknown;
  readonly lockedUntil: number | undefined;
  /** End of a lock stored by this window. It is only displayed; a new attempt is possible. */
  readonly rememberedLock: number | undefined;
  readonly busy: boolean;
}

/** Takes a PIN from a pad, from keys, or from a field for pasting and password managers. */
export function PinEntry(props: PinEntryProps) {
  const { person, pin, onPin, onSubmit, busy, lockedUntil, error } = props;
  const { t } = useTranslation();
  const id = useId();
  usePinKeys(props);
  useAnnounced(pin === "" ? undefined : t("signIn.pinEntered", { count: pin.length }), {
    afterMs: TYPING_MS,
  });
  const isOff = !person || busy || lockedUntil !== undefined;
  const add = (digit: string) => onPin((pin + digit).slice(0, MAX_PIN));
  return (
    <form
      className={classes.entry}
      noValidate
      aria-label={t("signIn.submit")}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <p key={person?.staffId} className={classes.who}>
        {person ? t("signIn.greeting", { name: person.name }) : t("signIn.choose")}
      </p>
      {/* The user name, for password managers. */}
      <input type="text" autoComplete="username" hidden readOnly value={person?.name ?? ""} />
      <input
        className={classes.pin}
        dir="ltr"
        type="password"
        // Suppresses the device's own keyboard, because the pad has the digits.
        inputMode={navigator.maxTouchPoints > 0 ? "none" : "numeric"}
        autoComplete="current-password"
        data-pin-field
        aria-label={t("signIn.pin")}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-trouble`}
        readOnly={isOff}
        value={pin}
        onChange={({ currentTarget }) => onPin(readPin(currentTarget.value))}
      />
      <div className={classes.pad} dir="ltr">
        {DIGITS.map((digit) => (
          <PadKey key={digit} label={digit} disabled={isOff} onPress={() => add(digit)} />
        ))}
        <span />
        <PadKey label="0" disabled={isOff} onPress={() => add("0")} />
        <button
          type="button"
          className={classes.key}
          data-erases
          disabled={isOff || pin === ""}
          aria-label={t("signIn.delete")}
          onClick={(event) => {
            event.currentTarget.blur();
            onPin(pin.slice(0, -1));
          }}
        >
          <IconBackspace size="1.5rem" aria-hidden="true" />
        </button>
      </div>
      <button
        type="submit"
        className={classes.submit}
        disabled={isOff || pin.length < SHORTEST_PIN}
      >
        {t("signIn.submit")} <KeyCap>Enter</KeyCap>
      </button>
      {/* Below the pad, or in reserved space, so that no key moves under a finger. */}
      <div id={`${id}-trouble`} className={classes.trouble}>
        <Trouble {...props} />
      </div>
    </form>
  );
}

function readPin(text: string): string {
  return latinDigits(text).replaceAll(/\D/g, "").slice(0, MAX_PIN);
}

interface PadKeyProps {
  readonly label: string;
  readonly disabled: boolean;
  readonly onPress: () => void;
}

function PadKey({ label, disabled, onPress }: PadKeyProps) {
  return (
    <button
      type="button"
      className={classes.key}
      disabled={disabled}
      onClick={(event) => {
        event.currentTarget.blur();
        onPress();
      }}
    >
      {label}
    </button>
  );
}

function Trouble({ error, lockedUntil: enforced, rememberedLock, person }: PinEntryProps) {
  const lockedUntil = enforced ?? rememberedLock;
  const { t } = useTranslation();
  const isUnread = useUnreadKeys();
  const format = useFormat();
  const now = useNow(500, lockedUntil !== undefined);
  if (lockedUntil !== undefined) {
    // Own mistakes cause a short lock. A long lock, at an unknown device, needs the owner.
    const isLong = lockedUntil - now > LONGEST_OWN_LOCK_MS;
    const isOfNewDevice = isLong && error instanceof ApiError && "device" in error.fields;
    return (
      <Notice tone="wait" loud>
        {t(isOfNewDevice ? "signIn.lockedNew" : "signIn.locked", {
          name: person?.name ?? "",
          time: formatCountdown(lockedUntil - now),
        })}
      </Notice>
    );
  }
  if (isUnread) {
    return (
      <Notice tone="bad" loud>
        {t("keyboard.unread")}
      </Notice>
    );
  }
  if (!error) {
    return null;
  }
  if (error instanceof ApiError && error.errorCode === "PIN_LOCKED") {
    return <Notice tone="info">{t("signIn.lockedOver")}</Notice>;
  }
  if (error instanceof ApiError && error.errorCode === "PIN_WRONG") {
    const left = Number(error.fields.attemptsLeft);
    return (
      <Notice tone="bad" loud>
        <strong>{t("signIn.wrong")}</strong>{" "}
        {Number.isNaN(left) ? null : t("signIn.attemptsLeft", { count: left })}
      </Notice>
    );
  }
  return <ErrorNotice words={errorWords(error, t, format)} />;
}

/**
 * Keys of the whole screen. A digit or a name's first letter chooses a person; further digits are
 * the PIN. Letters and arrow keys choose another person. Escape clears the PIN, and a second Escape
 * the person.
 */
function usePinKeys({
  pin,
  onPin,
  onSubmit,
  onMove,
  people,
  person,
  lockedUntil,
}: PinEntryProps): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : undefined;
    const isInPin = target?.dataset.pinField !== undefined;
    const isElsewhere = !isInPin && target?.matches("input, select");
    const meaning = meaningOf(event, person ? "digits" : expectedBy(event.target));
    const isSystems = meaning.kind === "ignored" || meaning.kind === "shortcut";
    if (isElsewhere || isSystems || meaning.kind === "composing") {
      return;
    }
    if (person && !isInPin && isUnread(meaning, people)) {
      markUnread();
    }
    const isOnButton = target?.tagName === "BUTTON";
    const isDigit = meaning.kind === "digit";
    const key = isDigit ? meaning.digit : event.key;
    // The PIN field handles its own digits.
    if (isInPin && person && (isDigit || event.key === "Backspace")) {
      return;
    }
    const found = isDigit && person ? undefined : findByKey(people, key, person?.staffId);
    if (found) {
      onMove(found.staffId);
    } else if (isDigit && person && lockedUntil === undefined) {
      onPin((pin + key).slice(0, MAX_PIN));
    } else if (event.key === "Escape" && pin === "") {
      onMove(undefined);
    } else if (event.key === "Backspace") {
      onPin(pin.slice(0, -1));
    } else if (event.key === "Escape") {
      onPin("");
    } else if (event.key === "Enter" && !isOnButton && !event.repeat) {
      onSubmit();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const next = neighbour(people, person, event.key === "ArrowDown" ? 1 : -1);
      if (next) {
        onMove(next.staffId);
      }
    } else {
      return;
    }
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    globalThis.addEventListener("keydown", listener);
    return () => globalThis.removeEventListener("keydown", listener);
  }, []);
}

/** Returns whether a character is neither a digit nor a name's first letter. */
function isUnread(meaning: KeyMeaning, people: readonly StaffName[]): boolean {
  const isSign = meaning.kind === "text" && meaning.text.trim() !== "";
  return (
    meaning.kind === "unread" ||
    (isSign && findByKey(people, meaning.text, undefined) === undefined)
  );
}

function neighbour(
  people: readonly StaffName[],
  person: StaffName | undefined,
  step: -1 | 1,
): StaffName | undefined {
  const at = people.findIndex(({ staffId }) => staffId === person?.staffId);
  const from = at < 0 && step === -1 ? 0 : at;
  return people[(from + step + people.length) % people.length];
}
