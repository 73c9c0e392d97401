import { randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import { EVERY_ACCOUNT } from "../../../db/account-lock.ts";
import { readWitness } from "../../../db/commit-witness.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import { doubtUnfinished } from "../../purchases/purchases/index.ts";

/** Rows that violate invariants, by the name of the invariant. */
const BooksDetail = Type.Array(
  Type.Object({ name: Type.String(), violations: Type.Array(Type.String()) }),
);
export type BooksDetail = Static<typeof BooksDetail>;

/** Committed changes that the database file no longer contains. */
const MissingDetail = Type.Object({
  transactions: Type.Integer(),
  commits: Type.Integer(),
  /** Times of the last commit in the file, and of the last commit that was made. */
  since: Type.Number(),
  until: Type.Number(),
});
type MissingDetail = Static<typeof MissingDetail>;

export type Finding = { foundAt: number } & (
  | { kind: "BOOKS"; detail: BooksDetail }
  | { kind: "MISSING"; detail: MissingDetail }
);

/** Lists findings that are neither fixed nor confirmed by the owner. */
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

/** Replaces an open finding of the same kind. */
export async function recordFinding(tx: Tx, { kind, foundAt, detail }: Finding): Promise<void> {
  await settleFinding(tx, kind, foundAt);
  await tx
    .insertInto("storage_findings")
    .values({ kind, found_at: foundAt, detail_json: JSON.stringify(detail), settled_at: null })
    .execute();
}

/** @returns whether a finding of this kind was open */
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

/** Writes as many bytes as a sale, to test whether a sale can be stored. */
export async function probeWriting(tx: Tx): Promise<void> {
  // Random bytes, because PostgreSQL would compress repeated bytes into less space.
  const filler = randomBytes(PROBE_BYTES);
  await tx.deleteFrom("write_probes").execute();
  await tx.insertInto("write_probes").values({ one: 1, filler }).execute();
}

interface MissingCommitsDeps {
  db: Db;
  transactor: Transactor;
  dataDir: string;
  clock: Clock;
}

/** Lost changes; `transactions` is undefined if their number is unknown. */
type Lost = Omit<MissingDetail, "transactions"> & Partial<Pick<MissingDetail, "transactions">>;

/**
 * Records missing sales if the database lacks committed changes (rules#fault-lost-commits). The
 * record stays open until the owner confirms it. Adds the missing commits to the stored count, so
 * that they are recorded only once. The gateway queries the provider about each open purchase
 * before it submits the purchase again.
 */
export async function noteMissing({
  db,
  transactor,
  dataDir,
  clock,
}: MissingCommitsDeps): Promise<void> {
  // Reads the witness before the count, so that another process's concurrent commit cannot seem
  // missing.
  const witness = readWitness(dataDir);
  if (!witness || witness.commits <= (await readCount(db)).commits) return;
  await transactor.transact(EVERY_ACCOUNT, async (tx) => {
    const count = await readCount(tx);
    if (witness.commits <= count.commits) return;
    const lost = {
      transactions: Math.max(0, witness.transactions - count.transactions),
      commits: witness.commits - count.commits,
      since: count.committed_at,
      until: witness.committedAt,
    };
    await recordLost(tx, lost, clock.now());
    await doubtUnfinished(tx);
    await tx
      .updateTable("commit_count")
      .set({
        commits: witness.commits,
        transactions: Math.max(witness.transactions, count.transactions),
      })
      .execute();
  });
}

export async function recordLost(
  tx: Tx,
  { transactions = 0, commits, since, until }: Lost,
  foundAt: number,
): Promise<void> {
  const before = (await listOpenFindings(tx)).find(({ kind }) => kind === "MISSING");
  const unseen = before?.detail as MissingDetail | undefined;
  await recordFinding(tx, {
    kind: "MISSING",
    foundAt,
    detail: {
      transactions: transactions + (unseen?.transactions ?? 0),
      commits: commits + (unseen?.commits ?? 0),
      since: unseen?.since ?? since,
      until,
    },
  });
}

function readCount(db: Db | Tx) {
  return db.selectFrom("commit_count").selectAll().executeTakeFirstOrThrow();
}
