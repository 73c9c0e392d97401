import { type Static, type TSchema, Type } from "typebox";
import type {
  CheckedForLive,
  GoingLiveCheck,
  GoingLiveNote,
} from "../../../contract/pos/till-environment.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { accountSetting, readSetting, writeSetting } from "../../../db/settings.ts";

const NOTE_DETAILS = {
  TIME_ZONE_CONFIRMED: Type.Object({ timeZone: Type.String() }),
  SYNC_READ: Type.Object({ baseUrl: Type.String() }),
  PRICES_SEEN: Type.Object({ version: Type.Integer() }),
  RECEIPT_TESTED: Type.Object({}),
  DRAWER_OPENED: Type.Object({}),
  BACKUP_RESTORED: Type.Object({ name: Type.String(), sales: Type.Integer() }),
  /** Balances including held amounts, in minor units of the wallet's currency. */
  FIRST_SALE: Type.Object({
    transactionId: Type.String(),
    baseUrl: Type.String(),
    before: Type.Object({ there: Type.Integer(), here: Type.Integer() }),
    after: Type.Optional(Type.Object({ there: Type.Integer(), here: Type.Integer() })),
  }),
} satisfies Record<GoingLiveNote, TSchema>;
type Detail<Note extends GoingLiveNote> = Static<(typeof NOTE_DETAILS)[Note]>;

interface StoredNote<Note extends GoingLiveNote> {
  at: number;
  staffId: string;
  detail: Detail<Note>;
}

function noteSetting<Note extends GoingLiveNote>(note: Note) {
  const detail: TSchema = NOTE_DETAILS[note];
  const schema = Type.Object({ at: Type.Integer(), staffId: Type.String(), detail });
  return accountSetting(`going_live.${note}`, schema);
}

export async function findNote<Note extends GoingLiveNote>(
  db: Db | Tx,
  accountId: string,
  note: Note,
): Promise<StoredNote<Note> | undefined> {
  const stored = await readSetting(db, accountId, noteSetting(note));
  return stored as StoredNote<Note> | undefined;
}

export async function writeNote<Note extends GoingLiveNote>(
  tx: Tx,
  accountId: string,
  note: Note,
  stored: StoredNote<Note>,
): Promise<void> {
  await writeSetting(tx, accountId, noteSetting(note), stored);
}

/** A check that failed after it had passed. It causes an alert, but never switches anything off. */
interface TurnedRed {
  check: GoingLiveCheck;
  /**
   * Time of the first failure, in milliseconds since 1970; unchanged until the check passes again.
   */
  since: number;
}

/**
 * Returns checks that passed when the shop went live and failed in the last nightly run, oldest
 * failure first. Empty while the shop sells in test.
 */
export async function readTurnedRed(db: Db, accountId: string): Promise<TurnedRed[]> {
  const rows = await db
    .selectFrom("live_check_results")
    .select(["check_name", "turned_red_at"])
    .where("account_id", "=", accountId)
    .where("stops", "=", 1)
    .where("turned_red_at", "is not", null)
    .orderBy("turned_red_at")
    .orderBy("check_name")
    .execute();
  return rows.map((row) => ({ check: row.check_name, since: row.turned_red_at ?? 0 }));
}

/** Replaces the results, so that results of checks that no longer exist are deleted. */
export async function saveCheckResults(
  tx: Tx,
  accountId: string,
  checks: readonly CheckedForLive[],
  at: number,
): Promise<void> {
  const before = await tx
    .selectFrom("live_check_results")
    .select(["check_name", "passed", "turned_red_at"])
    .where("account_id", "=", accountId)
    .execute();
  const known = new Map(before.map((row) => [row.check_name, row]));
  await forgetCheckResults(tx, accountId);
  const rows = checks.map(({ check, passed, stops, figures }) => {
    const last = known.get(check);
    const turnedRedAt = last?.passed === 1 ? at : (last?.turned_red_at ?? null);
    return {
      account_id: accountId,
      check_name: check,
      passed: passed ? 1 : 0,
      stops: stops ? 1 : 0,
      figures_json: JSON.stringify(figures),
      turned_red_at: passed ? null : turnedRedAt,
      checked_at: at,
    };
  });
  await tx.insertInto("live_check_results").values(rows).execute();
}

export async function forgetCheckResults(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom("live_check_results").where("account_id", "=", accountId).execute();
}
