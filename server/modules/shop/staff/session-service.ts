import { createHash } from "node:crypto";
import { whyWeak } from "../../../contract/pos/pins.ts";
import type { Limits, Rights } from "../../../contract/pos/rights.ts";
import type { SignInNotices, StaffName } from "../../../contract/pos/staff.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import type { Place } from "../../../lib/place.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import { countGuesses, countMistyped } from "./guess-store.ts";
import {
  acceptGuess,
  acceptPin,
  checkPin,
  findWeakness,
  type ProvenPin,
  rememberDevice,
  samePin,
  takeBackRight,
} from "./pin-check.ts";
import type { PinHasher } from "./pin-hasher.ts";
import { findStaff, type StaffRow, toPowers, toStaffName, updateStaff } from "./staff-store.ts";

const SESSION_MS = 12 * HOUR;
const TOKEN_BYTES = 32;
/** Maximum number of sessions per person. One more session ends the least recently active one. */
const SESSIONS_PER_PERSON = 8;
/** Minimum interval at which a till reports activity. */
const ACTIVITY_LAG_MS = 30 * SECOND;

/** A wrong PIN is a typing mistake if the right PIN follows on the same device within this time. */
const MISTYPED_MS = MINUTE;
/** Number of a person's wrong PINs from which the owner is notified. */
const MANY_WRONG_PINS = 5;

export interface Session {
  accountId: string;
  staff: StaffName;
  expiresAt: number;
  tokenHash: string;
  /** Whether the session sells in the test environment, regardless of the shop's environment. */
  training: boolean;
  rights: Rights;
  limits: Limits;
  /** The enrolled device; undefined on this machine. */
  deviceId?: string | undefined;
}

interface SessionServiceDeps extends Pick<Base, "db" | "transactor" | "clock" | "ids"> {
  pins: PinHasher;
}

interface Person {
  accountId: string;
  staffId: string;
}

interface SignIn {
  accountId: string;
  staffId: string;
  pin: string;
  /** The person's chosen PIN, which replaces a PIN set by an owner. */
  newPin?: string;
  place: Place;
  /** Token of the browser's earlier session, which the sign-in ends. */
  over: string | undefined;
}

/** A new session with its tokens. Only hashes of the tokens are stored. */
export interface SignedIn {
  session: Session;
  token: string;
  /** Token for the cookie of an unknown device. */
  deviceToken: string | undefined;
}

/**
 * Manages sessions, whose tokens are stored as SHA-256. A session ends at sign-out, after twelve
 * hours, or when the till was idle for the shop's idle time.
 */
export class SessionService {
  readonly #deps: SessionServiceDeps;
  readonly #onSignOut: ((tokenHash: string) => Promise<void>)[] = [];

