import { EVERY_ACCOUNT } from "../../../db/account-lock.ts";
import { readWitness } from "../../../db/commit-witness.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import { doubtUnfinished } from "../../purchases/purchases/index.ts";
import { listOpenFindings, type MissingDetail, recordFinding } from "./storage-store.ts";

interface MissingCommitsDeps {
  db: Db;
  transactor: Transactor;
  dataDir: string;
  clock: Clock;
}

/** `transactions` is absent where they are not counted apart from other commits. */
type Lost = Omit<MissingDetail, "transactions"> & Partial<Pick<MissingDetail, "transactions">>;

/**
 * Checks whether the database has everything that was committed: a log of writes that was deleted or
 * damaged leaves an older database, which is whole (rules#fault-lost-commits). What is missing is shown
 * until the owner has confirmed it; counting goes on from there, so that the same is not missed twice. The provider is
 * asked for the status of each open purchase before anything is sent.
 */
export async function noteMissing({
  db,
  transactor,
  dataDir,
  clock,
}: MissingCommitsDeps): Promise<void> {
  // Read first: what another process commits meanwhile makes the database newer, never older.
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
    // A purchase that waits here may have been sent and delivered by what is missing.
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

/** Adds to what is missing already and was not confirmed by the owner. */
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
