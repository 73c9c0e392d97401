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
  /** The person who uploaded it; from its confirmation or resumption on, the seller. */
  staff_id: string;
  state: BulkState;
  pause: BulkPause | null;
  /** Digest of the table in the request, to detect a repeat. */
  request_hash: string;
  /** Digest of the sold items of its lines, in any order; null until the lines were checked. */
  digest: string | null;
  tender: TenderKind | null;
  reference: string | null;
  /** A tender that the owner added; empty for the first of its kind. */
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
  /** The item to sell, of a line without errors. */
  input_json: string | null;
  title: string;
  recipient: string;
  note: string;
  price: number | null;
  /** Its price if it has changed since the confirmation. */
  price_now: number | null;
  cost: number | null;
  sale_id: string | null;
  transaction_id: string | null;
  /** When its transaction was created. */
  sold_at: number | null;
  refusal_code: string | null;
  refusal_message: string | null;
}
