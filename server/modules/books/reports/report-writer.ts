import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { listFinished } from "./finished-store.ts";
import { CSV_HEADER, toReportLine } from "./report-csv.ts";
import { ReportFiles } from "./report-files.ts";
import type { Period } from "./report-period.ts";

/** What a report is to hold, and the name of its file in the data directory's `reports`. */
export interface ReportOrder {
  dataDir: string;
  fileName: string;
  scope: Scope;
  period: Period;
}

/**
 * Writes the file of a report, some rows at a time, on a connection that does nothing else meanwhile.
 * @param isOver asked between them: whether the file is still wanted
 * @returns how many transactions are in it
 * @throws when it is not, and whatever kept it from being written; nothing is left of it then
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
