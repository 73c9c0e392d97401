import { type Selectable, sql } from "kysely";
import type {
  BulkLineState,
  BulkLinesQuery,
  BulkPause,
  BulkState,
} from "../../../contract/pos/bulk-runs.ts";
import type { TenderKind } from "../../../contract/pos/tenders.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import { intactFlag } from "../../../db/checksums.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { indexedBy } from "../../../db/engine-words.ts";
import { countRows, findInScope, inSameScope, inScope } from "../../../db/scope-filters.ts";
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
  return findInScope(db, "bulk_runs", scope, { run_id: runId });
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

export type BulkLineRow = Omit<Selectable<Tables["bulk_lines"]>, "checksum">;
/** `intact` is 0 for a damaged row. */
type LineToSell = BulkLineRow & { intact: number };

type RunOf = Scope & { runId: string };

function selectLines(db: Db | Tx, run: RunOf) {
  return db.selectFrom("bulk_lines").where(inScope(run)).where("run_id", "=", run.runId);
}

export async function listInState(
  db: Db | Tx,
  run: RunOf,
  state: BulkLineState,
  { after = 0, limit }: { after?: number; limit: number },
): Promise<LineToSell[]> {
  return selectLines(db, run)
    .selectAll()
    .select(intactFlag("bulk_lines").as("intact"))
    .where("state", "=", state)
    .where("line", ">", after)
    .orderBy("line")
    .limit(limit)
    .execute();
}

/** @returns number of changed lines; 0 if the line is not in the state `from` */
export async function changeLine(
  tx: Tx,
  run: RunOf,
  line: number,
  from: BulkLineState,
  change: Partial<BulkLineRow>,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("bulk_lines")
    .set(change)
    .where(inScope(run))
    .where("run_id", "=", run.runId)
    .where("line", "=", line)
    .where("state", "=", from)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export async function changeReady(tx: Tx, run: RunOf, change: "LEFT" | "PRICES"): Promise<void> {
  const ready = tx
    .updateTable("bulk_lines")
    .where(inScope(run))
    .where("run_id", "=", run.runId)
    .where("state", "=", "READY");
  if (change === "LEFT") {
    await ready.set({ state: "LEFT" }).execute();
    return;
  }
  await ready
    .where("price_now", "is not", null)
    .set((eb) => ({ price: eb.ref("price_now"), price_now: null }))
    .execute();
}

export interface StateSum {
  state: BulkLineState;
  lines: number;
  warned: number;
  repriced: number;
  price: number;
  priceNow: number;
  repricedBefore: number;
  repricedNow: number;
  cost: number;
}

export async function sumStates(db: Db | Tx, run: RunOf): Promise<StateSum[]> {
  return selectLines(db, run)
    .select("state")
    .select([
      sql<number>`count(*)`.as("lines"),
      sql<number>`count(*) filter (where warnings_json <> '[]')`.as("warned"),
      sql<number>`count(price_now)`.as("repriced"),
      sql<number>`coalesce(sum(price), 0)`.as("price"),
      sql<number>`coalesce(sum(coalesce(price_now, price)), 0)`.as("priceNow"),
      sql<number>`coalesce(sum(price) filter (where price_now is not null), 0)`.as(
        "repricedBefore",
      ),
      sql<number>`coalesce(sum(price_now), 0)`.as("repricedNow"),
      sql<number>`coalesce(sum(cost), 0)`.as("cost"),
    ])
    .groupBy("state")
    .execute();
}

export async function sumOutcomes(
  db: Db | Tx,
  run: RunOf,
): Promise<{ status: string; lines: number; price: number }[]> {
  return db
    .selectFrom("bulk_lines as l")
    .innerJoin("transactions as t", inSameScope("t", "l", "transaction_id"))
    .where(inScope(run, "l"))
    .where("l.run_id", "=", run.runId)
    .where("l.state", "=", "SOLD")
    .select([
      "t.status",
      sql<number>`count(*)`.as("lines"),
      sql<number>`coalesce(sum(l.price), 0)`.as("price"),
    ])
    .groupBy("t.status")
    .execute();
}

export async function countUnderWay(db: Db | Tx, run: RunOf, since: number): Promise<number> {
  const { count } = await db
    .selectFrom("bulk_lines as l")
    .innerJoin("transactions as t", inSameScope("t", "l", "transaction_id"))
    .where(inScope(run, "l"))
    .where("l.run_id", "=", run.runId)
    .where("l.state", "=", "SOLD")
    .where("l.sold_at", ">=", since)
    .where("t.finished_at", "is", null)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

export async function listLines(
  db: Db | Tx,
  run: RunOf,
  { show, limit, offset }: BulkLinesQuery,
): Promise<{ total: number; rows: BulkLineRow[] }> {
  const shown = filtered(selectLines(db, run), show);
  const total = await countRows(shown);
  const rows = await shown.selectAll().orderBy("line").limit(limit).offset(offset).execute();
  return { total, rows };
}

function filtered(query: ReturnType<typeof selectLines>, show: BulkLinesQuery["show"]) {
  switch (show) {
    case "ALL":
      return query;
    case "FAULTS":
      return query.where("state", "=", "FAULTY");
    case "WARNINGS":
      return query.where("warnings_json", "<>", "[]");
    case "NOT_DELIVERED":
      return query.where((eb) =>
        eb.or([
          eb("state", "in", ["REFUSED", "LEFT"]),
          eb.and([
            eb("state", "=", "SOLD"),
            eb.not(
              eb.exists(
                eb
                  .selectFrom("transactions as t")
                  .select("t.transaction_id")
                  .whereRef("t.account_id", "=", "bulk_lines.account_id")
                  .whereRef("t.environment", "=", "bulk_lines.environment")
                  .whereRef("t.transaction_id", "=", "bulk_lines.transaction_id")
                  .where("t.status", "=", "DONE"),
              ),
            ),
          ]),
        ]),
      );
  }
}

export async function sumUnheld(db: Db | Tx, scope: Scope): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    select coalesce(sum(amount), 0) as amount from transactions ${indexedBy("transactions_unfinished")}
    where account_id = ${scope.accountId} and environment = ${scope.environment}
      and finished_at is null and training = 0 and type = 'DEBIT'
      and status in ('ACCEPTED', 'PENDING')`.execute(db);
  return rows[0]?.amount ?? 0;
}

export async function findSameSold(
  db: Db | Tx,
  scope: Scope,
  wanted: { recipient: string; offerId: string; send: number; since: number },
): Promise<{ saleNumber: number; soldAt: number; runId: string | null } | undefined> {
  return db
    .selectFrom("sale_lines as l")
    .innerJoin("sales as s", inSameScope("s", "l", "sale_id"))
    .innerJoin("purchases as p", inSameScope("p", "l", "transaction_id"))
    .leftJoin("bulk_lines as b", (join) =>
      inSameScope("b", "l", "transaction_id")(join).on("b.sold_at", "is not", null),
    )
    .where(inScope(scope, "l"))
    .where("l.recipient", "=", wanted.recipient)
    .where("l.created_at", ">=", wanted.since)
    .where("s.training", "=", 0)
    .where("p.offer_id", "=", wanted.offerId)
    .where("p.send", "=", wanted.send)
    .select(["s.sale_number as saleNumber", "l.created_at as soldAt", "b.run_id as runId"])
    .orderBy("l.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
}
