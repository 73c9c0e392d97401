import { IconBackspace } from "@tabler/icons-react";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosSession, StaffName, StaffNames } from "../../../../server/contract/pos/staff.ts";
import { ApprovalTrouble } from "../../../components/approval-trouble.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { Loading } from "../../../components/loading.tsx";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { TYPING_MS, useAnnounced } from "../../../lib/announcer.ts";
import { ApiError, hasErrorCode, UnreachableError } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { findByKey } from "../../../lib/find-by-key.ts";
import { useNow } from "../../../lib/gateway-clock.ts";
import { initialsOf } from "../../../lib/initials.ts";
import { expectedBy, markUnread, meaningOf, useUnreadKeys } from "../../../lib/key-edge.ts";
import type { KeyMeaning } from "../../../lib/key-meaning.ts";
import { late } from "../../../lib/late.tsx";
import { LONGEST_PIN, readPin, SHORTEST_PIN } from "../../../lib/pin.ts";
import { formatCountdown } from "../../../lib/time-format.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useTitle } from "../../../lib/use-title.ts";
import { staffNamesQuery } from "../api/session-queries.ts";
import { findLock, lockEnd, useSignIn } from "../use-sign-in.ts";
import forgottenPinClasses from "./forgotten-pin.module.css";
import pinClasses from "./pin-entry.module.css";
import classes from "./sign-in-screen.module.css";
import staffFacesClasses from "./staff-faces.module.css";

/** Loaded on demand, because a first sign-in is rare. */
const LateFirstPinDialog = late(async () => (await import("./choose-pin.tsx")).FirstPinDialog);

interface SignInScreenProps {
  readonly shopName: string;
  /** Staff ids of people whose unsent paid sales are sent after they sign in. */
  readonly unsentOf: ReadonlySet<string>;
  readonly onSignedIn: (session: PosSession) => void;
}

export function SignInScreen({ shopName, unsentOf, onSignedIn }: SignInScreenProps) {
  const { t } = useTranslation();
  useTitle(t("signIn.title"));
  const names = useQuery(staffNamesQuery());
  const [chosen, setChosen] = useState<string>();
  const [pin, setPin] = useState("");
  const people = names.data?.list ?? [];
  const person = people.length === 1 ? people[0] : people.find((one) => one.staffId === chosen);

  const { attempt, send, drop, retype } = useSignIn({ onSignedIn, onAnswered: () => setPin("") });
  const lockedUntil = lockEnd(attempt.error);
  // The stored lock is only displayed, because the owner may have set a new PIN since.
  const remembered = attempt.isIdle ? findLock(person?.staffId) : undefined;
  const now = useNow(500, lockedUntil !== undefined || remembered !== undefined);
  const isLocked = lockedUntil !== undefined && now < lockedUntil;

  function choose(staffId: string | undefined) {
    setChosen(staffId);
    setPin("");
    drop();
  }

  function submit() {
    if (person && pin.length >= 4 && !attempt.isPending && !isLocked) {
      send(person, pin);
    }
  }

  return (
    <main className={classes.screen}>
      <div className="stack gap-4">
        <p className="soft size-label medium">{shopName}</p>
        <h1 className="size-amount">{t("signIn.title")}</h1>
        {names.isPending ? (
          <Loading heights={["4.5rem"]} />
        ) : (
          <StaffFaces
            people={people}
            unsentOf={unsentOf}
            chosen={person?.staffId}
            onChoose={(staffId) => {
              choose(staffId);
              // In a single column, the pad may be outside the window.
              document.querySelector("[data-pin-field]")?.scrollIntoView?.({ block: "nearest" });
            }}
          />
        )}
        <NamesTrouble names={names} isAway={attempt.failureReason instanceof UnreachableError} />
        {person ? <ForgottenPin key={person.staffId} person={person} people={people} /> : null}
      </div>
      <PinEntry
        person={person}
        people={people}
        pin={pin}
        onPin={(next) => {
          setPin(next);
          if (!isLocked) {
            retype();
          }
        }}
        onMove={choose}
        onSubmit={submit}
        error={hasErrorCode(attempt.error, "PIN_DUE") ? undefined : attempt.error}
        lockedUntil={isLocked ? lockedUntil : undefined}
        rememberedLock={remembered !== undefined && now < remembered ? remembered : undefined}
        busy={attempt.isPending}
      />
      <FirstPin attempt={attempt} onSignedIn={onSignedIn} onClose={drop} />
    </main>
  );
}

interface FirstPinProps {
  readonly attempt: ReturnType<typeof useSignIn>["attempt"];
  readonly onSignedIn: (session: PosSession) => void;
  readonly onClose: () => void;
}

function FirstPin({ attempt: { error, variables: typed }, ...rest }: FirstPinProps) {
  return typed && hasErrorCode(error, "PIN_DUE") ? (
    <LateFirstPinDialog person={typed.who} given={typed.pin} {...rest} />
  ) : null;
}

