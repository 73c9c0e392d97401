import type { FileSealer } from "../../lib/sealer.ts";
import type { Base, Module } from "../module.ts";
import { ApprovalService } from "./approval-service.ts";
import { PIN_COST } from "./pin-hash.ts";
import { PinHasher } from "./pin-hasher.ts";
import { SessionService } from "./session-service.ts";
import { StaffService } from "./staff-service.ts";

type Deps = Base & {
  keyFile: FileSealer;
  /** log2 of scrypt's cost. */
  pinCost?: number;
};

export function createStaffModule({ keyFile, pinCost = PIN_COST, ...base }: Deps) {
  const { accountId, log } = base;
  const pins = new PinHasher({ log, keyFile, cost: pinCost });
  const staff = new StaffService({ ...base, pins });
  const sessions = new SessionService({ ...base, pins });
  const approvals = new ApprovalService({ ...base, pins });
  return {
    services: { staff, sessions, approvals },
    async pos(app) {
      const { registerStaffRoutes } = await import("./staff-routes.ts");
      const { registerApprovalRoutes } = await import("./approval-routes.ts");
      registerStaffRoutes(app, { accountId, staff });
      registerApprovalRoutes(app, approvals);
    },
  } satisfies Module;
}
