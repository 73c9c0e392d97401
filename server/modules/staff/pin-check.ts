import { Problem } from "../../contract/problem.ts";
import type { Transactor, Tx } from "../../db/database.ts";
import { type Clock, HOUR, MINUTE, toTimestamp } from "../../lib/clock.ts";
import { recordAudit } from "../audit-trail/index.ts";
import { isPin } from "./pin-hash.ts";
import { findStaff, type StaffRow, updateStaff } from "./staff-store.ts";

const WRONG_PINS_ALLOWED = 5;
const FIRST_LOCK_MS = MINUTE;
const LONGEST_LOCK_MS = HOUR;

interface Parts {
  transactor: Transactor;
  clock: Clock;
}

/** Whose PIN was typed, and at whose till. */
interface Guess {
  accountId: string;
  staffId: string;
  pin: string;
  /** Who was signed in while somebody else typed a PIN to approve. */
  signedIn?: string;
}

/**
 * Whether a PIN is the one of the person it was typed for. A name is always chosen first and no PIN
 * is ever looked for among all, so a PIN that two happen to have opens nothing of the other's.
 * After five wrong ones a name is locked for a minute, then twice as long with each further wrong
 * one, up to an hour, wherever the PIN is asked for.
 * @returns the person; the count of wrong PINs is still to be cleared, with `clearGuesses`
 * @throws Problem PIN_WRONG (fields.attemptsLeft) or PIN_LOCKED (fields.lockedUntil)
 */
export async function checkPin({ transactor, clock }: Parts, guess: Guess): Promise<StaffRow> {
  // The guess is counted before it is checked, so that guesses side by side count as many.
  const staff = await transactor.transact((tx) => countGuess(tx, guess, clock.now()));
  if (await isPin(guess.pin, staff.pin_hash)) return staff;
  await transactor.transact((tx) => recordWrongPin(tx, guess, staff, clock.now()));
  if (staff.locked_until !== null) throw locked(staff.locked_until);
  throw new Problem("PIN_WRONG", "The PIN is wrong.", {
    pin: "is wrong",
    attemptsLeft: String(WRONG_PINS_ALLOWED - staff.failed_attempts),
  });
}

/** A right PIN begins the count anew, in the transaction of what it was typed for. */
export async function clearGuesses(tx: Tx, accountId: string, staffId: string): Promise<void> {
  await updateStaff(tx, accountId, staffId, { failed_attempts: 0, locked_until: null });
}

async function countGuess(tx: Tx, { accountId, staffId }: Guess, now: number): Promise<StaffRow> {
  const staff = await findStaff(tx, accountId, staffId);
  if (staff?.active !== 1) {
    throw new Problem("PIN_WRONG", "The PIN is wrong.", { pin: "is wrong" });
  }
  if (staff.locked_until !== null && staff.locked_until > now) throw locked(staff.locked_until);
  const failed_attempts = staff.failed_attempts + 1;
  const excess = failed_attempts - WRONG_PINS_ALLOWED;
  const lock_ms = Math.min(FIRST_LOCK_MS * 2 ** excess, LONGEST_LOCK_MS);
  const locked_until = excess >= 0 ? now + lock_ms : null;
  await updateStaff(tx, accountId, staffId, { failed_attempts, locked_until });
  return { ...staff, failed_attempts, locked_until };
}

async function recordWrongPin(tx: Tx, guess: Guess, staff: StaffRow, at: number): Promise<void> {
  const { accountId, staffId, signedIn } = guess;
  const entry = { accountId, staffId: signedIn, subject: staffId, at };
  const attempts = staff.failed_attempts;
  await recordAudit(tx, { ...entry, action: "staff.pin-wrong", detail: { attempts } });
  if (staff.locked_until === null) return;
  const until = toTimestamp(staff.locked_until);
  await recordAudit(tx, { ...entry, action: "staff.pin-locked", detail: { until } });
}

function locked(until: number): Problem {
  return new Problem("PIN_LOCKED", "Too many wrong PINs.", { lockedUntil: toTimestamp(until) });
}
