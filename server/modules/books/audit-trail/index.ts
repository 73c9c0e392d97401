import { sql } from "kysely";
import type { Author } from "../../../contract/pos/actor.ts";
import {
  type AuditAction,
  type AuditPage,
  type AuditQuery,
  AuditRecord,
} from "../../../contract/pos/audit-trail.ts";
import { getConnections } from "../../../db/connections.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { withoutIndex } from "../../../db/engine-words.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
import type { Base, Module } from "../../module.ts";

export type AuditDetail = AuditRecord["detail"];

/** An entry for owners. Never contains a PIN or a key. */
export interface AuditEntry extends Author {
  action: AuditAction;
  subject: string;
  detail?: AuditDetail;
  at: number;
}

const machineClocks = new WeakMap<object, Clock>();

/**
 * Makes entries use the machine's time, because a sandbox clock does not show when a person acted.
 */
function keepMachineClock(db: Db, machineClock: Clock): void {
  for (const writer of getConnections(db).writers) {
    machineClocks.set(writer.db.getExecutor().adapter, machineClock);
  }
}

export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const at = machineClocks.get(tx.getExecutor().adapter)?.now() ?? entry.at;
  await tx
    .insertInto("audit_trail")
    .values({
      account_id: entry.accountId,
      staff_id: entry.staffId ?? null,
      action: entry.action,
      subject: entry.subject,
      detail_json: JSON.stringify(entry.detail ?? {}),
      recorded_at: at,
    })
    .execute();
}

export async function findAudit(
  db: Db | Tx,
  { accountId, action, subject }: Pick<AuditEntry, "accountId" | "action" | "subject">,
): Promise<{ staffId: string | undefined; detail: AuditDetail; at: number } | undefined> {
  const row = await db
    .selectFrom("audit_trail")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("action", "=", action)
    .where("subject", "=", subject)
    .orderBy("entry_id")
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  return { staffId: row.staff_id ?? undefined, detail: readDetail(row), at: row.recorded_at };
}

/** @throws JsonMisfit */
function readDetail(row: { entry_id: number; detail_json: string }): AuditDetail {
  return readColumn(AuditRecord.properties.detail, row.detail_json, {
    table: "audit_trail",
    column: "detail_json",
    row: row.entry_id,
  });
}

