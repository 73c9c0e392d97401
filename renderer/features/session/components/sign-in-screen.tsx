import { Skeleton } from "@mantine/core";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosSession, StaffName, StaffNames } from "../../../../server/contract/pos/staff.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { ApiError, UnreachableError } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { initialsOf } from "../../../lib/initials.ts";
import { late } from "../../../lib/late.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import { useTitle } from "../../../lib/use-title.ts";
import { staffNamesQuery } from "../api/session-queries.ts";
import { findLock } from "../pin-locks.ts";
import { lockEnd, useSignIn } from "../use-sign-in.ts";
import forgottenPinClasses from "./forgotten-pin.module.css";
import { PinEntry } from "./pin-entry.tsx";
import classes from "./sign-in-screen.module.css";
import staffFacesClasses from "./staff-faces.module.css";

/** Loaded on demand, because a first sign-in is rare. */
const LateFirstPinDialog = late(async () => (await import("./choose-pin.tsx")).FirstPinDialog);

function isPinDue(error: Error | null): boolean {
  return error instanceof ApiError && error.errorCode === "PIN_DUE";
}

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
          <div role="status" aria-busy="true" aria-label={t("common.loading")}>
            <Skeleton height="4.5rem" radius="md" />
          </div>
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
        error={isPinDue(attempt.error) ? undefined : attempt.error}
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
  return typed && isPinDue(error) ? (
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
