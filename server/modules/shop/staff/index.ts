import type { Author } from "../../../contract/pos/actor.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import {
  type Limits,
  type Role,
  rightsOf,
  sells,
  switchRightsOf,
} from "../../../contract/pos/rights.ts";
import {
  type PosSession,
  type StaffChange,
  type StaffInput,
  type StaffMember,
  type StaffName,
  sessionOperations,
} from "../../../contract/pos/staff.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChangeInBoth } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import { clearSessionCookie, SESSION_COOKIE, setSessionCookie } from "../../../http/staff-guard.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import type { FileSealer } from "../../../lib/sealer.ts";
import {
  type AuditDetail,
  type AuditEntry,
  recordAudit,
  whatChanged,
} from "../../books/audit-trail/index.ts";
import type { Base, Module } from "../../module.ts";
import { ApprovalService } from "./approval-service.ts";
import { forgetDevices, unlockDevices } from "./device-store.ts";
import { forgetGuesses, listUnchecked } from "./guess-store.ts";
import { CHECK_TIMEOUT_MS, findWeakness, samePin, takeBackUnchecked } from "./pin-check.ts";
import { PIN_COST, PinHasher } from "./pin-hasher.ts";
import { type Session, SessionService } from "./session-service.ts";
import {
  createStaff,
  findShopUnit,
  findStaff,
  listStaff,
  type StaffUpdate,
  toStaffMember,
  toStaffName,
  updateStaff,
} from "./staff-store.ts";

interface StaffServiceDeps extends Pick<Base, "db" | "transactor" | "clock" | "ids"> {
  pins: PinHasher;
}

/** Manages staff. A PIN is always checked for a chosen person (rules#pin-name-first). */
export class StaffService {
  readonly #deps: StaffServiceDeps;

  constructor(deps: StaffServiceDeps) {
    this.#deps = deps;
  }

