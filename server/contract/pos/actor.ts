import type { Environment } from "../common.ts";
import type { Limits, Rights, Role } from "./rights.ts";

/** A person at the till, and where it sells: what their session says. */
export interface Actor {
  accountId: string;
  environment: Environment;
  staffId: string;
  name: string;
  role: Role;
  rights: Rights;
  limits: Limits;
  /** Nothing real is sold in this session. */
  training: boolean;
}

/** Whose name a change has in the audit trail: a person's, or nobody's at the command line. */
export interface Author {
  accountId: string;
  staffId?: string | undefined;
}

/** An author whose change is to one environment. */
export interface ScopedAuthor extends Author {
  environment: Environment;
}
