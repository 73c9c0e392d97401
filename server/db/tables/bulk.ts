import type { Generated } from "kysely";
import type { BulkLineState, BulkPause, BulkState } from "../../contract/pos/bulk-runs.ts";
import type { TenderKind } from "../../contract/pos/tenders.ts";
import type { Checked, Scoped } from "./columns.ts";

/** Runs that sell many lines from a file; prices in the shop's currency, costs in the wallet's. */
export interface BulkTables {
  bulk_runs: BulkRunsTable;
  bulk_lines: BulkLinesTable;
}

interface BulkRunsTable extends Scoped, Checked {
  run_id: string;
  name: string;
  /** Who uploaded it; from when it is confirmed or resumed, who sells. */
  staff_id: string;
  state: BulkState;
  pause: BulkPause | null;
  /** Of the table as it was sent, to know the same request again. */
  request_hash: string;
  /** Of what its lines sell, whatever their order; null until they were checked. */
  digest: string | null;
  tender: TenderKind | null;
  reference: string | null;
  /** Of a tender that the owner added; empty for the first of its kind. */
  tender_id: Generated<string>;
  created_at: number;
  confirmed_at: number | null;
  ended_at: number | null;
}

interface BulkLinesTable extends Scoped, Checked {
  run_id: string;
  /** Its place in the file. */
  line: number;
  state: BulkLineState;
  cells_json: string;
  faults_json: string;
  warnings_json: string;
  /** What is sold, of a line without faults. */
  input_json: string | null;
  title: string;
  recipient: string;
  note: string;
  price: number | null;
  /** Its price where it has changed since it was confirmed. */
  price_now: number | null;
  cost: number | null;
  sale_id: string | null;
  transaction_id: string | null;
  /** When its transaction was made. */
  sold_at: number | null;
  refusal_code: string | null;
  refusal_message: string | null;
}
