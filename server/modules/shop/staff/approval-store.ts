import type { Selectable } from "kysely";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";

export type ApprovalRow = Omit<Selectable<Tables["approvals"]>, "checksum">;

export async function createApproval(
  tx: Tx,
  approval: Omit<ApprovalRow, "used_at">,
): Promise<ApprovalRow> {
  const row = { ...approval, used_at: null };
  await tx.insertInto("approvals").values(row).execute();
  return row;
}

export function findApproval(
  db: Db | Tx,
  scope: Scope,
  approvalId: string,
): Promise<ApprovalRow | undefined> {
  return db
    .selectFrom("approvals")
    .selectAll()
    .where(inScope(scope))
    .where("approval_id", "=", approvalId)
    .executeTakeFirst();
}

export async function markApprovalUsed(tx: Tx, row: ApprovalRow, at: number): Promise<void> {
  await tx
    .updateTable("approvals")
    .set({ used_at: at })
    .where(inScope(row))
    .where("approval_id", "=", row.approval_id)
    .where("used_at", "is", null)
    .execute();
}
