import { sql } from "kysely";
import type { Tx } from "../handles.ts";
import { toBaseline } from "./earlier-export.ts";
import { ExportFault, type TableEnd, type WholeEnd } from "./export-format.ts";
import { FILES_TABLE, type FileTally, FileWriter } from "./file-rows.ts";
import { readTableFacts, type TableFacts, type TableTools } from "./table-facts.ts";
import { RowWriter, sumRows } from "./table-rows.ts";

/**
 * Imports an export of this version, or of the last version before the baseline, into a database
 * with empty tables, and verifies the written rows.
 * @param files a separate directory for report files; undefined if the database stores the files as
 * rows
 * @throws ExportFault; the transaction must then be rolled back
 */
export async function takeExport(
  tx: Tx,
  file: string,
  { tools, files }: { tools: TableTools; files?: string | undefined },
): Promise<{ whole: WholeEnd; reports: FileTally }> {
  const tables = await readTableFacts(tx, tools);
  const names = tables.map(({ name }) => name);
  const ends = new Map<string, TableEnd>();
  const whole = await tools.withoutTriggers(tx, names, () =>
    writeRows({ tx, tools, files, tables, ends }, file),
  );
  await tools.complete(tx);
  const reports = { files: 0, missing: 0 };
  for (const table of tables) {
    const sum = await sumRows({ db: tx, tools, files, tally: reports }, table);
    const said = ends.get(table.name);
    if (said?.rows === sum.rows && said.sha256 === sum.digest()) continue;
    throw new ExportFault(`the table ${table.name} is not read back as it was written`);
  }
  return { whole, reports };
}

interface Target {
  tx: Tx;
  tools: TableTools;
  files: string | undefined;
  tables: readonly TableFacts[];
  ends: Map<string, TableEnd>;
}

async function writeRows(target: Target, file: string): Promise<WholeEnd> {
  const { tx, tools, files, tables, ends } = target;
  let writer: RowWriter | FileWriter | undefined;
  let whole: WholeEnd | undefined;
  try {
    for await (const part of toBaseline(file)) {
      if ("begin" in part) {
        const table = expectTable(target, part.begin);
        const { last } = part.begin;
        if (last !== undefined && table.numbered !== undefined) {
          await tools.writeLast(tx, table.name, table.numbered, last);
        }
        await sql`delete from ${sql.table(table.name)}`.execute(tx);
        const isOfFiles = files !== undefined && table.name === FILES_TABLE;
        writer = isOfFiles ? new FileWriter(files, table) : new RowWriter(tx, table, tools);
      } else if ("row" in part) {
        await writer?.write(part.row, part.characters);
      } else if ("end" in part) {
        await writer?.flush();
        ends.set(part.end.end, part.end);
      } else if ("whole" in part) {
        whole = part.whole;
      }
    }
  } finally {
    if (writer instanceof FileWriter) await writer.close();
  }
  if (!whole || ends.size !== tables.length) throw new ExportFault("it lacks tables");
  return whole;
}

/**
 * Requires that the tables to which a table refers precede it. A version with other
 * tables may have another order.
 */
function expectTable(
  { tables, ends }: Target,
  { table, columns }: { table: string; columns: string[] },
): TableFacts {
  const expected = tables.find(({ name }) => name === table);
  const names = expected?.columns.map(({ name }) => name);
  const isNext = !ends.has(table) && expected?.references.every((name) => ends.has(name));
  if (expected && isNext && names?.join() === columns.join()) return expected;
  throw new ExportFault(`the table ${table} is not one of this version, or not in its place`);
}
