import type { GoingLiveCheck } from "../../contract/pos/till-environment.ts";
import type { Flag } from "./columns.ts";

export interface GoingLiveTables {
  live_check_results: LiveCheckResultsTable;
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
