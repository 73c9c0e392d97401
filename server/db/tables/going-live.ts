import type { GoingLiveCheck } from "../../contract/pos/till-environment.ts";
import type { Flag } from "./columns.ts";

/** The way of a shop to live sales, and how live does since. */
export interface GoingLiveTables {
  live_check_results: LiveCheckResultsTable;
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
