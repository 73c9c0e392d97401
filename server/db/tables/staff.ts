import type { Generated } from "kysely";
import type { Role } from "../../contract/pos/rights.ts";
import type { Flag, Scoped } from "./columns.ts";

/** Who works at the tills. */
export interface StaffTables {
  staff: StaffTable;
  staff_sessions: StaffSessionsTable;
  approvals: ApprovalsTable;
}

interface StaffTable {
  account_id: string;
  staff_id: string;
  name: string;
  role: Role;
  pin_hash: string;
  active: Flag;
  failed_attempts: number;
  locked_until: number | null;
  created_at: number;
  /** The rights in which the person differs from their role. */
  rights_json: Generated<string>;
  limits_json: Generated<string>;
}

interface StaffSessionsTable {
  /** SHA-256 of the cookie's token, hex. */
  token_hash: string;
  account_id: string;
  staff_id: string;
  created_at: number;
  expires_at: number;
  /** Whether it sells in the test environment, whatever the shop does. */
  training: Generated<number>;
  /** When the till was last touched, as far as it has told. */
  active_at: Generated<number>;
}

/** What somebody with the right approved in place: good once, and not for long. */
interface ApprovalsTable extends Scoped {
  approval_id: string;
  /** Who was signed in. */
  requested_by: string;
  approved_by: string;
  subject: string;
  /** Digest of the request that it is for; none, and good for nothing, where it is older than that. */
  deed: string;
  /** The needs as one text, see `writeNeeds`. */
  needs: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}