export async function findLastAudit(
  db: Db | Tx,
  { accountId, action, subject }: Pick<AuditEntry, "accountId" | "action" | "subject">,
): Promise<{ at: number } | undefined> {
  const row = await db
    .selectFrom("audit_trail")
    .select("recorded_at")
    .where("account_id", "=", accountId)
    .where("action", "=", action)
    .where("subject", "=", subject)
    .orderBy("entry_id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && { at: row.recorded_at };
}

/**
 * Returns the time of the last entry of these actions; 0 if there is none.
 * @param subject undefined for any subject
 */
export async function findLastTime(
  db: Db | Tx,
  { accountId, actions, subject }: LastTimeQuery,
): Promise<number> {
  let query = db
    .selectFrom("audit_trail")
    .select(({ fn }) => fn.max<number | null>("recorded_at").as("at"))
    .where("account_id", "=", accountId)
    .where("action", "in", actions);
  if (subject !== undefined) query = query.where("subject", "=", subject);
  return (await query.executeTakeFirst())?.at ?? 0;
}

interface LastTimeQuery {
  accountId: string;
  actions: readonly AuditAction[];
  subject?: string | undefined;
}

export async function findNewest(
  db: Db | Tx,
  accountId: string,
  action: AuditAction,
): Promise<{ entryId: number; subject: string } | undefined> {
  const [row] = await listAudit(db, accountId, { action, limit: 1 });
  return row && { entryId: row.entry_id, subject: row.subject };
}

interface AuditFilter {
  staffId?: string;
  action?: AuditAction;
  /** Inclusive start, in milliseconds. */
  since?: number;
  /** Exclusive end, in milliseconds. */
  until?: number;
  /** Selects entries older than this entry id. */
  before?: number;
  limit: number;
}

type AuditRow = Awaited<ReturnType<typeof listAudit>>[number];

export function listAudit(db: Db | Tx, accountId: string, filter: AuditFilter) {
  const { staffId, action, since, until, before } = filter;
  const isPeriod = since !== undefined && until !== undefined;
  const isFiltered = isPeriod || staffId !== undefined || action !== undefined;
  // Keeps SQLite from choosing an index that makes it visit or sort more rows.
  const plus = (is: boolean) => (is ? withoutIndex : sql``);
  let query = db
    .selectFrom("audit_trail as a")
    .leftJoin("staff as who", (join) =>
      join.onRef("who.account_id", "=", "a.account_id").onRef("who.staff_id", "=", "a.staff_id"),
    )
    .leftJoin("staff as whom", (join) =>
      join.onRef("whom.account_id", "=", "a.account_id").onRef("whom.staff_id", "=", "a.subject"),
    )
    .select((eb) => [
      "a.entry_id",
      "a.recorded_at",
      "a.action",
      "a.subject",
      "a.detail_json",
      "a.staff_id",
      "who.name as staff_name",
      "whom.name as subject_name",
      eb
        .selectFrom("sales as s")
        .select("s.sale_number")
        .whereRef("s.account_id", "=", "a.account_id")
        .whereRef("s.sale_id", "=", "a.subject")
        .where("s.environment", "in", ["live", "test"])
        .limit(1)
        .as("sale_number"),
    ])
    .where(sql<boolean>`${plus(!isFiltered)}a.account_id = ${accountId}`);
  if (staffId !== undefined) {
    query = query.where(sql<boolean>`${plus(isPeriod)}a.staff_id = ${staffId}`);
  }
  if (action !== undefined) {
    query = query.where(sql<boolean>`${plus(isPeriod)}a.action = ${action}`);
  }
  if (since !== undefined) query = query.where("a.recorded_at", ">=", since);
  if (until !== undefined) query = query.where("a.recorded_at", "<", until);
  if (before !== undefined) {
    query = query.where(sql<boolean>`${plus(isPeriod)}a.entry_id < ${before}`);
  }
  return query.orderBy("a.entry_id", "desc").limit(filter.limit).execute();
}

class AuditService {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async list(accountId: string, query: AuditQuery): Promise<AuditPage> {
    const { limit, since, until, ...filter } = query;
    const rows = await listAudit(this.#db, accountId, {
      ...filter,
      ...(since !== undefined && { since: Date.parse(since) }),
      ...(until !== undefined && { until: Date.parse(until) }),
      // Reads an additional row to detect a next page.
      limit: limit + 1,
    });
    return { list: rows.slice(0, limit).map(toRecord), more: rows.length > limit };
  }
}

function toRecord(row: AuditRow): AuditRecord {
  const { staff_id: staffId, staff_name: name, subject_name, sale_number } = row;
  const subjectName = subject_name ?? (sale_number === null ? undefined : String(sale_number));
  return {
    entryId: row.entry_id,
    at: toTimestamp(row.recorded_at),
    action: row.action,
    ...(staffId !== null && { staff: { staffId, name: name ?? "" } }),
    subject: row.subject,
    ...(subjectName !== undefined && { subjectName }),
    detail: readDetail(row),
  };
}

/**
 * Returns the differences for an audit entry: each new value by its name, each old value as
 * `name.was`.
 */
export function whatChanged(before: AuditDetail, after: AuditDetail): AuditDetail {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const [was, now] = [before[name], after[name]];
      if (was === now) return [];
      return [
        ...(now === undefined ? [] : [[name, now] as const]),
        ...(was === undefined ? [] : [[`${name}.was`, was] as const]),
      ];
    }),
  );
}

export function createAuditTrailModule({ db, clock, machineClock }: Base) {
  if (machineClock !== clock) keepMachineClock(db, machineClock);
  const auditTrail = new AuditService(db);
  return {
    services: { auditTrail },
    pos: (app) => registerAuditRoutes(app, auditTrail),
  } satisfies Module;
}

async function registerAuditRoutes(app: App, auditTrail: AuditService): Promise<void> {
  const { auditOperations } = await import("../../../contract/pos/audit-trail.ts");
  handle(app, auditOperations.list, ({ actor, query }) => auditTrail.list(actor.accountId, query));
}