interface NamesTroubleProps {
  readonly names: UseQueryResult<StaffNames>;
  /** True while a PIN waits for the gateway. */
  readonly isAway: boolean;
}

/** Explains missing names or a slow sign-in. */
function NamesTrouble({ names, isAway }: NamesTroubleProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      {isAway || names.failureReason instanceof UnreachableError ? (
        <Notice tone="offline" loud>
          {t("signIn.away")}
        </Notice>
      ) : null}
      {names.error && !names.data ? (
        <ErrorNotice words={errorWords(names.error, t, format)} />
      ) : null}
    </>
  );
}

interface ForgottenPinProps {
  readonly person: StaffName;
  readonly people: readonly StaffName[];
}

/** Names the owners, because an owner can set a new PIN. The only owner needs the shop's computer. */
function ForgottenPin({ person, people }: ForgottenPinProps) {
  const { t } = useTranslation();
  const { locale } = useFormat();
  const helpers = people.filter((one) => one.role === "owner" && one.staffId !== person.staffId);
  const names = new Intl.ListFormat(locale, { type: "disjunction" }).format(
    helpers.map(({ name }) => name),
  );
  return (
    <details className="soft">
      <summary className={forgottenPinClasses.question}>{t("signIn.forgot")}</summary>
      {helpers.length > 0 ? (
        <p>{t("signIn.forgotAsk", { names })}</p>
      ) : (
        <>
          <p>{t("signIn.forgotAlone", { name: person.name })}</p>
          <bdi dir="ltr">
            <code className={forgottenPinClasses.command}>
              npm run -s tillgate -- staff pin {person.staffId}
            </code>
          </bdi>
        </>
      )}
    </details>
  );
}

interface StaffFacesProps {
  readonly people: readonly StaffName[];
  readonly unsentOf: ReadonlySet<string>;
  readonly chosen: string | undefined;
  readonly onChoose: (staffId: string) => void;
}

function StaffFaces({ people, unsentOf, chosen, onChoose }: StaffFacesProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={staffFacesClasses.faces} aria-label={t("signIn.choose")}>
      {people.map(({ staffId, name, role }, index) => (
        <button
          key={staffId}
          type="button"
          aria-pressed={staffId === chosen}
          className={staffFacesClasses.face}
          onClick={(event) => {
            event.currentTarget.blur();
            onChoose(staffId);
          }}
        >
          <span className={staffFacesClasses.initials} aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span className="stack flex-1 min-w-0">
            <span className={staffFacesClasses.name}>
              <bdi>{name}</bdi>
            </span>
            {unsentOf.has(staffId) ? (
              <span className="wait medium">{t("signIn.unsent")}</span>
            ) : (
              <span className="soft">{t(`role.${role}`)}</span>
            )}
          </span>
          {chosen === undefined && index < 9 ? <KeyCap>{index + 1}</KeyCap> : null}
        </button>
      ))}
    </fieldset>
  );
}

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;
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
function PinEntry(props: PinEntryProps) {
  const { person, pin, onPin, onSubmit, busy, lockedUntil, error } = props;
  const { t } = useTranslation();
  const id = useId();
  usePinKeys(props);
  useAnnounced(pin === "" ? undefined : t("signIn.pinEntered", { count: pin.length }), {
    afterMs: TYPING_MS,
  });
  const isOff = !person || busy || lockedUntil !== undefined;
  const add = (digit: string) => onPin((pin + digit).slice(0, LONGEST_PIN));
  return (
    <form
      className={pinClasses.entry}
      noValidate
      aria-label={t("signIn.submit")}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <p key={person?.staffId} className={pinClasses.who}>
        {person ? t("signIn.greeting", { name: person.name }) : t("signIn.choose")}
      </p>
      {/* The user name, for password managers. */}
      <input type="text" autoComplete="username" hidden readOnly value={person?.name ?? ""} />
      <input
        className={pinClasses.pin}
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
      <div className={pinClasses.pad} dir="ltr">
        {DIGITS.map((digit) => (
          <PadKey key={digit} label={digit} disabled={isOff} onPress={() => add(digit)} />
        ))}
        <span />
        <PadKey label="0" disabled={isOff} onPress={() => add("0")} />
        <button
          type="button"
          className={pinClasses.key}
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
        className={pinClasses.submit}
        disabled={isOff || pin.length < SHORTEST_PIN}
      >
        {t("signIn.submit")} <KeyCap>Enter</KeyCap>
      </button>
      {/* Below the pad, or in reserved space, so that no key moves under a finger. */}
      <div id={`${id}-trouble`} className={pinClasses.trouble}>
        <Trouble {...props} />
      </div>
    </form>
  );
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
      className={pinClasses.key}
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
  if (hasErrorCode(error, "PIN_LOCKED")) {
    return <Notice tone="info">{t("signIn.lockedOver")}</Notice>;
  }
  return <ApprovalTrouble error={error} person={undefined} />;
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
      onPin((pin + key).slice(0, LONGEST_PIN));
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
