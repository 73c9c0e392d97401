import { createReadStream } from "node:fs";
import { findJson } from "../../lib/checked-json.ts";
import {
  ExportFault,
  FORMAT,
  Head,
  LineSum,
  Row,
  TableBegin,
  TableEnd,
  WholeEnd,
} from "./export-format.ts";

const NEWLINE = 0x0a;

export type ExportPart =
  | { head: Head }
  | { begin: TableBegin }
  | { row: readonly unknown[]; of: string; characters: number }
  | { end: TableEnd }
  | { whole: WholeEnd };

interface Open {
  name: string;
  sum: LineSum;
}

/**
 * Reads an export line by line and verifies its sums. Rows are yielded before the sums that cover
 * them, so do not rely on any row before the last part.
 * @throws ExportFault, which names the table
 */
export async function* readExport(file: string): AsyncGenerator<ExportPart> {
  const whole = new LineSum();
  let open: Open | undefined;
  let tables = 0;
  let rows = 0;
  let last: string | undefined;
  let isOver = false;
  for await (const line of linesOf(file)) {
    if (isOver) throw new ExportFault("something follows after its end");
    const text = line.toString("utf8");
    if (last === undefined) {
      yield { head: readHead(text) };
      last = "its head";
    } else if (open) {
      const row = findJson(Row, text);
      if (row) {
        open.sum.add(line);
        yield { row, of: open.name, characters: text.length };
      } else {
        yield { end: readEnd(text, open) };
        rows += open.sum.rows;
        tables += 1;
        last = `the table ${open.name}`;
        open = undefined;
      }
    } else {
      const begin = findJson(TableBegin, text);
      if (begin) {
        open = { name: begin.table, sum: new LineSum() };
        yield { begin };
      } else {
        const end = findJson(WholeEnd, text);
        const isSame = end?.sha256 === whole.digest() && end.tables === tables && end.rows === rows;
        if (!isSame) throw new ExportFault(`it is damaged behind ${last}`);
        isOver = true;
        yield { whole: end };
      }
    }
    whole.add(line);
  }
  if (isOver) return;
  if (open) throw new ExportFault(`it ends in the middle of the table ${open.name}`);
  throw new ExportFault(last === undefined ? "it is empty" : `it ends behind ${last}`);
}

function readHead(text: string): Head {
  const head = findJson(Head, text);
  if (head?.format === FORMAT) return head;
  const other = head?.format.startsWith("tillgate-export-");
  throw new ExportFault(
    other
      ? `it is of the form ${head?.format}, and was written by Tillgate ${head?.program}`
      : "it is no export of Tillgate",
  );
}

function readEnd(text: string, { name, sum }: Open): TableEnd {
  const end = findJson(TableEnd, text);
  if (end?.end === name && end.rows === sum.rows && end.sha256 === sum.digest()) return end;
  throw new ExportFault(`the table ${name} is damaged`);
}

/**
 * Yields the lines of a file with their line ends. Omits a last line without a line end, because it
 * was cut off.
 */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    const bytes = chunk as Buffer;
    let from = 0;
    for (;;) {
      const at = bytes.indexOf(NEWLINE, from);
      if (at < 0) break;
      const line = bytes.subarray(from, at + 1);
      yield rest.length > 0 ? Buffer.concat([...rest, line]) : line;
      rest = [];
      from = at + 1;
    }
    if (from < bytes.length) rest.push(bytes.subarray(from));
  }
}
