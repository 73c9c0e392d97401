import type { Scoped } from "./columns.ts";

/** Reports that integrators asked for. */
export interface ReportTables {
  reports: ReportsTable;
  report_log: ReportLogTable;
}

/** Transaction reports (rules#report-states); their files are in the data directory. */
interface ReportsTable extends Scoped {
  report_id: string;
  status: "REQUESTED" | "Ready" | "FAILED";
  start_gte: number;
  end_lt: number;
  file_name: string | null;
  error_code: string | null;
  error_description: string | null;
  error_message: string | null;
  created_at: number;
  updated_at: number;
}

interface ReportLogTable extends Scoped {
  report_id: string;
  position: number;
  recorded_at: number;
  status: ReportsTable["status"];
  message: string;
}
