import type { Generated } from "kysely";
import type { BulkLineState, BulkPause, BulkState } from "../../contract/pos/bulk-runs.ts";
import type { TenderKind } from "../../contract/pos/tenders.ts";
import type { Checked, Scoped } from "./columns.ts";

/**
 * Runs that sell many lines from a file. Prices are in the shop's currency, costs in the wallet's.
 */
export interface BulkTables {
  bulk_runs: BulkRunsTable;
  bulk_lines: BulkLinesTable;
}

interface BulkRunsTable extends Scoped, Checked {
  run_id: string;
  name: string;
  /** The person who uploaded the run; after its confirmation or resumption, the seller. */
  staff_id: string;
  state: BulkState;
  pause: BulkPause | null;
  /** Digest of the table in the request, to detect a repeat. */
  request_hash: string;
  /** Digest of the items to sell, regardless of order; null until the lines are checked. */
  digest: string | null;
  tender: TenderKind | null;
  reference: string | null;
  /** Id of a tender that the owner added; empty for the first tender of its kind. */
  tender_id: Generated<string>;
  created_at: number;
  confirmed_at: number | null;
  ended_at: number | null;
}

interface BulkLinesTable extends Scoped, Checked {
  run_id: string;
  line: number;
  state: BulkLineState;
  cells_json: string;
  faults_json: string;
  warnings_json: string;
  /** Item to sell; null for a line with errors. */
  input_json: string | null;
  title: string;
  recipient: string;
  note: string;
  price: number | null;
  /** Current price, if it has changed after the confirmation. */
  price_now: number | null;
  cost: number | null;
  sale_id: string | null;
  transaction_id: string | null;
  sold_at: number | null;
  refusal_code: string | null;
  refusal_message: string | null;
}
