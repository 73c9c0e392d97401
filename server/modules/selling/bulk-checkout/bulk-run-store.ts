import type { Selectable } from "kysely";
import type { BulkPause, BulkState } from "../../../contract/pos/bulk-runs.ts";
import type { TenderKind } from "../../../contract/pos/tenders.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import type { TableLine } from "./bulk-table.ts";

export type BulkRunRow = Omit<Selectable<Tables["bulk_runs"]>, "checksum">;

const LINES_AT_ONCE = 100;

export async function createRun(
  tx: Tx,
  run: Omit<BulkRunRow, "environment" | "account_id"> & Scope,
  lines: readonly TableLine[],
): Promise<void> {
  const { accountId: account_id, environment, ...row } = run;
  const scoped = { account_id, environment };
  await tx
    .insertInto("bulk_runs")
    .values({ ...scoped, ...row })
    .execute();
  for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
    const some = lines.slice(at, at + LINES_AT_ONCE).map(({ line, cells, isTooLong }) => ({
      ...scoped,
      run_id: run.run_id,
      line,
      state: isTooLong ? ("FAULTY" as const) : ("UNCHECKED" as const),
      cells_json: JSON.stringify(cells),
      faults_json: isTooLong ? JSON.stringify([{ field: "", code: "CELLS", detail: "" }]) : "[]",
      warnings_json: "[]",
      title: "",
      recipient: "",
      note: "",
    }));
    await tx.insertInto("bulk_lines").values(some).execute();
  }
}

export async function forgetUnconfirmed(tx: Tx, scope: Scope, staffId: string): Promise<void> {
  const old = await tx
    .selectFrom("bulk_runs")
    .select("run_id")
    .where(inScope(scope))
    .where("staff_id", "=", staffId)
    .where("confirmed_at", "is", null)
    .execute();
  for (const { run_id } of old) {
    await tx.deleteFrom("bulk_lines").where(inScope(scope)).where("run_id", "=", run_id).execute();
    await tx.deleteFrom("bulk_runs").where(inScope(scope)).where("run_id", "=", run_id).execute();
  }
}

export async function findRun(
  db: Db | Tx,
  scope: Scope,
  runId: string,
): Promise<BulkRunRow | undefined> {
  return db
    .selectFrom("bulk_runs")
    .selectAll()
    .where(inScope(scope))
    .where("run_id", "=", runId)
    .executeTakeFirst();
}

/** @throws Problem NOT_FOUND */
export async function getRun(db: Db | Tx, scope: Scope, runId: string): Promise<BulkRunRow> {
  const run = await findRun(db, scope, runId);
  if (!run) throw new Problem("NOT_FOUND", "There is no such run.");
  return run;
}

export async function listRuns(db: Db | Tx, scope: Scope, limit: number): Promise<BulkRunRow[]> {
  return db
    .selectFrom("bulk_runs")
    .selectAll()
    .where(inScope(scope))
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
}

export async function findSoldBefore(
  db: Db | Tx,
  scope: Scope,
  { run_id, digest }: Pick<BulkRunRow, "run_id" | "digest">,
): Promise<{ run_id: string; name: string; confirmed_at: number } | undefined> {
  if (digest === null) return undefined;
  return db
    .selectFrom("bulk_runs as r")
    .select(["r.run_id", "r.name"])
    .select((eb) => eb.ref("r.confirmed_at").$notNull().as("confirmed_at"))
    .where(inScope(scope, "r"))
    .where("r.digest", "=", digest)
    .where("r.run_id", "!=", run_id)
    .where("r.confirmed_at", "is not", null)
    .where((eb) =>
      eb.or([
        eb("r.ended_at", "is", null),
        eb.exists(
          eb
            .selectFrom("bulk_lines as l")
            .select("l.line")
            .whereRef("l.account_id", "=", "r.account_id")
            .whereRef("l.environment", "=", "r.environment")
            .whereRef("l.run_id", "=", "r.run_id")
            .where("l.state", "=", "SOLD"),
        ),
      ]),
    )
    .orderBy("r.confirmed_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

interface RunChange {
  pause?: BulkPause;
  digest?: string;
  staff_id?: string;
  tender?: TenderKind;
  tender_id?: string;
  reference?: string | null;
  confirmed_at?: number;
  ended_at?: number;
}

/**
 * Changes the run's state. No other function changes it (rules#bulk-states).
 * @throws Problem BULK_RUN_CHANGED if the run is in none of the states `from`
 */
export async function moveRun(
  tx: Tx,
  run: Scope & { runId: string },
  from: readonly BulkState[],
  to: BulkState,
  { pause, ...change }: RunChange = {},
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("bulk_runs")
    .set({ state: to, pause: pause ?? null, ...change })
    .where(inScope(run))
    .where("run_id", "=", run.runId)
    .where("state", "in", from)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw runChanged();
}

export function runChanged(): Problem {
  return new Problem("BULK_RUN_CHANGED", "The run is not as it was: look at it again.");
}
