import type { AuditAction } from "../../contract/pos/audit-trail.ts";
import type { Db, Tx } from "../../db/database.ts";

export type AuditDetail = Record<string, string | number | boolean>;

/** Something an owner may want to know later: who did what to what. Never a PIN or a key. */
export interface AuditEntry {
  accountId: string;
  /** Undefined for the command line. */
  staffId: string | undefined;
  action: AuditAction;
  subject: string;
  detail?: AuditDetail;
  at: number;
}

/** Adds an entry, in the transaction of the deed itself. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto("audit_trail")
    .values({
      account_id: entry.accountId,
      staff_id: entry.staffId ?? null,
      action: entry.action,
      subject: entry.subject,
      detail_json: JSON.stringify(entry.detail ?? {}),
      recorded_at: entry.at,
    })
    .execute();
}

/** The first time that something was done to a subject. */
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
  const detail = JSON.parse(row.detail_json) as AuditDetail;
  return { staffId: row.staff_id ?? undefined, detail, at: row.recorded_at };
}
