import { createHash } from "node:crypto";
import type { StaffName } from "../../contract/pos/staff.ts";
import { Problem } from "../../contract/problem.ts";
import type { Db, Transactor, Tx } from "../../db/database.ts";
import { type Clock, HOUR, MINUTE, toTimestamp } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import { recordAudit } from "../audit-trail/index.ts";
import { isPin } from "./pin-hash.ts";
import { findStaff, type StaffRow, toStaffName, updateStaff } from "./staff-store.ts";

const SESSION_MS = 12 * HOUR;
const TOKEN_BYTES = 32;
const WRONG_PINS_ALLOWED = 5;
const FIRST_LOCK_MS = MINUTE;
const LONGEST_LOCK_MS = HOUR;

/** Somebody signed in at a till. */
export interface Session {
  accountId: string;
  staff: StaffName;
  expiresAt: number;
  tokenHash: string;
}

interface Parts {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
}

/**
 * Staff sessions: opaque tokens, kept as SHA-256. After five wrong PINs a name is locked for a
 * minute, then twice as long with each further wrong one, up to an hour.
 */
export class SessionService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * @returns the session and the token for the cookie, which is not kept.
   * @throws Problem PIN_WRONG (fields.attemptsLeft) or PIN_LOCKED (fields.lockedUntil)
   */
  async signIn(
    accountId: string,
    staffId: string,
    pin: string,
  ): Promise<{ session: Session; token: string }> {
    const { transactor } = this.#parts;
    // The guess is counted before it is checked, so that guesses side by side count as many.
    const staff = await transactor.transact((tx) => this.#countGuess(tx, accountId, staffId));
    if (!(await isPin(pin, staff.pin_hash))) throw this.#wrongPin(staff);
    return transactor.transact(async (tx) => {
      await updateStaff(tx, accountId, staffId, { failed_attempts: 0, locked_until: null });
      return this.#open(tx, accountId, toStaffName(staff));
    });
  }

  /** Opens a session for somebody who has just shown who they are: the owner at set-up. */
  openFor(accountId: string, staff: StaffName): Promise<{ session: Session; token: string }> {
    return this.#parts.transactor.transact((tx) => this.#open(tx, accountId, staff));
  }

  async #open(
    tx: Tx,
    accountId: string,
    staff: StaffName,
  ): Promise<{ session: Session; token: string }> {
    const { clock, ids } = this.#parts;
    const token = ids.secret(TOKEN_BYTES);
    const now = clock.now();
    const session = {
      accountId,
      staff,
      expiresAt: now + SESSION_MS,
      tokenHash: hashOf(token),
    };
    await tx.deleteFrom("staff_sessions").where("expires_at", "<=", now).execute();
    await tx
      .insertInto("staff_sessions")
      .values({
        token_hash: session.tokenHash,
        account_id: accountId,
        staff_id: staff.staffId,
        created_at: now,
        expires_at: session.expiresAt,
      })
      .execute();
    const entry = { accountId, staffId: staff.staffId, action: "staff.sign-in", at: now };
    await recordAudit(tx, { ...entry, subject: staff.staffId });
    return { session, token };
  }

  /** The session of a cookie's token, while it lasts and its owner is active. */
  async find(token: string): Promise<Session | undefined> {
    return this.findByHash(hashOf(token));
  }

  async findByHash(tokenHash: string): Promise<Session | undefined> {
    const { db, clock } = this.#parts;
    const row = await db
      .selectFrom("staff_sessions")
      .selectAll()
      .where("token_hash", "=", tokenHash)
      .where("expires_at", ">", clock.now())
      .executeTakeFirst();
    const staff = row && (await findStaff(db, row.account_id, row.staff_id));
    if (!row || staff?.active !== 1) return undefined;
    return {
      accountId: row.account_id,
      staff: toStaffName(staff),
      expiresAt: row.expires_at,
      tokenHash,
    };
  }

  async signOut(session: Session): Promise<void> {
    const { transactor, clock } = this.#parts;
    const { accountId, staff } = session;
    await transactor.transact(async (tx) => {
      await tx.deleteFrom("staff_sessions").where("token_hash", "=", session.tokenHash).execute();
      const entry = { accountId, staffId: staff.staffId, action: "staff.sign-out" };
      await recordAudit(tx, { ...entry, subject: staff.staffId, at: clock.now() });
    });
  }

  async #countGuess(tx: Tx, accountId: string, staffId: string): Promise<StaffRow> {
    const now = this.#parts.clock.now();
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

  #wrongPin(staff: StaffRow): Problem {
    if (staff.locked_until !== null) return locked(staff.locked_until);
    return new Problem("PIN_WRONG", "The PIN is wrong.", {
      pin: "is wrong",
      attemptsLeft: String(WRONG_PINS_ALLOWED - staff.failed_attempts),
    });
  }
}

function locked(until: number): Problem {
  return new Problem("PIN_LOCKED", "Too many wrong PINs.", { lockedUntil: toTimestamp(until) });
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
