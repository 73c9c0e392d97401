import type { AuditPage, AuditQuery, AuditRecord } from "../../../contract/pos/audit-trail.ts";
import type { Db } from "../../../db/database.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { type AuditRow, listAudit, readDetail } from "./audit-store.ts";

/** The trail as an owner reads it. */
export class AuditService {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** A page of it, newest first. */
  async list(accountId: string, query: AuditQuery): Promise<AuditPage> {
    const { limit, since, until, ...filter } = query;
    const rows = await listAudit(this.#db, accountId, {
      ...filter,
      ...(since !== undefined && { since: Date.parse(since) }),
      ...(until !== undefined && { until: Date.parse(until) }),
      // One more than is shown, to know whether there are more.
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
