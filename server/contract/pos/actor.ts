import type { Environment } from "../common.ts";
import type { Limits, Rights, Role } from "./rights.ts";

/** A signed-in person with the environment of their session. */
export interface Actor {
  accountId: string;
  environment: Environment;
  staffId: string;
  name: string;
  role: Role;
  rights: Rights;
  limits: Limits;
  /** True if the session sells in training: nothing real is sold. */
  training: boolean;
}

/** Author of a change in the audit trail: a person, or none for the command line. */
export interface Author {
  accountId: string;
  staffId?: string | undefined;
}

/** Author of a change to one environment. */
export interface ScopedAuthor extends Author {
  environment: Environment;
}
