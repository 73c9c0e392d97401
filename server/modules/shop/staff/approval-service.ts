import type { Actor } from "../../../contract/pos/actor.ts";
import { type Approval, type ApprovalInput, readFacts } from "../../../contract/pos/approvals.ts";
import { type Need, readNeeds, writeNeeds } from "../../../contract/pos/rights.ts";
import type { StaffName } from "../../../contract/pos/staff.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type Clock, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import type { Ids } from "../../../lib/ids.ts";
import type { Place } from "../../../lib/place.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { acceptPin, checkPin } from "./pin-check.ts";
import type { PinHasher } from "./pin-hasher.ts";
import { type ApprovalRow, canApprove, createApproval, findApproval } from "./require-rights.ts";
import { findStaff, listStaff, type StaffRow, toStaffName } from "./staff-store.ts";

const APPROVAL_MS = 5 * MINUTE;

interface ApprovalServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
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
