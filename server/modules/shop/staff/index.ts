import { type PosSession, sessionOperations } from "../../../contract/pos/staff.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import { clearSessionCookie, SESSION_COOKIE, setSessionCookie } from "../../../http/staff-guard.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import type { FileSealer } from "../../../lib/sealer.ts";
import type { Base, Module } from "../../module.ts";
import { ApprovalService } from "./approval-service.ts";
import { listUnchecked } from "./guess-store.ts";
import { CHECK_TIMEOUT_MS, takeBackUnchecked } from "./pin-check.ts";
import { PIN_COST, PinHasher } from "./pin-hasher.ts";
import { type Session, SessionService } from "./session-service.ts";
import { StaffService } from "./staff-service.ts";

export { requireRights, spendApproval } from "./approval-service.ts";
export { isKnownDevice } from "./device-store.ts";
export { countGuesses } from "./guess-store.ts";
export { type Session, SessionService } from "./session-service.ts";
export { StaffService } from "./staff-service.ts";
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
