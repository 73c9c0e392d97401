import type { Generated } from "kysely";
import type { Role } from "../../contract/pos/rights.ts";
import type { Checked, Flag, Scoped } from "./columns.ts";

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
   * Consecutive wrong PINs at devices that the person has not used, and end of
   * the lock of such devices.
   */
  failed_attempts: number;
  locked_until: number | null;
  created_at: number;
  signed_in_at: Generated<number | null>;
  /** Time at which another person set the PIN; null after the person has chosen a PIN. */
  pin_given_at: Generated<number | null>;
  /** Permissions that differ from those of the role. */
  rights_json: Generated<string>;
  limits_json: Generated<string>;
}

interface StaffSessionsTable {
  /** SHA-256 (hex) of the cookie's token. */
  token_hash: string;
  account_id: string;
  staff_id: string;
  created_at: number;
  expires_at: number;
  /** 1 if the session sells in the test environment for training. */
  training: Generated<number>;
  /** Time of the last use that the till reported. */
  active_at: Generated<number>;
  /** The enrolled device of the sign-in; null at the gateway's own machine. */
  device_id: Generated<string | null>;
}

/**
 * A device at which the person has entered the right PIN. Wrong PINs at it are counted separately.
 */
interface StaffDevicesTable {
  account_id: string;
  staff_id: string;
  /** SHA-256 (hex) of the cookie's token. */
  device_hash: string;
  used_at: number;
  failed_attempts: number;
  locked_until: number | null;
}

interface TillsTable {
  account_id: string;
  till_id: string;
  /** Number of the till, in the order of the tills' first sales. */
  number: number;
  name: string;
  /** SHA-256 (hex) of the cookie's token. */
  device_hash: string;
  first_used_at: number;
}

/** A device in the shop's network that an owner enrolled. */
interface DevicesTable extends Checked {
  account_id: string;
  device_id: string;
  name: string;
  /** SHA-256 (hex) of the cookie's key. */
  key_hash: string;
  enrolled_at: number;
  /** Time of the last request, accurate to a few minutes, and the address of that request. */
  seen_at: number;
  address: string;
  revoked_at: Generated<number | null>;
}

/** A code that enrolls one device. The row is deleted when the code is used. */
interface DeviceCodesTable {
  account_id: string;
  code_hash: string;
  name: string;
  expires_at: number;
}

/** A recent wrong PIN, or a PIN that is being checked. */
interface PinGuessesTable {
  guess_id: Generated<number>;
  account_id: string;
  staff_id: string;
  /** Null if the person has not used the device. */
  device_hash: string | null;
  source: string;
  guessed_at: number;
  /** 0 until the PIN is checked and found wrong. */
  checked: Flag;
}

/**
 * An approval that a person with the permission gave at the till. It is
 * valid once, for a short time.
 */
interface ApprovalsTable extends Scoped, Checked {
  approval_id: string;
  /** The person who was signed in. */
  requested_by: string;
  approved_by: string;
  subject: string;
  /**
   * Digest of the approved request. Null for approvals before digests existed, which are invalid.
   */
  request_digest: string;
  /** Facts that the approver saw, as flat JSON. */
  facts_json: Generated<string>;
  /** Approved needs in the form of `writeNeeds`. */
  needs: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}
