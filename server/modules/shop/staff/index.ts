import { DAY } from "../../../lib/clock.ts";
import type { FileSealer } from "../../../lib/sealer.ts";
import type { Base, Module } from "../../module.ts";
import { ApprovalService } from "./approval-service.ts";
import { listUnchecked } from "./guess-store.ts";
import { CHECK_TIMEOUT_MS, takeBackUnchecked } from "./pin-check.ts";
import { PIN_COST, PinHasher } from "./pin-hasher.ts";
import { SessionService } from "./session-service.ts";
import { StaffService } from "./staff-service.ts";

export { isKnownDevice } from "./device-store.ts";
export { countGuesses } from "./guess-store.ts";
export { requireRights, spendApproval } from "./require-rights.ts";
export { registerSessionRoutes, toPosSession } from "./session-routes.ts";
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
      const { registerApprovalRoutes, registerStaffRoutes } = await import("./staff-routes.ts");
      registerStaffRoutes(app, { accountId, staff });
      registerApprovalRoutes(app, approvals);
    },
  } satisfies Module;
}
