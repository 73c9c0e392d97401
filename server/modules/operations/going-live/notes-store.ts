import { type Static, type TSchema, Type } from "typebox";
import type { GoingLiveNote } from "../../../contract/pos/going-live.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { readColumn } from "../../../db/stored-json.ts";

/** What is kept beside each note. */
const NOTE_DETAILS = {
  TIME_ZONE_CONFIRMED: Type.Object({ timeZone: Type.String() }),
  SYNC_READ: Type.Object({ baseUrl: Type.String() }),
  PRICES_SEEN: Type.Object({ version: Type.Integer() }),
  RECEIPT_TESTED: Type.Object({}),
  DRAWER_OPENED: Type.Object({}),
  BACKUP_RESTORED: Type.Object({ name: Type.String(), sales: Type.Integer() }),
  /** Balances in minor units of the wallet's currency: what it holds in all, there and here. */
  FIRST_SALE: Type.Object({
    transactionId: Type.String(),
    /** The gateway that it went through. */
    baseUrl: Type.String(),
    before: Type.Object({ there: Type.Integer(), here: Type.Integer() }),
    after: Type.Optional(Type.Object({ there: Type.Integer(), here: Type.Integer() })),
  }),
} satisfies Record<GoingLiveNote, TSchema>;
type Detail<Note extends GoingLiveNote> = Static<(typeof NOTE_DETAILS)[Note]>;

interface Noted<Note extends GoingLiveNote> {
  at: number;
  staffId: string;
  detail: Detail<Note>;
}

/** What was noted of the way to live; undefined where it was not, or not by this account. */
export async function findNote<Note extends GoingLiveNote>(
  db: Db | Tx,
  accountId: string,
  note: Note,
): Promise<Noted<Note> | undefined> {
  const row = await db
    .selectFrom("going_live_notes")
    .select(["noted_at", "staff_id", "detail_json"])
    .where("account_id", "=", accountId)
    .where("note", "=", note)
    .executeTakeFirst();
  if (!row) return undefined;
  const of = { table: "going_live_notes", column: "detail_json", row: note } as const;
  const detail = readColumn(NOTE_DETAILS[note], row.detail_json, of);
  return { at: row.noted_at, staffId: row.staff_id, detail };
}

/** Notes it anew, whatever was noted before. */
export async function writeNote<Note extends GoingLiveNote>(
  tx: Tx,
  accountId: string,
  note: Note,
  { at, staffId, detail }: Noted<Note>,
): Promise<void> {
  const fresh = { noted_at: at, staff_id: staffId, detail_json: JSON.stringify(detail) };
  await tx
    .insertInto("going_live_notes")
    .values({ account_id: accountId, note, ...fresh })
    .onConflict((conflict) => conflict.columns(["account_id", "note"]).doUpdateSet(fresh))
    .execute();
}
