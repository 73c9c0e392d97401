import type { Generated } from "kysely";
import type { Role } from "../../contract/pos/rights.ts";
import type { Checked, Flag, Scoped } from "./columns.ts";

/** Staff of the tills. */
export interface StaffTables {
  staff: StaffTable;
  staff_sessions: StaffSessionsTable;
  approvals: ApprovalsTable;
  staff_devices: StaffDevicesTable;
  pin_guesses: PinGuessesTable;
  tills: TillsTable;
  devices: DevicesTable;
  device_codes: DeviceCodesTable;
}

interface StaffTable extends Checked {
  account_id: string;
  staff_id: string;
  name: string;
  role: Role;
  pin_hash: string;
  active: Flag;
  /**
   * Number of consecutive wrong PINs at devices that the person has not used, and the end of the lock
   * of those.
   */
  failed_attempts: number;
  locked_until: number | null;
  created_at: number;
  signed_in_at: Generated<number | null>;
  /** When another person gave them their PIN; null once they have chosen one. */
  pin_given_at: Generated<number | null>;
  /** The permissions in which the person differs from their role. */
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
  /** Whether it sells in the test environment, whatever the shop's environment. */
  training: Generated<number>;
  /** When the till was last used, as reported. */
  active_at: Generated<number>;
  /** The device of the sign-in on the network; null at this machine. */
  device_id: Generated<string | null>;
}

/** A device at which a person has typed their PIN: wrong ones there are counted separately. */
interface StaffDevicesTable {
  account_id: string;
  staff_id: string;
  /** SHA-256 of the cookie's token, hex. */
  device_hash: string;
  used_at: number;
  failed_attempts: number;
  locked_until: number | null;
}

/** A device that sold or refunded. */
interface TillsTable {
  account_id: string;
  till_id: string;
  /** In the order of their first sales. */
  number: number;
  name: string;
  /** SHA-256 of the cookie's token, hex. */
  device_hash: string;
  first_used_at: number;
}

/** A device from the shop's network that an owner enrolled. */
interface DevicesTable extends Checked {
  account_id: string;
  device_id: string;
  name: string;
  /** SHA-256 of the cookie's key, hex. */
  key_hash: string;
  enrolled_at: number;
  /** Exact to some minutes, with its address at the time. */
  seen_at: number;
  address: string;
  revoked_at: Generated<number | null>;
}

/** A code that enrolls one device; its row is deleted with its use. */
interface DeviceCodesTable {
  account_id: string;
  code_hash: string;
  name: string;
  expires_at: number;
}

/** A wrong PIN of the last days, or one that is being checked. */
interface PinGuessesTable {
  guess_id: Generated<number>;
  account_id: string;
  staff_id: string;
  /** Null if the person has not used the device. */
  device_hash: string | null;
  source: string;
  guessed_at: number;
  /** 0 until the PIN was checked and found wrong. */
  checked: Flag;
}

/** An approval that a person with the permission gave at the till: valid once, for a short time. */
interface ApprovalsTable extends Scoped, Checked {
  approval_id: string;
  /** The person who was signed in. */
  requested_by: string;
  approved_by: string;
  subject: string;
  /** Digest of the approved request; null, and invalid, if the approval is older than digests. */
  request_digest: string;
  /** The facts that the approver saw: flat JSON. */
  facts_json: Generated<string>;
  /** The needs as one text, see `writeNeeds`. */
  needs: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}
