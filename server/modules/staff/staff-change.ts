import { tidyName } from "../../contract/pos/name.ts";
import {
  type Limits,
  type Role,
  rightsOf,
  sells,
  switchRightsOf,
} from "../../contract/pos/rights.ts";
import type { StaffChange, StaffMember } from "../../contract/pos/staff.ts";
import { Problem } from "../../contract/problem.ts";
import { type AuditDetail, type AuditEntry, whatChanged } from "../audit-trail/index.ts";
import type { StaffUpdate } from "./staff-store.ts";

/** One thing that was changed about a person, for the audit trail. */
export type StaffAction = Pick<AuditEntry, "action" | "detail">;

/**
 * What a change writes, and what the audit trail tells of it: one entry a thing, and none for what
 * was so before. Another role begins with its own rights, and an owner has no limits.
 * @param unit of the limits
 * @throws Problem INVALID_REQUEST naming `ownRights` or `limits` of an owner
 */
export function planChange(
  before: StaffMember,
  change: StaffChange,
  newPin: { hash: string; givenAt: number | null } | undefined,
  unit: { currency: string; currencyDivisor: number } | undefined,
): { update: StaffUpdate; actions: StaffAction[] } {
  const update: StaffUpdate = {};
  const actions: StaffAction[] = [];
  const role = change.role ?? before.role;
  if (role === "owner") refuseForOwner(change);
  if (!sells(role)) refuseOfTheCounter(role, change);

  const name = change.name === undefined ? before.name : tidyName(change.name);
  if (name !== before.name) {
    update.name = name;
    actions.push({ action: "staff.rename", detail: { from: before.name, to: name } });
  }
  if (role !== before.role) {
    update.role = role;
    update.rights_json = "{}";
    if (role === "owner" || !sells(role)) update.limits_json = "{}";
    actions.push({ action: "staff.role", detail: { from: before.role, to: role } });
  }
  if (change.active !== undefined && change.active !== before.active) {
    update.active = change.active ? 1 : 0;
    actions.push({ action: change.active ? "staff.activate" : "staff.deactivate" });
  }
  if (newPin) {
    const { hash, givenAt } = newPin;
    Object.assign(update, { pin_hash: hash, pin_given_at: givenAt });
    Object.assign(update, { failed_attempts: 0, locked_until: null });
    actions.push({ action: "staff.pin" });
  }
  if (change.ownRights !== undefined) {
    update.rights_json = JSON.stringify(change.ownRights);
    const had = rightsOf(role, role === before.role ? before.ownRights : {});
    const detail = whatChanged(had, rightsOf(role, change.ownRights));
    if (Object.keys(detail).length > 0) actions.push({ action: "staff.rights", detail });
  }
  if (change.limits !== undefined) {
    update.limits_json = JSON.stringify(change.limits);
    const detail = whatChanged(flatten(before.limits), flatten(change.limits));
    if (Object.keys(detail).length > 0) {
      actions.push({ action: "staff.limits", detail: { ...detail, ...unit } });
    }
  }
  return { update, actions };
}

function refuseForOwner({ ownRights, limits }: StaffChange): void {
  const field = ownRights !== undefined ? "ownRights" : limits !== undefined && "limits";
  if (!field) return;
  throw new Problem("INVALID_REQUEST", "An owner may do everything, without limits.", {
    [field]: "cannot be set for an owner",
  });
}

/** A person who sells nothing has neither rights nor limits of the counter. */
function refuseOfTheCounter(role: Role, { ownRights = {}, limits = {} }: StaffChange): void {
  const grantable: readonly string[] = switchRightsOf(role);
  const granted = Object.entries(ownRights).find(
    ([right, value]) => Boolean(value) && !grantable.includes(right),
  );
  const field = granted ? `ownRights.${granted[0]}` : Object.keys(limits).length > 0 && "limits";
  if (!field) return;
  throw new Problem("INVALID_REQUEST", "This person sells nothing.", {
    [field]: "cannot be set for a person who sells nothing",
  });
}

function flatten({ perProduct = {}, ...limits }: Limits): AuditDetail {
  const products = Object.entries(perProduct).map(([product, most]) => [
    `perProduct.${product}`,
    most,
  ]);
  return { ...limits, ...(Object.fromEntries(products) as AuditDetail) };
}
