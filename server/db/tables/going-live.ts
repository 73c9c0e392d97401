import type { GoingLiveCheck, GoingLiveNote } from "../../contract/pos/till-environment.ts";
import type { Flag } from "./columns.ts";

export interface GoingLiveTables {
  live_check_results: LiveCheckResultsTable;
  pilots: PilotsTable;
  going_live_notes: GoingLiveNotesTable;
}

interface LiveCheckResultsTable {
  account_id: string;
  check_name: GoingLiveCheck;
  passed: Flag;
  /** 1 if a failure of the check prevents going live. */
  stops: Flag;
  figures_json: string;
  /**
   * Time at which the nightly check failed after a success; null while the check passes, or if it
   * never passed.
   */
  turned_red_at: number | null;
  checked_at: number;
}

/** Pilot of live sales; one row per shop, of the last time the shop went live. */
interface PilotsTable {
  account_id: string;
  /** Digest of the device cookie of the only till that may sell; null until a till has sold. */
  device_hash: string | null;
  /** The person at the till when it was chosen; null for the command line. */
  chosen_by: string | null;
  /** Minor units of the shop's currency. */
  most_per_sale: number;
  most_per_day: number;
  /**
   * 1 if the limits also apply to purchases through the API, because the API had no live purchases
   * before the pilot.
   */
  covers_api: Flag;
  started_at: number;
  ended_at: number | null;
}

interface GoingLiveNotesTable {
  account_id: string;
  note: GoingLiveNote;
  staff_id: string;
  noted_at: number;
  detail_json: string;
}
