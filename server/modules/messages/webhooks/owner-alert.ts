import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import type { Scope } from "../../../db/changes.ts";
import { recordChange } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";

export type RecordAudit = (
  tx: Tx,
  entry: {
    accountId: string;
    staffId?: string | undefined;
    action: AuditAction;
    subject: string;
    detail?: Record<string, string | number | boolean>;
    at: number;
  },
) => Promise<void>;

export async function alertOwner(
  tx: Tx,
  recordAudit: RecordAudit,
  alert: Scope & { action: AuditAction; subject: string; reason: string; at: number },
): Promise<void> {
  const { accountId, environment, action, subject, reason, at } = alert;
  const detail = { environment, reason };
  await recordAudit(tx, { accountId, staffId: undefined, action, subject, detail, at });
  await recordChange(tx, alert, { topic: "webhook", subject, at });
}