  async listNames(accountId: string): Promise<StaffName[]> {
    const rows = await listStaff(this.#deps.db, accountId);
    return rows.filter((row) => row.active === 1).map(toStaffName);
  }

  async list(accountId: string): Promise<StaffMember[]> {
    return (await listStaff(this.#deps.db, accountId)).map(toStaffMember);
  }

  /** @throws Problem PIN_WEAK naming `ownerPin` */
  hashOwnerPin(ownerPin: string): Promise<string> {
    requireStrong(ownerPin, "owner", "ownerPin");
    return this.#deps.pins.hash(ownerPin);
  }

  async createOwner(tx: Tx, accountId: string, name: string, pinHash: string): Promise<StaffName> {
    const { clock, ids } = this.#deps;
    const staff = { staffId: ids.uuid(), name, role: "owner" as const };
    const at = clock.now();
    await createStaff(tx, { accountId, ...staff, pinHash, isPinGiven: false, at });
    return staff;
  }

  /** @throws Problem NAME_TAKEN, PIN_WEAK */
  async add(author: Author, input: StaffInput): Promise<StaffMember> {
    const { transactor, clock, ids, pins } = this.#deps;
    requireStrong(input.pin, input.role);
    const pinHash = await pins.hash(input.pin);
    const staffId = ids.uuid();
    const { accountId } = author;
    const at = clock.now();
    return transactor.transact(accountId, async (tx) => {
      const name = tidyName(input.name);
      const { role } = input;
      await createStaff(tx, { accountId, staffId, name, role, pinHash, isPinGiven: true, at });
      const detail = { name, role };
      await this.#note(tx, author, { action: "staff.add", detail }, staffId);
      return this.#get(tx, accountId, staffId);
    });
  }

  /**
   * Changes a person. A new PIN removes locks. A new PIN or a deactivation ends the person's
   * sessions.
   * @throws Problem NOT_FOUND, NAME_TAKEN, PIN_WEAK, LAST_OWNER, INVALID_REQUEST for permissions of
   * an owner
   */
  async change(author: Author, staffId: string, change: StaffChange): Promise<StaffMember> {
    const { transactor, pins } = this.#deps;
    const { accountId } = author;
    const { pin } = change;
    const isSame = pin !== undefined && (await this.#isOwnPin(author, staffId, pin));
    const pinHash = pin === undefined ? undefined : await pins.hash(pin);
    return transactor.transact(accountId, async (tx) => {
      const before = await this.#get(tx, accountId, staffId);
      if (isSame) throw samePin();
      if (pin !== undefined) {
        requireStrong(pin, change.role ?? before.role);
        await forgetGuesses(tx, accountId, staffId);
        await unlockDevices(tx, { accountId, staffId });
      }
      if (change.active === false) await forgetDevices(tx, { accountId, staffId });
      const unit = await findShopUnit(tx, accountId);
      // Only the command line has no author. A PIN that it sets for an owner counts as chosen by
      // the owner.
      const isWayBack = author.staffId === undefined && before.role === "owner";
      const isOwn = author.staffId === staffId || isWayBack;
      const givenAt = isOwn ? null : this.#deps.clock.now();
      const newPin = pinHash === undefined ? undefined : { hash: pinHash, givenAt };
      const { update, actions } = planChange(before, change, newPin, unit);
      if (Object.keys(update).length > 0) await updateStaff(tx, accountId, staffId, update);
      await this.#requireOwner(tx, accountId);
      if (pinHash !== undefined || change.active === false) {
        await tx
          .deleteFrom("staff_sessions")
          .where("account_id", "=", accountId)
          .where("staff_id", "=", staffId)
          .execute();
      }
      for (const action of actions) await this.#note(tx, author, action, staffId);
      return this.#get(tx, accountId, staffId);
    });
  }

  /** Returns whether a person who changes their own PIN typed the present PIN again. */
  async #isOwnPin(author: Author, staffId: string, pin: string): Promise<boolean> {
    if (author.staffId !== staffId) return false;
    const row = await findStaff(this.#deps.db, author.accountId, staffId);
    return row !== undefined && (await this.#deps.pins.check(pin, row.pin_hash)) !== undefined;
  }

  async #get(tx: Tx, accountId: string, staffId: string): Promise<StaffMember> {
    const row = await findStaff(tx, accountId, staffId);
    if (!row) throw new Problem("NOT_FOUND", "There is nobody with that id on the staff.");
    return toStaffMember(row);
  }

  async #requireOwner(tx: Tx, accountId: string): Promise<void> {
    const staff = await listStaff(tx, accountId);
    if (staff.some((row) => row.role === "owner" && row.active === 1)) return;
    throw new Problem("LAST_OWNER", "The shop needs an owner who can sign in.");
  }

  async #note(tx: Tx, author: Author, action: StaffAction, subject: string): Promise<void> {
    const at = this.#deps.clock.now();
    const { accountId, staffId } = author;
    await recordAudit(tx, { accountId, staffId, ...action, subject, at });
    await recordChangeInBoth(tx, accountId, { topic: "shop", subject: "staff", at });
  }
}

/** @throws Problem PIN_WEAK naming the field */
function requireStrong(pin: string, role: Role, field = "pin"): void {
  const weakness = findWeakness(pin, role, field);
  if (weakness) throw weakness;
}

type StaffAction = Pick<AuditEntry, "action" | "detail">;

/**
 * Plans a change with an audit entry for each changed property. A new role starts with its default
 * permissions.
 * @param unit currency in which the limits are recorded
 * @throws Problem INVALID_REQUEST naming `ownRights` or `limits` of an owner
 */
function planChange(
  before: StaffMember,
  change: StaffChange,
  newPin: { hash: string; givenAt: number | null } | undefined,
  unit: { currency: string; currencyDivisor: number } | undefined,
): { update: StaffUpdate; actions: StaffAction[] } {
  const update: StaffUpdate = {};
  const actions: StaffAction[] = [];
  const role = change.role ?? before.role;
  if (role === "owner") refuseForOwner(change);
  if (!sells(role)) refuseCounterRights(role, change);

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

function refuseCounterRights(role: Role, { ownRights = {}, limits = {} }: StaffChange): void {
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

export { requireRights, spendApproval } from "./approval-service.ts";
export { isKnownDevice } from "./device-store.ts";
export { countGuesses } from "./guess-store.ts";
export { type Session, SessionService } from "./session-service.ts";
export { findActor, staffNames } from "./staff-store.ts";

type StaffModuleDeps = Base & {
  keyFile: FileSealer;
  pinCost?: number;
};

export function createStaffModule({ keyFile, pinCost = PIN_COST, ...base }: StaffModuleDeps) {
  const { accountId, claimant, clock, db, log, transactor } = base;
  const pins = new PinHasher({ log, keyFile, cost: pinCost });
  const staff = new StaffService({ ...base, pins });
  const sessions = new SessionService({ ...base, pins });
  const approvals = new ApprovalService({ ...base, pins });
  return {
    services: { staff, sessions, approvals },
    async recover() {
      const now = clock.now();
      // Another process may be checking a recent guess.
      const before = claimant === undefined ? now + DAY : now - CHECK_TIMEOUT_MS;
      const of = { accountId, before };
      if ((await listUnchecked(db, of)).length === 0) return;
      await transactor.transact(accountId, (tx) => takeBackUnchecked(tx, of));
    },
    async pos(app) {
      await registerStaffRoutes(app, { accountId, staff });
      await registerApprovalRoutes(app, approvals);
    },
  } satisfies Module;
}

interface StaffRoutesDeps {
  accountId: string;
  staff: StaffService;
}

async function registerStaffRoutes(app: App, { accountId, staff }: StaffRoutesDeps): Promise<void> {
  const { staffOperations } = await import("../../../contract/pos/staff.ts");
  handle(app, staffOperations.listNames, async () => ({
    list: await staff.listNames(accountId),
  }));

  handle(app, staffOperations.list, async () => ({ list: await staff.list(accountId) }));

  handle(app, staffOperations.add, ({ actor, body }) => staff.add(actor, body));

  handle(app, staffOperations.change, ({ actor, params, body }) =>
    staff.change(actor, params.staffId, body),
  );
}

async function registerApprovalRoutes(app: App, approvals: ApprovalService): Promise<void> {
  const { approvalOperations } = await import("../../../contract/pos/approvals.ts");
  handle(app, approvalOperations.listApprovers, async ({ actor, query }) => ({
    list: await approvals.listApprovers(actor, query.needs),
  }));

  handle(app, approvalOperations.approve, async ({ actor, body, request, reply }) => {
    const given = await approvals.approve(actor, body, placeOf(request));
    setDeviceCookie(reply, given.deviceToken);
    return given.approval;
  });
}

interface SessionRoutesDeps {
  accountId: string;
  sessions: SessionService;
  shop: { get(accountId: string): Promise<{ tillEnvironment: SignedInActor["environment"] }> };
}

/** Converts a session for the till. Training sells in the test environment. */
export function toPosSession(
  session: Omit<Session, "accountId" | "tokenHash">,
  tillEnvironment: SignedInActor["environment"],
): PosSession {
  const { staff, training, rights, limits } = session;
  return {
    staff,
    expiresAt: toTimestamp(session.expiresAt),
    environment: training ? "test" : tillEnvironment,
    training,
    rights,
    limits,
  };
}

export function registerSessionRoutes(
  app: App,
  { accountId, sessions, shop }: SessionRoutesDeps,
): void {
  handle(app, sessionOperations.signIn, async ({ body, request, reply }) => {
    const { token, deviceToken, session, notices } = await sessions.signIn({
      accountId,
      ...body,
      place: placeOf(request),
      over: request.cookies[SESSION_COOKIE],
    });
    setSessionCookie(reply, token);
    setDeviceCookie(reply, deviceToken);
    const { tillEnvironment } = await shop.get(accountId);
    return { ...toPosSession(session, tillEnvironment), ...(notices && { notices }) };
  });

  handle(app, sessionOperations.get, ({ actor }) =>
    toPosSession(toSession(actor), actor.environment),
  );

  handle(app, sessionOperations.signOut, async ({ actor, query, reply }) => {
    await sessions.signOut(toSession(actor), { idle: query.reason === "idle" });
    clearSessionCookie(reply);
    return {};
  });

  handle(app, sessionOperations.changePin, async ({ actor, body }) => {
    await sessions.changePin(actor, body.pin);
    return {};
  });

  handle(app, sessionOperations.confirm, () => ({}));

  handle(app, sessionOperations.train, async ({ actor, body }) => {
    const session = await sessions.train(toSession(actor), body.on);
    return toPosSession(session, (await shop.get(accountId)).tillEnvironment);
  });

  handle(app, sessionOperations.touch, async ({ actor }) => {
    await sessions.touch(actor);
    return {};
  });
}

function toSession(actor: SignedInActor): Session {
  const { accountId, staffId, name, role, expiresAt, tokenHash, training, rights, limits } = actor;
  const staff = { staffId, name, role };
  return { accountId, staff, expiresAt, tokenHash, training, rights, limits };
}
