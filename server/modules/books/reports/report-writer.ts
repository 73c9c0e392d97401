import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { listFinished } from "./finished-store.ts";
import { CSV_HEADER, toReportLine } from "./report-csv.ts";
import { ReportFiles } from "./report-files.ts";
import type { Period } from "./report-period.ts";

export interface ReportOrder {
  dataDir: string;
  fileName: string;
  scope: Scope;
  period: Period;
}

/**
 * Writes a report in groups of rows, on a separate connection.
 * @param isOver called between groups; cancels the file if it returns true
 * @returns the number of transactions
 * @throws if the file was cancelled or could not be written; no file remains
 */
export async function writeReport(
  db: Db,
  { dataDir, fileName, scope, period }: ReportOrder,
  isOver = () => false,
): Promise<number> {
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    yield CSV_HEADER;
    for await (const rows of listFinished(db, scope, period)) {
      if (isOver()) throw new Error("the report was stopped");
      count += rows.length;
      yield rows.map(toReportLine).join("");
    }
  }
  await new ReportFiles(dataDir).write(fileName, lines());
  return count;
}
