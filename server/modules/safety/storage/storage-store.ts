import { type Static, Type } from "typebox";
import type { Db, Tx } from "../../../db/database.ts";
import { readColumn } from "../../../db/stored-json.ts";

/** Rows of the books that are not in order, by the rule they break. */
const BooksDetail = Type.Array(
  Type.Object({ name: Type.String(), violations: Type.Array(Type.String()) }),
);
export type BooksDetail = Static<typeof BooksDetail>;

/** What is missing between what was committed and what the file has. */
const MissingDetail = Type.Object({
  /** Purchases, recharges and refunds. */
  transactions: Type.Integer(),
  /** Of the database: every change of anything. */
  commits: Type.Integer(),
  /** When the last commit in the file was written, and the last one at all. */
  since: Type.Number(),
  until: Type.Number(),
});
export type MissingDetail = Static<typeof MissingDetail>;

export type Finding = { foundAt: number } & (
  | { kind: "BOOKS"; detail: BooksDetail }
  | { kind: "MISSING"; detail: MissingDetail }
);

/** Findings that still hold, or were not confirmed by the owner. */
export async function listOpenFindings(db: Db | Tx): Promise<Finding[]> {
  const rows = await db
    .selectFrom("storage_findings")
    .select(["finding_id", "kind", "found_at", "detail_json"])
    .where("settled_at", "is", null)
    .orderBy("kind")
    .execute();
  return rows.map(({ finding_id: row, kind, found_at: foundAt, detail_json: text }) => {
    const where = { table: "storage_findings", column: "detail_json", row } as const;
    return kind === "BOOKS"
      ? { kind, foundAt, detail: readColumn(BooksDetail, text, where) }
      : { kind, foundAt, detail: readColumn(MissingDetail, text, where) };
  });
}

/** In the place of an open one of its kind. */
export async function recordFinding(tx: Tx, { kind, foundAt, detail }: Finding): Promise<void> {
  await settleFinding(tx, kind, foundAt);
  await tx
    .insertInto("storage_findings")
    .values({ kind, found_at: foundAt, detail_json: JSON.stringify(detail), settled_at: null })
    .execute();
}

/** @returns whether one was open */
export async function settleFinding(tx: Tx, kind: Finding["kind"], at: number): Promise<boolean> {
  const result = await tx
    .updateTable("storage_findings")
    .set({ settled_at: at })
    .where("kind", "=", kind)
    .where("settled_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

const PROBE_BYTES = 16_384;

/** Writes as much as a sale does, to see whether one could be made. */
export async function probeWriting(tx: Tx): Promise<void> {
  const filler = new Uint8Array(PROBE_BYTES);
  await tx.deleteFrom("write_probes").execute();
  await tx.insertInto("write_probes").values({ one: 1, filler }).execute();
}
