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

/** Committed changes that the database file lacks. */
const MissingDetail = Type.Object({
  /** Number of purchases, recharges and refunds. */
  transactions: Type.Integer(),
  /** Number of database commits, which include changes of any row. */
  commits: Type.Integer(),
  /** Times of the last commit in the file and of the last commit overall. */
  since: Type.Number(),
  until: Type.Number(),
});
type MissingDetail = Static<typeof MissingDetail>;

export type Finding = { foundAt: number } & (
  | { kind: "BOOKS"; detail: BooksDetail }
  | { kind: "MISSING"; detail: MissingDetail }
);

/** Lists findings that still apply or that the owner has not confirmed. */
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

/** Records a finding, and replaces an open finding of the same kind. */
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

/** Writes as many bytes as a sale, to test whether a sale could be stored. */
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

/** Lost changes; `transactions` is undefined if not counted separately from other commits. */
type Lost = Omit<MissingDetail, "transactions"> & Partial<Pick<MissingDetail, "transactions">>;

/**
 * Checks whether the database contains all committed changes. After a write-ahead log was deleted
 * or damaged, the database is intact but older (rules#fault-lost-commits). The missing sales are
 * shown until the owner has confirmed them. The stored count of commits then includes the missing
 * commits, so that they are reported only once. The gateway queries the provider about each open
 * purchase before it sends anything.
 */
export async function noteMissing({
  db,
  transactor,
  dataDir,
  clock,
}: MissingCommitsDeps): Promise<void> {
  // Read first, so that concurrent commits of other processes cannot look like missing commits.
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
    // A missing commit may have sent an open purchase to the provider.
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
