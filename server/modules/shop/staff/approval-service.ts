import type { Selectable } from "kysely";
import type { Actor } from "../../../contract/pos/actor.ts";
import { type Approval, type ApprovalInput, readFacts } from "../../../contract/pos/approvals.ts";
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
import type { Db, Tx } from "../../../db/database.ts";
import { findInScope, inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import { MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { digestOf } from "../../../lib/digest.ts";
import type { Place } from "../../../lib/place.ts";
import { type AuditDetail, recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import { acceptPin, checkPin } from "./pin-check.ts";
import type { PinHasher } from "./pin-hasher.ts";
import {
  findShopUnit,
  findStaff,
  listStaff,
  type StaffRow,
  toPowers,
  toStaffName,
} from "./staff-store.ts";

const APPROVAL_MS = 5 * MINUTE;

interface ApprovalServiceDeps extends Pick<Base, "db" | "transactor" | "clock" | "ids"> {
  pins: PinHasher;
}

export class ApprovalService {
  readonly #deps: ApprovalServiceDeps;

  constructor(deps: ApprovalServiceDeps) {
    this.#deps = deps;
  }

  /** Lists active supervisors and owners who have the needed permissions, except the requester. */
  async listApprovers(requester: Actor, needs: string): Promise<StaffName[]> {
    const asked = readNeeds(needs);
    if (asked.length !== needs.split(" ").length) {
      throw new Problem("INVALID_REQUEST", "There is no such right.", { needs: "is not known" });
    }
    const staff = await listStaff(this.#deps.db, requester.accountId);
    return staff
      .filter((one) => one.staff_id !== requester.staffId && canApprove(one, asked))
      .map(toStaffName);
  }

  /**
   * Creates an approval. A repeated request with the right PIN returns the same approval.
   * @param place the device, which becomes known for the approver
   * @throws Problem APPROVER_NOT_ALLOWED, PIN_WRONG, PIN_LOCKED, ID_TAKEN
   */
  async approve(
    requester: Actor,
    input: ApprovalInput,
    place: Place,
  ): Promise<{ approval: Approval; deviceToken: string | undefined }> {
    const { db, transactor, clock, ids } = this.#deps;
    const { accountId } = requester;
    const { staffId, pin, rights } = input;
    if (!readFacts(input.facts)) {
      throw new Problem("INVALID_REQUEST", "The facts are not those of a refusal.", {
        facts: "must be the refusal's",
      });
    }
    // Checks the permission before the PIN, so that no PIN attempt is lost.
    const chosen = await findStaff(db, accountId, staffId);
    if (chosen) requireApprover(requester, chosen, rights);
    const typed = { accountId, staffId, pin, place, signedIn: requester.staffId };
    const proven = await checkPin(this.#deps, typed);
    return transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      const deviceToken = await acceptPin(tx, proven, { at, ids });
      const staff = await findStaff(tx, accountId, staffId);
      if (!staff) throw new Error("the approver's staff row is missing");
      requireApprover(requester, staff, rights);
      const earlier = await findApproval(tx, requester, input.approvalId);
      if (earlier && !isSame(earlier, requester, input)) {
        throw new Problem("ID_TAKEN", "Another approval has this id.", { approvalId: "is taken" });
      }
      const row = earlier ?? (await this.#createApproval(tx, requester, input, at));
      return { approval: toApproval(row, staff), deviceToken };
    });
  }

  async #createApproval(
    tx: Tx,
    requester: Actor,
    { approvalId, staffId, rights, subject, requestDigest, facts: text }: ApprovalInput,
    at: number,
  ): Promise<ApprovalRow> {
    const { accountId, environment } = requester;
    const needs = writeNeeds(rights);
    const facts = readFacts(text);
    const row = await createApproval(tx, {
      account_id: accountId,
      environment,
      approval_id: approvalId,
      requested_by: requester.staffId,
      approved_by: staffId,
      subject,
      request_digest: requestDigest,
      facts_json: JSON.stringify(facts ?? {}),
      needs,
      created_at: at,
      expires_at: at + APPROVAL_MS,
    });
    const requestedBy = requester.name;
    const detail = { ...facts, requestedBy, requesterId: requester.staffId, needs, environment };
    await recordAudit(tx, { accountId, staffId, action: "approval.give", subject, detail, at });
    return row;
  }
}

function requireApprover(requester: Actor, staff: StaffRow, needs: readonly Need[]): void {
  if (staff.staff_id !== requester.staffId && canApprove(staff, needs)) return;
  throw new Problem("APPROVER_NOT_ALLOWED", "This person may not approve it.", {
    staffId: "may not approve this",
  });
}

function isSame(row: ApprovalRow, requester: Actor, input: ApprovalInput): boolean {
  return (
    row.requested_by === requester.staffId &&
    row.approved_by === input.staffId &&
    row.subject === input.subject &&
    row.request_digest === input.requestDigest &&
    row.needs === writeNeeds(input.rights)
  );
}

function toApproval(row: ApprovalRow, staff: StaffRow): Approval {
  return {
    approvalId: row.approval_id,
    approvedBy: toStaffName(staff),
    subject: row.subject,
    requestDigest: row.request_digest,
    rights: readNeeds(row.needs),
    expiresAt: toTimestamp(row.expires_at),
  };
}

const APPROVING: ReadonlySet<Role> = new Set(["supervisor", "owner"]);

interface Action {
  /** Required permissions. A permission with `asked: 0` is not required. */
  needs: readonly Need[];
  /** Id of the action's object, such as a sale. */
  subject: string;
  /** The whole request. An approval covers exactly this request, apart from its `approvalId`. */
  request: object;
  approvalId: string | undefined;
  /** Facts that the approver sees and that are stored. Amounts are in the shop's currency. */
  facts: AuditDetail;
  /** Time of the clock, like the times of approvals. Business time may be hours ahead of it. */
  at: number;
}

/**
 * Requires that the person has the needed permissions, or uses up a matching approval
 * (rules#approval-one-request). Runs in the transaction of the action, so that a failed action
 * leaves the approval unused.
 * @returns the approver, if an approval was needed
 * @throws Problem APPROVAL_REQUIRED with these fields:
 * - `right`: the first missing permission, with `asked` and `allowed` for figures
 * - `needs`: all missing permissions in the format of `readNeeds`
 * - `requestDigest`: identifies the request for the approval
 * - `facts`: describes the request to the approver
 * - `approvalId`: the reason why the given approval was refused
 */
export async function requireRights(
  tx: Tx,
  doer: Scope & { staffId: string },
  action: Action,
): Promise<StaffName | undefined> {
  const { powers, missing } = await findMissing(tx, doer, action);
  const [first] = missing;
  if (!first) return undefined;

  const facts = await completeFacts(tx, doer, action);
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
    requestDigest: digestRequest(action),
    facts: JSON.stringify(facts),
    ...(judged && { approvalId: judged.wrong }),
  });
}

/**
 * Uses up a matching approval for one part of an action, if that part needs an approval.
 * @returns the approver, if an approval was used
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
    { ...action, facts: await completeFacts(tx, doer, action) },
    missing,
  );
  return "approver" in judged ? use(tx, doer, { ...judged, missing, at: action.at }) : undefined;
}

async function findMissing(tx: Tx, doer: Scope & { staffId: string }, { needs }: Action) {
  const staff = await findStaff(tx, doer.accountId, doer.staffId);
  const powers = staff && toPowers(staff);
  return { powers, missing: needs.filter((need) => !powers || !mayDo(powers, need)) };
}

function digestRequest({ request }: Pick<Action, "request">): string {
  return digestOf({ ...request, approvalId: undefined });
}

async function completeFacts(
  tx: Tx,
  { accountId }: Scope,
  { facts }: Action,
): Promise<AuditDetail> {
  return { ...facts, ...(await findShopUnit(tx, accountId)) };
}

type Judgement = { approval: ApprovalRow; approver: StaffRow } | { wrong: string };

async function judge(
  tx: Tx,
  doer: Scope & { staffId: string },
  action: Action,
  missing: readonly Need[],
): Promise<Judgement> {
  const approval = await findApproval(tx, doer, action.approvalId ?? "");
  if (!approval || approval.requested_by !== doer.staffId) return { wrong: "is unknown" };
  const isForThis =
    approval.subject === action.subject &&
    approval.request_digest === digestRequest(action) &&
    digestOf(readFacts(approval.facts_json)) === digestOf(action.facts);
  if (!isForThis) return { wrong: "is for something else" };
  if (approval.used_at !== null) return { wrong: "has been used" };
  // The age of an approval with a future date is unknown, because the clock was set back.
  const isFresh = approval.created_at <= action.at && action.at < approval.expires_at;
  if (!isFresh) return { wrong: "has expired" };
  if (!covers(readNeeds(approval.needs), missing)) return { wrong: "does not cover it" };
  const approver = await findStaff(tx, doer.accountId, approval.approved_by);
  if (!approver || !canApprove(approver, missing)) return { wrong: "is not good any more" };
  return { approval, approver };
}

function canApprove(staff: StaffRow, needs: readonly Need[]): boolean {
  const powers = toPowers(staff);
  return (
    staff.active === 1 && APPROVING.has(staff.role) && needs.every((need) => mayDo(powers, need))
  );
}

/** Returns whether an approval covers all missing permissions and their figures. */
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

type ApprovalRow = Omit<Selectable<Tables["approvals"]>, "checksum">;

async function createApproval(
  tx: Tx,
  approval: Omit<ApprovalRow, "used_at">,
): Promise<ApprovalRow> {
  const row = { ...approval, used_at: null };
  await tx.insertInto("approvals").values(row).execute();
  return row;
}

function findApproval(
  db: Db | Tx,
  scope: Scope,
  approvalId: string,
): Promise<ApprovalRow | undefined> {
  return findInScope(db, "approvals", scope, { approval_id: approvalId });
}

async function markApprovalUsed(tx: Tx, row: ApprovalRow, at: number): Promise<void> {
  await tx
    .updateTable("approvals")
    .set({ used_at: at })
    .where(inScope(row))
    .where("approval_id", "=", row.approval_id)
    .where("used_at", "is", null)
    .execute();
}
