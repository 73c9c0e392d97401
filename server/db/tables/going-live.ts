import type { GoingLiveCheck, GoingLiveNote } from "../../contract/pos/till-environment.ts";
import type { Flag } from "./columns.ts";

/** The way of a shop to live sales, and how live does since. */
export interface GoingLiveTables {
  live_check_results: LiveCheckResultsTable;
  pilots: PilotsTable;
  going_live_notes: GoingLiveNotesTable;
}

/** What each check found last, while the shop sells live. */
interface LiveCheckResultsTable {
  account_id: string;
  check_name: GoingLiveCheck;
  passed: Flag;
  /** Whether a shop could not go live with it. */
  stops: Flag;
  figures_json: string;
  /** When a night first found it failed that had passed; null while it passes, and where it never did. */
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
  /** Whether programs buy within its caps, too: they had bought nothing live before. */
  covers_api: Flag;
  started_at: number;
  ended_at: number | null;
}

/** What an owner did on the way to live. */
interface GoingLiveNotesTable {
  account_id: string;
  note: GoingLiveNote;
  staff_id: string;
  noted_at: number;
  detail_json: string;
}
