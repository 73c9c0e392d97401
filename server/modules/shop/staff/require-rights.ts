import { readFacts } from "../../../contract/pos/approvals.ts";
import {
  allowedBy,
  mayDo,
  type Need,
  type Role,
  readNeeds,
  writeNeeds,
} from "../../../contract/pos/rights.ts";
import type { StaffName } from "../../../contract/pos/staff.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { digestOf } from "../../../lib/digest.ts";
import { type AuditDetail, recordAudit } from "../../books/audit-trail/index.ts";
import { type ApprovalRow, findApproval, markApprovalUsed } from "./approval-store.ts";
import { findShopUnit, findStaff, type StaffRow, toPowers, toStaffName } from "./staff-store.ts";

/** Who approves what others may not do alone. */
const APPROVING: ReadonlySet<Role> = new Set(["supervisor", "owner"]);

/** What a person is about to do. */
export interface Action {
  /** Everything it needs; what needs no right is left out or asks for 0. */
  needs: readonly Need[];
  /** The id of what the action is about, such as the sale's. */
  subject: string;
  /** The whole request: an approval is for exactly that, without its `approvalId`. */
  request: object;
  approvalId: string | undefined;
  /** What it says to people: shown to the approver, and kept. Amounts in the shop's currency. */
  facts: AuditDetail;
  at: number;
}

/**
 * Lets an action through that the person may do, or that was approved, and uses the approval up
 * (rules#approval-one-request). Called within the action's own transaction: an action that fails leaves
 * the approval unused, and figures that the needs were computed from in the same transaction cannot
 * change in between.
 * @returns who approved, when it took that
 * @throws Problem APPROVAL_REQUIRED: `fields.right` is the first right that is missing, with `asked`
 *   and `allowed` where it has figures; `fields.needs` is all that is missing, as `readNeeds` reads it;
 *   `fields.requestDigest` stands for the request, for the approval to name, and `fields.facts` says it to the
 *   approver; `fields.approvalId` tells what is wrong with an approval that was sent
 */
export async function requireRights(
  tx: Tx,
  doer: Scope & { staffId: string },
  action: Action,
): Promise<StaffName | undefined> {
  const { powers, missing } = await findMissing(tx, doer, action);
  const [first] = missing;
  if (!first) return undefined;

  const facts = await factsOf(tx, doer, action);
  const judged =
    action.approvalId === undefined
      ? undefined
      : await judge(tx, doer, { ...action, facts }, missing);
  if (judged && "approver" in judged) return use(tx, doer, { ...judged, missing, at: action.at });
  const allowed = powers ? allowedBy(powers, first.right) : 0;
  throw new Problem("APPROVAL_REQUIRED", "Somebody with the right has to approve this.", {
    right: first.right,
    ...(first.asked !== undefined && { asked: String(first.asked), allowed: String(allowed) }),
    needs: writeNeeds(missing),
    requestDigest: digestOfRequest(action),
    facts: JSON.stringify(facts),
    ...(judged && { approvalId: judged.wrong }),
  });
}

/**
 * Uses up the approval of an action that is part of another, if it needs one and this one fits.
 * @returns who approved
 */
export async function spendApproval(
  tx: Tx,
  doer: Scope & { staffId: string },
  action: Action,
): Promise<StaffName | undefined> {
  const { missing } = await findMissing(tx, doer, action);
  if (missing.length === 0) return undefined;
  const judged = await judge(
    tx,
    doer,
    { ...action, facts: await factsOf(tx, doer, action) },
    missing,
  );
  return "approver" in judged ? use(tx, doer, { ...judged, missing, at: action.at }) : undefined;
}

/** What an action needs that the person may not do alone. */
async function findMissing(tx: Tx, doer: Scope & { staffId: string }, { needs }: Action) {
  const staff = await findStaff(tx, doer.accountId, doer.staffId);
  const powers = staff && toPowers(staff);
  return { powers, missing: needs.filter((need) => !powers || !mayDo(powers, need)) };
}

/** The digest that stands for a request in its approval: all of it but the approval's own id. */
function digestOfRequest({ request }: Pick<Action, "request">): string {
  return digestOf({ ...request, approvalId: undefined });
}

async function factsOf(tx: Tx, { accountId }: Scope, { facts }: Action): Promise<AuditDetail> {
  return { ...facts, ...(await findShopUnit(tx, accountId)) };
}

type Judged = { approval: ApprovalRow; approver: StaffRow } | { wrong: string };

/** Whether the approval that an action names lets it through, or what is wrong with it. */
async function judge(
  tx: Tx,
  doer: Scope & { staffId: string },
  action: Action,
  missing: readonly Need[],
): Promise<Judged> {
  const approval = await findApproval(tx, doer, action.approvalId ?? "");
  if (!approval || approval.requested_by !== doer.staffId) return { wrong: "is unknown" };
  const isForThis =
    approval.subject === action.subject &&
    approval.request_digest === digestOfRequest(action) &&
    // The approver was shown what is done now.
    digestOf(readFacts(approval.facts_json)) === digestOf(action.facts);
  if (!isForThis) return { wrong: "is for something else" };
  if (approval.used_at !== null) return { wrong: "has been used" };
  // Dated later than now: the clock was put back, and its age is unknown.
  const isFresh = approval.created_at <= action.at && action.at < approval.expires_at;
  if (!isFresh) return { wrong: "has expired" };
  if (!covers(readNeeds(approval.needs), missing)) return { wrong: "does not cover it" };
  const approver = await findStaff(tx, doer.accountId, approval.approved_by);
  if (!approver || !canApprove(approver, missing)) return { wrong: "is not good any more" };
  return { approval, approver };
}

/** Whether the approver is still there, and may do alone what they would approve. */
export function canApprove(staff: StaffRow, needs: readonly Need[]): boolean {
  const powers = toPowers(staff);
  return (
    staff.active === 1 && APPROVING.has(staff.role) && needs.every((need) => mayDo(powers, need))
  );
}

/** What was approved is enough: the same rights, up to the same figures or more. */
function covers(approved: readonly Need[], missing: readonly Need[]): boolean {
  return missing.every(({ right, asked = 0 }) =>
    approved.some((one) => one.right === right && asked <= (one.asked ?? 0)),
  );
}

async function use(
  tx: Tx,
  doer: Scope & { staffId: string },
  used: { approval: ApprovalRow; approver: StaffRow; missing: readonly Need[]; at: number },
): Promise<StaffName> {
  const { approval, approver, missing, at } = used;
  await markApprovalUsed(tx, approval, at);
  await recordAudit(tx, {
    accountId: doer.accountId,
    staffId: doer.staffId,
    action: "approval.use",
    subject: approval.subject,
    detail: {
      ...readFacts(approval.facts_json),
      approvedBy: approver.name,
      approverId: approver.staff_id,
      needs: writeNeeds(missing),
      environment: doer.environment,
    },
    at,
  });
  return toStaffName(approver);
}