  constructor(deps: SessionServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Signs a person in. Ends the browser's earlier session, whose cookie is replaced.
   * @throws Problem PIN_WRONG (fields.attemptsLeft), PIN_LOCKED (fields.lockedUntil), PIN_DUE,
   * PIN_WEAK
   */
  async signIn({
    accountId,
    staffId,
    pin,
    newPin,
    place,
    over,
  }: SignIn): Promise<SignedIn & { notices: SignInNotices | undefined }> {
    const { transactor, clock, ids } = this.#deps;
    const isChoosing = newPin !== undefined;
    const proven = await checkPin(this.#deps, { accountId, staffId, pin, place, isChoosing });
    const chosen = isChoosing ? await this.#hashChosen(proven, pin, newPin) : undefined;
    const signedIn = await transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      const notices = await this.#listNotices(tx, proven, newPin ?? pin, at);
      const deviceToken = await acceptPin(tx, proven, { at, ids });
      if (chosen !== undefined) await this.#choosePin(tx, { accountId, staffId }, chosen);
      if (over !== undefined) {
        await tx.deleteFrom("staff_sessions").where("token_hash", "=", hashToken(over)).execute();
      }
      return { ...(await this.#open(tx, proven.staff, place)), deviceToken, notices };
    });
    if (over !== undefined) await this.#notifySignOut(hashToken(over));
    return signedIn;
  }

  /**
   * Requires a signed-in person to type the PIN again, before an irreversible action.
   * @returns token for the cookie of an unknown device
   * @throws Problem PIN_WRONG (fields.attemptsLeft) or PIN_LOCKED (fields.lockedUntil)
   */
  async confirm(who: Person, pin: string, place: Place): Promise<string | undefined> {
    const { transactor, clock, ids } = this.#deps;
    const proven = await this.#checkOwnPin(who, pin, place);
    return transactor.transact(who.accountId, (tx) =>
      acceptPin(tx, proven, { at: clock.now(), ids }),
    );
  }

  /**
   * Requires the person's PIN for one request. Unlike `confirm`, does not store the device.
   * @throws Problem PIN_WRONG (fields.attemptsLeft) or PIN_LOCKED (fields.lockedUntil)
   */
  async requirePin(who: Person, pin: string, place: Place): Promise<void> {
    const proven = await this.#checkOwnPin(who, pin, place);
    await this.#deps.transactor.transact(who.accountId, (tx) => acceptGuess(tx, proven));
  }

  #checkOwnPin({ accountId, staffId }: Person, pin: string, place: Place) {
    return checkPin(this.#deps, { accountId, staffId, pin, place, signedIn: staffId });
  }

  /**
   * Changes the PIN of a person who has just typed the current PIN. Ends the person's other
   * sessions.
   * @throws Problem PIN_WEAK
   */
  async changePin(
    { accountId, staffId, tokenHash }: { accountId: string; staffId: string; tokenHash: string },
    pin: string,
  ): Promise<void> {
    const { db, transactor, pins } = this.#deps;
    const staff = await findStaff(db, accountId, staffId);
    if (!staff) throw new Error("the staff row of a signed-in person is missing");
    const weakness = findWeakness(pin, staff.role);
    if (weakness) throw weakness;
    if (await pins.check(pin, staff.pin_hash)) throw samePin();
    const hash = await pins.hash(pin);
    const ended = await transactor.transact(accountId, async (tx) => {
      await this.#choosePin(tx, { accountId, staffId }, hash);
      return tx
        .deleteFrom("staff_sessions")
        .where("account_id", "=", accountId)
        .where("staff_id", "=", staffId)
        .where("token_hash", "<>", tokenHash)
        .returning("token_hash")
        .execute();
    });
    for (const session of ended) await this.#notifySignOut(session.token_hash);
  }

  /** @throws Problem PIN_WEAK naming `newPin`, INVALID_REQUEST if the person has already chosen their PIN */
  async #hashChosen(proven: ProvenPin, pin: string, newPin: string): Promise<string> {
    const refusal = whyNotChosen(proven, pin, newPin);
    if (refusal) {
      const { transactor } = this.#deps;
      await transactor.transact(proven.guess.accountId, (tx) => takeBackRight(tx, proven));
      throw refusal;
    }
    return this.#deps.pins.hash(newPin);
  }

  async #choosePin(
    tx: Tx,
    { accountId, staffId }: { accountId: string; staffId: string },
    hash: string,
  ): Promise<void> {
    await updateStaff(tx, accountId, staffId, { pin_hash: hash, pin_given_at: null });
    const entry = { accountId, staffId, action: "staff.pin-chosen", subject: staffId } as const;
    await recordAudit(tx, { ...entry, at: this.#deps.clock.now() });
  }

  openFor(accountId: string, staffId: string, place: Place): Promise<SignedIn> {
    const { transactor, clock, ids } = this.#deps;
    return transactor.transact(accountId, async (tx) => {
      const staff = await findStaff(tx, accountId, staffId);
      if (!staff) throw new Error("a session was opened for an unknown person");
      const who = { accountId, staffId, place };
      const deviceToken = await rememberDevice(tx, who, { at: clock.now(), ids });
      return { ...(await this.#open(tx, staff, place)), deviceToken };
    });
  }

  async #listNotices(
    tx: Tx,
    { staff, guess }: ProvenPin,
    pin: string,
    at: number,
  ): Promise<SignInNotices | undefined> {
    const { account_id: accountId, staff_id: staffId, role } = staff;
    const since = staff.signed_in_at ?? 0;
    const counts = await countGuesses(tx, accountId, { since, now: at });
    const mistyped = await countMistyped(tx, { ...guess, at }, Math.max(since, at - MISTYPED_MS));
    const own = counts.find((one) => one.staffId === staffId)?.count ?? 0;
    const others = counts
      .filter((one) => one.staffId !== staffId && one.count >= MANY_WRONG_PINS)
      .map(({ name, count }) => ({ name, count }));
    const weakPin = whyWeak(pin, role);
    const notices: SignInNotices = {
      ...(own > mistyped && { wrongPins: own - mistyped }),
      ...(weakPin && { weakPin }),
      ...(role === "owner" && others.length > 0 && { wrongPinsOf: others }),
    };
    return Object.keys(notices).length > 0 ? notices : undefined;
  }

  async #open(tx: Tx, staff: StaffRow, place: Place): Promise<{ session: Session; token: string }> {
    const { clock, ids } = this.#deps;
    const token = ids.secret(TOKEN_BYTES);
    const now = clock.now();
    const { account_id: accountId, staff_id: staffId } = staff;
    const expiresAt = now + SESSION_MS;
    const tokenHash = hashToken(token);
    await tx.deleteFrom("staff_sessions").where("expires_at", "<=", now).execute();
    await endOldSessions(tx, { accountId, staffId }, SESSIONS_PER_PERSON - 1);
    await tx
      .insertInto("staff_sessions")
      .values({
        token_hash: tokenHash,
        account_id: accountId,
        staff_id: staffId,
        created_at: now,
        expires_at: expiresAt,
        active_at: now,
        device_id: place.enrolled ?? null,
      })
      .execute();
    await updateStaff(tx, accountId, staffId, { signed_in_at: now });
    const entry = { accountId, staffId, action: "staff.sign-in", subject: staffId } as const;
    await recordAudit(tx, { ...entry, at: now });
    return { session: toSession(staff, { expiresAt, tokenHash, training: false }), token };
  }

  /**
   * @returns undefined if the session has expired or was idle for too long, or its person is
   * inactive
   */
  async find(token: string): Promise<Session | undefined> {
    return this.findByHash(hashToken(token));
  }

  async findByHash(tokenHash: string): Promise<Session | undefined> {
    return (await this.findAllByHash([tokenHash])).get(tokenHash);
  }

  async findAllByHash(tokenHashes: readonly string[]): Promise<Map<string, Session>> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const rows = await listSessions(db, tokenHashes, now);
    const inUse = rows.filter(({ idle_lock_minutes, active_at }) => {
      const idle_ms = idle_lock_minutes * MINUTE;
      return idle_ms === 0 || now - active_at <= idle_ms + ACTIVITY_LAG_MS;
    });
    return new Map(
      inUse.map((row) => {
        const { token_hash: tokenHash, expires_at: expiresAt } = row;
        return [
          tokenHash,
          toSession(row, {
            expiresAt,
            tokenHash,
            training: row.training === 1,
            deviceId: row.device_id ?? undefined,
          }),
        ];
      }),
    );
  }

  async touch(session: Pick<Session, "accountId" | "tokenHash">): Promise<void> {
    const { transactor, clock } = this.#deps;
    await transactor.transact(session.accountId, (tx) =>
      tx
        .updateTable("staff_sessions")
        .set({ active_at: clock.now() })
        .where("token_hash", "=", session.tokenHash)
        .execute(),
    );
  }

  async train(session: Session, on: boolean): Promise<Session> {
    const { transactor, clock } = this.#deps;
    const { accountId, staff } = session;
    const at = clock.now();
    return transactor.transact(accountId, async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable("staff_sessions")
        .set({ training: on ? 1 : 0, active_at: at })
        .where("token_hash", "=", session.tokenHash)
        .where("training", "=", on ? 0 : 1)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) {
        const action = on ? "training.on" : "training.off";
        await recordAudit(tx, {
          accountId,
          staffId: staff.staffId,
          action,
          subject: staff.staffId,
          at,
        });
      }
      return { ...session, training: on };
    });
  }

  onSignOut(callback: (tokenHash: string) => Promise<void>): void {
    this.#onSignOut.push(callback);
  }

  /** @param idle whether the idle lock ended the session */
  async signOut(session: Session, { idle }: { idle: boolean }): Promise<void> {
    const { transactor, clock } = this.#deps;
    const { accountId, staff } = session;
    await transactor.transact(accountId, async (tx) => {
      await tx.deleteFrom("staff_sessions").where("token_hash", "=", session.tokenHash).execute();
      const action = idle ? "staff.idle-lock" : "staff.sign-out";
      const entry = { accountId, staffId: staff.staffId, action, subject: staff.staffId } as const;
      await recordAudit(tx, { ...entry, at: clock.now() });
    });
    await this.#notifySignOut(session.tokenHash);
  }

  async #notifySignOut(tokenHash: string): Promise<void> {
    for (const callback of this.#onSignOut) await callback(tokenHash);
  }
}

