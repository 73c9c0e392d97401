import type { Environment } from "../common.ts";
import type { Limits, Rights, Role } from "./rights.ts";

/** A signed-in person, and the environment of the session. */
export interface Actor {
  accountId: string;
  environment: Environment;
  staffId: string;
  name: string;
  role: Role;
  rights: Rights;
  limits: Limits;
  /** True if the session is in training mode: nothing real is sold. */
  training: boolean;
}

/** Author of a change in the audit trail. `staffId` is absent for the command line. */
export interface Author {
  accountId: string;
  staffId?: string | undefined;
}

export interface ScopedAuthor extends Author {
  environment: Environment;
}
