import { SHORTEST_OWNER_PIN, whyWeak } from "../../../contract/pos/pins.ts";
import type { Role } from "../../../contract/pos/rights.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Tx } from "../../../db/database.ts";
import { DAY, HOUR, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import type { Ids } from "../../../lib/ids.ts";
import { deviceOf, type Place } from "../../../lib/place.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import { countAtDevice, findDevice, isKnownDevice, markDevice } from "./device-store.ts";
import {
  GUESSES_KEPT_MS,
  type Guess,
  type GuessScope,
  keepGuess,
  listGuessTimes,
  listUnchecked,
  recordGuess,
  takeBackGuess,
} from "./guess-store.ts";
import type { PinHasher } from "./pin-hasher.ts";
import { findStaff, renewHash, type StaffRow, updateStaff } from "./staff-store.ts";

/** Number of consecutive wrong PINs that lock the name. Each further wrong PIN doubles the lock. */
const WRONG_IN_A_ROW = 5;
const FIRST_LOCK_MS = MINUTE;
const MAX_LOCK_MS = HOUR;

/** A limit of wrong PINs that a right PIN does not reset. */
interface Limit {
  most: number;
  within_ms: number;
}
const A_DAY: Limit = { most: 20, within_ms: DAY };
/** Higher than for unknown devices, because people mistype on their own devices. */
const A_MONTH_AT_OWN_DEVICE: Limit = { most: 150, within_ms: GUESSES_KEPT_MS };
const A_MONTH_OF_STRANGERS: Limit = { most: 60, within_ms: GUESSES_KEPT_MS };
const A_DAY_OF_ONE_SOURCE: Limit = { most: 30, within_ms: DAY };
const A_DAY_OF_ALL_STRANGERS: Limit = { most: 100, within_ms: DAY };

/** Maximum duration of a check. The process of a longer check has died. */
export const CHECK_TIMEOUT_MS = MINUTE;

interface PinCheckDeps extends Pick<Base, "transactor" | "clock"> {
  pins: PinHasher;
}

interface PinAttempt {
  accountId: string;
  staffId: string;
  pin: string;
  place: Place;
  /** Id of the signed-in person while another person types a PIN to approve. */
  signedIn?: string;
  /**
   * Whether the request also contains the person's new PIN. Otherwise, a PIN set by an owner is
   * refused.
   */
  isChoosing?: boolean;
}

/** A person whose PIN was right. The guess stays counted until the caller takes it back. */
export interface ProvenPin {
  staff: StaffRow;
  guess: Guess;
  guessId: number;
  place: Place;
  /** Hash to store: a new one if the stored hash is outdated. */
  hash: string;
}

interface CountedGuess {
  staff: StaffRow;
  guess: Guess;
  guessId: number;
  left: number;
  lockedUntil: number | undefined;
  wrongInARow: number;
}

/**
 * Checks a PIN only for the chosen person, so that two people may have the same PIN.
 *
 * Wrong PINs are counted per person and device. Each known device of the person has its own
 * attempts. All unknown devices share their attempts, which are also limited by source address and
 * over all people.
 * @returns the person; the caller must take the guess back with `acceptPin`
 * @throws Problem PIN_WRONG (fields.attemptsLeft), PIN_LOCKED (fields.lockedUntil; fields.device if
 * only unknown devices are locked), PIN_DUE if an owner set the PIN (rules#pin-own), or
 * PIN_KEY_MISSING, which counts no guess
 */
export async function checkPin(
  { transactor, clock, pins }: PinCheckDeps,
  typed: PinAttempt,
): Promise<ProvenPin> {
  // Counts the guess before the check, so that all simultaneous guesses count
  // (rules#pin-counted-before-checked).
  const counted = await transactor.transact(typed.accountId, async (tx) => {
    await takeBackUnchecked(tx, { ...typed, before: clock.now() - CHECK_TIMEOUT_MS });
    const staff = await findActive(tx, typed);
    pins.requireCheckable(staff.pin_hash);
    return countGuess(tx, staff, typed, clock.now());
  });
  const { staff, guess, guessId } = counted;
  const right = await pins.check(typed.pin, staff.pin_hash);
  if (right) {
    if (staff.pin_given_at !== null && !typed.isChoosing) {
      await transactor.transact(typed.accountId, (tx) => takeBackRight(tx, { guess, guessId }));
      throw new Problem("PIN_DUE", "This PIN is good for one sign-in. Choose your own with it.", {
        newPin: "is required",
      });
    }
    return { staff, guess, guessId, place: typed.place, hash: right.hash };
  }
  // Stores the guess as wrong before the response, because an unchecked guess may be taken back.
  await transactor.transact(typed.accountId, async (tx) => {
    await keepGuess(tx, guessId, guess);
    await recordWrongPin(tx, typed, counted, clock.now());
  });
  if (counted.lockedUntil !== undefined) throw lockedProblem(guess, counted.lockedUntil);
  throw new Problem("PIN_WRONG", "The PIN is wrong.", {
    pin: "is wrong",
    attemptsLeft: String(counted.left),
  });
}

export async function takeBackRight(
  tx: Tx,
  { guess: { accountId, staffId, device }, guessId }: Pick<ProvenPin, "guess" | "guessId">,
): Promise<void> {
  const none = { failed_attempts: 0, locked_until: null };
  await takeBackGuess(tx, guessId);
  if (device === undefined) await updateStaff(tx, accountId, staffId, none);
  else await countAtDevice(tx, { accountId, staffId, device }, none);
}

/** @throws Problem PIN_WRONG */
async function findActive(
  tx: Tx,
  { accountId, staffId }: Pick<PinAttempt, "accountId" | "staffId">,
): Promise<StaffRow> {
  const staff = await findStaff(tx, accountId, staffId);
  if (staff?.active === 1) return staff;
  throw wrongPin();
}

function wrongPin(): Problem {
  return new Problem("PIN_WRONG", "The PIN is wrong.", { pin: "is wrong" });
}

async function countGuess(
  tx: Tx,
  staff: StaffRow,
  { accountId, staffId, place }: PinAttempt,
  now: number,
): Promise<CountedGuess> {
  const own =
    place.device === undefined
      ? undefined
      : await findDevice(tx, { accountId, staffId, device: place.device });
  const guess = { accountId, staffId, device: own?.device_hash, source: place.source, at: now };
  const row = own ?? staff;
  const before = Math.max(getLockEnd(row, now), (await applyLimits(tx, staff, guess)).lockedUntil);
  if (before > now) throw lockedProblem(guess, before);

  const guessId = await recordGuess(tx, guess);
  const failed_attempts = row.failed_attempts + 1;
  const excess = failed_attempts - WRONG_IN_A_ROW;
  const locked_until =
    excess >= 0 ? now + Math.min(FIRST_LOCK_MS * 2 ** excess, MAX_LOCK_MS) : null;
  const count = { failed_attempts, locked_until };
  if (own) await countAtDevice(tx, { accountId, staffId, device: own.device_hash }, count);
  else await updateStaff(tx, accountId, staffId, count);
  const limits = await applyLimits(tx, staff, guess);
  const until = Math.max(locked_until ?? 0, limits.lockedUntil);
  return {
    staff,
    guess,
    guessId,
    left: Math.min(-excess, limits.left),
    lockedUntil: until > now ? until : undefined,
    wrongInARow: failed_attempts,
  };
}

/**
 * Deletes guesses whose process died during the check (rules#pin-counted-before-checked), because a
 * few restarts would otherwise lock people out.
 * @param of with a `staffId`, only guesses for this person
 */
export async function takeBackUnchecked(
  tx: Tx,
  of: { accountId: string; staffId?: string; before: number },
): Promise<void> {
  const { accountId } = of;
  for (const { guessId, staffId, device } of await listUnchecked(tx, of)) {
    await takeBackGuess(tx, guessId);
    const own = device === undefined ? undefined : { accountId, staffId, device };
    const row = own ? await findDevice(tx, own) : await findStaff(tx, accountId, staffId);
    if (!row) continue;
    const failed_attempts = Math.max(0, row.failed_attempts - 1);
    const locked_until = failed_attempts < WRONG_IN_A_ROW ? null : row.locked_until;
    if (own) await countAtDevice(tx, own, { failed_attempts, locked_until });
    else await updateStaff(tx, accountId, staffId, { failed_attempts, locked_until });
  }
}

/** Returns the end of a lock. Ignores a lock that a wrong clock has set too far in the future. */
function getLockEnd({ locked_until }: Pick<StaffRow, "locked_until">, now: number): number {
  return locked_until !== null && locked_until <= now + MAX_LOCK_MS ? locked_until : 0;
}

/**
 * Applies the limits that a right PIN does not reset. Returns the lock's end and the remaining
 * attempts.
 */
async function applyLimits(
  tx: Tx,
  { role }: StaffRow,
  { accountId, staffId, device, source, at }: Guess,
): Promise<{ lockedUntil: number; left: number }> {
  const own: GuessScope = { staffId, device };
  const limits: [GuessScope, Limit][] =
    device !== undefined
      ? [
          [own, A_DAY],
          [own, A_MONTH_AT_OWN_DEVICE],
        ]
      : [
          [own, A_DAY],
          [own, A_MONTH_OF_STRANGERS],
          [{ source }, A_DAY_OF_ONE_SOURCE],
          [{ strangers: true }, A_DAY_OF_ALL_STRANGERS],
        ];
  // On an owner's own device the lock is limited, because no other person could unlock the owner.
  const longest_ms = role === "owner" && device !== undefined ? MAX_LOCK_MS : Infinity;
  let lockedUntil = 0;
  let left = Infinity;
  for (const [counted, { most, within_ms }] of limits) {
    const times = await listGuessTimes(tx, accountId, counted, {
      since: at - within_ms,
      now: at,
      most,
    });
    left = Math.min(left, most - times.length);
    const [newest = 0] = times;
    const first = times[most - 1];
    if (first === undefined) continue;
    lockedUntil = Math.max(lockedUntil, Math.min(first + within_ms, newest + longest_ms));
  }
  return { lockedUntil, left };
}

async function recordWrongPin(
  tx: Tx,
  { accountId, staffId, signedIn }: PinAttempt,
  { guess, lockedUntil, wrongInARow }: CountedGuess,
  at: number,
): Promise<void> {
  const entry = { accountId, staffId: signedIn, subject: staffId, at };
  const device = guess.device === undefined ? "new" : "used";
  const detail = { attempts: wrongInARow, device, source: guess.source };
  await recordAudit(tx, { ...entry, action: "staff.pin-wrong", detail });
  if (lockedUntil === undefined) return;
  const until = toTimestamp(lockedUntil);
  await recordAudit(tx, { ...entry, action: "staff.pin-locked", detail: { until, device } });
}

function lockedProblem({ device }: Guess, until: number): Problem {
  return new Problem("PIN_LOCKED", "Too many wrong PINs.", {
    lockedUntil: toTimestamp(until),
    ...(device === undefined && { device: "is not one that this person has used" }),
  });
}

const DEVICE_TOKEN_BYTES = 32;

/**
 * Takes back the guess of a right PIN, in the transaction of the action. Earlier wrong PINs stay
 * counted, but not as consecutive.
 * @throws Problem PIN_WRONG if the PIN was changed or the person left during the check
 */
export async function acceptGuess(tx: Tx, proven: ProvenPin): Promise<void> {
  const { staff, hash } = proven;
  await requireUnchanged(tx, staff, hash);
  await takeBackRight(tx, proven);
  if (hash !== staff.pin_hash) await renewHash(tx, staff, hash);
}

/**
 * Accepts a right PIN, and stores the device as known for the person.
 * @returns the cookie token for an unknown browser
 * @throws Problem PIN_WRONG if the PIN was changed or the person left during the check
 */
export async function acceptPin(
  tx: Tx,
  proven: ProvenPin,
  { at, ids }: { at: number; ids: Ids },
): Promise<string | undefined> {
  const { accountId, staffId } = proven.guess;
  await acceptGuess(tx, proven);
  return rememberDevice(tx, { accountId, staffId, place: proven.place }, { at, ids });
}

/**
 * Stores the device as known for the person.
 * @returns the cookie token for an unknown browser
 */
export async function rememberDevice(
  tx: Tx,
  { accountId, staffId, place }: Omit<PinAttempt, "pin">,
  { at, ids }: { at: number; ids: Ids },
): Promise<string | undefined> {
  // Ignores a cookie that the gateway did not create, because other people may have it.
  const known = place.device;
  if (
    known !== undefined &&
    (place.enrolled !== undefined || (await isKnownDevice(tx, { accountId, device: known })))
  ) {
    await markDevice(tx, { accountId, staffId, device: known }, at);
    return undefined;
  }
  const token = ids.secret(DEVICE_TOKEN_BYTES);
  await markDevice(tx, { accountId, staffId, device: deviceOf(token) }, at);
  return token;
}

/** Requires that the PIN was not changed during the check, which takes tenths of a second. */
async function requireUnchanged(tx: Tx, checked: StaffRow, hash: string): Promise<void> {
  const { account_id: accountId, staff_id: staffId, pin_hash } = checked;
  const now = await findActive(tx, { accountId, staffId });
  // If two tills rehash the same PIN at the same time, the PIN is unchanged.
  const isRehashed = hash !== pin_hash;
  if (now.pin_hash !== pin_hash && !isRehashed) throw wrongPin();
}

export function findWeakness(pin: string, role: Role, field = "pin"): Problem | undefined {
  const weakness = whyWeak(pin, role);
  if (!weakness) return undefined;
  const rule =
    weakness === "SHORT"
      ? `must be ${SHORTEST_OWNER_PIN} to 8 digits for an owner`
      : "is too easy to guess: no repeated digits, no row such as 1234, no year";
  return new Problem("PIN_WEAK", `The PIN ${rule}.`, { [field]: rule });
}

export function samePin(field = "pin"): Problem {
  const rule = "must be another than before";
  return new Problem("PIN_WEAK", "This is the PIN of before.", { [field]: rule });
}
