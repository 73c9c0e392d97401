import type { Tx } from "../../db/database.ts";

/** Something an owner may want to know later: who did what to what. Never a PIN or a key. */
export interface AuditEntry {
  accountId: string;
  /** Undefined for the command line. */
  staffId: string | undefined;
  action: string;
  subject: string;
  detail?: Record<string, string | number | boolean>;
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