function whyNotChosen({ staff }: ProvenPin, pin: string, newPin: string): Problem | undefined {
  if (staff.pin_given_at === null) {
    return new Problem("INVALID_REQUEST", "Sign in, and then change your PIN.", {
      newPin: "is for a PIN that an owner gave you",
    });
  }
  return newPin === pin ? samePin("newPin") : findWeakness(newPin, staff.role, "newPin");
}

function toSession(
  staff: StaffRow,
  rest: Pick<Session, "expiresAt" | "tokenHash" | "training" | "deviceId">,
): Session {
  return {
    accountId: staff.account_id,
    staff: toStaffName(staff),
    ...toPowers(staff),
    ...rest,
  };
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function listSessions(db: Db | Tx, tokenHashes: readonly string[], now: number) {
  return db
    .selectFrom("staff_sessions as s")
    .innerJoin("accounts as a", "a.account_id", "s.account_id")
    .innerJoin("staff as p", (join) =>
      join.onRef("p.account_id", "=", "s.account_id").onRef("p.staff_id", "=", "s.staff_id"),
    )
    .selectAll("p")
    .select([
      "s.token_hash",
      "s.expires_at",
      "s.training",
      "s.active_at",
      "s.device_id",
      "a.idle_lock_minutes",
    ])
    .where("s.token_hash", "in", tokenHashes)
    .where("s.expires_at", ">", now)
    .where("p.active", "=", 1)
    .execute();
}

async function endOldSessions(
  tx: Tx,
  { accountId, staffId }: { accountId: string; staffId: string },
  keep: number,
): Promise<void> {
  const old = await tx
    .selectFrom("staff_sessions")
    .select("token_hash")
    .where("account_id", "=", accountId)
    .where("staff_id", "=", staffId)
    .orderBy("active_at", "desc")
    .orderBy("created_at", "desc")
    .orderBy("token_hash")
    .limit(1_000_000)
    .offset(keep)
    .execute();
  if (old.length === 0) return;
  const hashes = old.map(({ token_hash }) => token_hash);
  await tx.deleteFrom("staff_sessions").where("token_hash", "in", hashes).execute();
}
