import type { GoingLiveCheck, GoingLiveNote } from "../../contract/pos/till-environment.ts";
import type { Flag } from "./columns.ts";

/** A shop's steps to live sales, and the results of live checks since. */
export interface GoingLiveTables {
  live_check_results: LiveCheckResultsTable;
  pilots: PilotsTable;
  going_live_notes: GoingLiveNotesTable;
}

/** The last result of each check, while the shop sells live. */
interface LiveCheckResultsTable {
  account_id: string;
  check_name: GoingLiveCheck;
  passed: Flag;
  /** Whether its failure prevents going live. */
  stops: Flag;
  figures_json: string;
  /** When the nightly check first failed after a success; null while it passes, and if it never did. */
  turned_red_at: number | null;
  checked_at: number;
}

/** The first live sales of a shop; one row, of the last time it went live. */
interface PilotsTable {
  account_id: string;
  /** The one till that may sell: the digest of its cookie; null until the first one sells. */
  device_hash: string | null;
  /** The person at that till when it was chosen; null for the command line. */
  chosen_by: string | null;
  /** In minor units of the shop's currency. */
  most_per_sale: number;
  most_per_day: number;
  /** Whether its limits also apply to programs, which had bought nothing live before. */
  covers_api: Flag;
  started_at: number;
  ended_at: number | null;
}

/** An owner's steps towards going live. */
interface GoingLiveNotesTable {
  account_id: string;
  note: GoingLiveNote;
  staff_id: string;
  noted_at: number;
  detail_json: string;
}
