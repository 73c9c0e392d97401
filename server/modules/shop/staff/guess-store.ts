import type { ExpressionBuilder } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Tables } from "../../../db/tables.ts";
import { DAY } from "../../../lib/clock.ts";

export const GUESSES_KEPT_MS = 30 * DAY;
/** Maximum number of expired guesses that a new guess deletes. */
const DELETED_AT_ONCE = 100;

/** A typed PIN that was wrong or has not been checked yet. */
export interface Guess {
  accountId: string;
  staffId: string;
  /** Device, if it is known for the person; undefined for all other devices. */
  device: string | undefined;
  source: string;
  at: number;
}

/**
 * Records a guess before the PIN is checked.
 * @returns id of the guess
 */
export async function recordGuess(tx: Tx, guess: Guess): Promise<number> {
  // Guesses are numbered in the order of their times.
  const oldest = tx.selectFrom("pin_guesses").select("guess_id").orderBy("guess_id");
  await tx
    .deleteFrom("pin_guesses")
    .where("guess_id", "in", oldest.limit(DELETED_AT_ONCE))
    .where("guessed_at", "<", guess.at - GUESSES_KEPT_MS)
    .execute();
  const row = await tx
    .insertInto("pin_guesses")
    .values({
      account_id: guess.accountId,
      staff_id: guess.staffId,
      device_hash: guess.device ?? null,
      source: guess.source,
      guessed_at: guess.at,
      checked: 0,
    })
    .returning("guess_id")
    .executeTakeFirstOrThrow();
  return row.guess_id;
}

/** Marks a guess as wrong. Records it again if a restart deleted it during its check. */
export async function keepGuess(tx: Tx, guessId: number, guess: Guess): Promise<void> {
  const kept = await tx
    .updateTable("pin_guesses")
    .set({ checked: 1 })
    .where("guess_id", "=", guessId)
    .executeTakeFirst();
  if (kept.numUpdatedRows > 0n) return;
  const again = await recordGuess(tx, guess);
  await tx.updateTable("pin_guesses").set({ checked: 1 }).where("guess_id", "=", again).execute();
}

/** Lists the guesses before a time that have not been checked yet. */
export async function listUnchecked(
  db: Db | Tx,
  { accountId, staffId, before }: { accountId: string; staffId?: string; before: number },
): Promise<{ guessId: number; staffId: string; device: string | undefined }[]> {
  let query = db
    .selectFrom("pin_guesses")
    .select(["guess_id", "staff_id", "device_hash"])
    .where("account_id", "=", accountId)
    .where("checked", "=", 0)
    .where("guessed_at", "<", before);
  if (staffId !== undefined) query = query.where("staff_id", "=", staffId);
  const rows = await query.execute();
  return rows.map((row) => ({
    guessId: row.guess_id,
    staffId: row.staff_id,
    device: row.device_hash ?? undefined,
  }));
}

/** Deletes a guess that was right, or whose check never ended. */
export async function takeBackGuess(tx: Tx, guessId: number): Promise<void> {
  await tx.deleteFrom("pin_guesses").where("guess_id", "=", guessId).execute();
}

export async function forgetGuesses(tx: Tx, accountId: string, staffId: string): Promise<void> {
  await tx
    .deleteFrom("pin_guesses")
    .where("account_id", "=", accountId)
    .where("staff_id", "=", staffId)
    .execute();
}

/**
 * Guesses that are counted together: of a person on one device (undefined: on all unknown devices),
 * from one source address, or of all people on unknown devices.
 */
export type GuessScope =
  | { staffId: string; device: string | undefined }
  | { source: string }
  | { strangers: true };

/** @param device undefined for devices that are not known for the person */
function isAtDevice(device: string | undefined) {
  return ({ eb }: ExpressionBuilder<Tables, "pin_guesses">) =>
    device === undefined ? eb("device_hash", "is", null) : eb("device_hash", "=", device);
}

/**
 * Lists the times of guesses, newest first. Skips guesses later than `now`, which had a wrong
 * clock.
 */
export async function listGuessTimes(
  db: Db | Tx,
  accountId: string,
  counted: GuessScope,
  { since, now, most }: { since: number; now: number; most: number },
): Promise<number[]> {
  let query = db
    .selectFrom("pin_guesses")
    .select("guessed_at")
    .where("account_id", "=", accountId)
    .where("guessed_at", ">", since)
    .where("guessed_at", "<=", now);
  if ("staffId" in counted) {
    query = query.where("staff_id", "=", counted.staffId).where(isAtDevice(counted.device));
  } else {
    query = query.where("device_hash", "is", null);
    if ("source" in counted) query = query.where("source", "=", counted.source);
  }
  const rows = await query.orderBy("guessed_at", "desc").limit(most).execute();
  return rows.map(({ guessed_at }) => guessed_at);
}

export async function countGuesses(
  db: Db | Tx,
  accountId: string,
  { since, now }: { since: number; now: number },
): Promise<{ staffId: string; name: string; count: number }[]> {
  const rows = await db
    .selectFrom("staff as s")
    .innerJoin("pin_guesses as g", (join) =>
      join.onRef("g.account_id", "=", "s.account_id").onRef("g.staff_id", "=", "s.staff_id"),
    )
    .select(({ fn }) => ["s.staff_id", "s.name", fn.countAll<number>().as("count")])
    .where("s.account_id", "=", accountId)
    .where("g.guessed_at", ">", since)
    .where("g.guessed_at", "<=", now)
    .groupBy(["s.staff_id", "s.name"])
    .orderBy("s.name")
    .execute();
  return rows.map(({ staff_id, name, count }) => ({ staffId: staff_id, name, count }));
}

/**
 * Counts the person's own typing mistakes: wrong guesses on the same device and from the same
 * source.
 */
export async function countMistyped(
  tx: Tx,
  { accountId, staffId, device, source, at }: Guess,
  since: number,
): Promise<number> {
  const { count } = await tx
    .selectFrom("pin_guesses")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .where("staff_id", "=", staffId)
    .where(isAtDevice(device))
    .where("source", "=", source)
    .where("guessed_at", ">", since)
    .where("guessed_at", "<=", at)
    .executeTakeFirstOrThrow();
  return count;
}
