import type { Db, Tx } from "../../db/database.ts";

/** Rows of the books that are not in order, by the rule they break. */
export type BooksDetail = { name: string; violations: string[] }[];

/** What is missing between what was committed and what the file has. */
export interface MissingDetail {
  /** Purchases, recharges and refunds. */
  transactions: number;
  /** Of the database: every change of anything. */
  commits: number;
  /** When the last commit in the file was written, and the last one at all. */
  since: number;
  until: number;
}

export type Finding = { foundAt: number } & (
  | { kind: "BOOKS"; detail: BooksDetail }
  | { kind: "MISSING"; detail: MissingDetail }
);

/** Findings that still hold, or were not confirmed by the owner. */
export async function listOpenFindings(db: Db | Tx): Promise<Finding[]> {
  const rows = await db
    .selectFrom("storage_findings")
    .select(["kind", "found_at", "detail_json"])
    .where("settled_at", "is", null)
    .orderBy("kind")
    .execute();
  return rows.map(({ kind, found_at: foundAt, detail_json }) =>
    kind === "BOOKS"
      ? { kind, foundAt, detail: JSON.parse(detail_json) as BooksDetail }
      : { kind, foundAt, detail: JSON.parse(detail_json) as MissingDetail },
  );
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
