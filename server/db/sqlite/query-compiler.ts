import { SqliteQueryCompiler } from "kysely";
import { type EngineTexts, EngineWord } from "../engine-words.ts";
import { SealedText } from "../sealed-text.ts";

const SQLITE_TEXTS: EngineTexts = {
  indexedBy: (index) => `indexed by ${index}`,
  joinInOrder: "cross join",
  withoutIndex: "+",
  jsonItems: ["json_each(", ")"],
  jsonTexts: ["json_each(", ")"],
  jsonField: (column, path) => `json_extract(${column}, ${pathText(path)})`,
  jsonLength: (column, path) => `json_array_length(${column}, ${pathText(path)})`,
  isJson: (column) => `json_valid(${column})`,
  randomUpTo: (largest) => `random() & ${largest}`,
  // The program counts its commits in this table.
  snapshotState: "(select commits || ' ' || transactions from commit_count where one = 1)",
  inserted: "rowid",
  rowNumber: "rowid",
  damage: `
    select integrity_check as violation from pragma_integrity_check
    where integrity_check <> 'ok'`,
  brokenReferences: `
    select "table" || ' row ' || coalesce(rowid, '?') || ' refers to no row of ' || parent
      as violation
    from pragma_foreign_key_check`,
  opened: ["open_text(", ")"],
  hasChecksums: true,
  schema: {
    whole: "integer",
    fraction: "real",
    bytes: "blob",
    numberedKey: "integer primary key autoincrement",
    tableEnd: "strict",
    keyedTableEnd: "strict, without rowid",
    unlogged: "",
    insertedColumn: "",
    prelude: [],
    refusal: (message) => `select raise(abort, '${message}');`,
    trigger: ({ name, event, table, condition, body }) => [
      `create trigger ${name} ${event} on ${table}
      ${condition === undefined ? "" : `when ${condition} `}begin ${body} end`,
    ],
    appendOnly: (table) =>
      ["update", "delete"].map(
        (event) => `create trigger ${table}_no_${event} before ${event} on ${table}
      begin select raise(abort, '${table} is append-only'); end`,
      ),
    checksums: (table, columns, before) => [
      `update ${table} set checksum = row_checksum(${columns.join(", ")})
      ${before ? `where checksum is null or checksum = row_checksum(${before.join(", ")})` : ""}`,
    ],
  },
};

/**
 * Writes each value as `+?`. If SQLite used a value for planning, a new value makes it plan the
 * query again, which takes up to fifty times as long as running the query. The sign hides the
 * value, so that a prepared query is planned once (rules#purchase-cost). The sign changes neither
 * the value nor the usable indexes.
 */
export class PlannedOnceCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return "+?";
  }

  protected override appendValue(value: unknown): void {
    if (value instanceof EngineWord) this.append(value.write(SQLITE_TEXTS));
    else if (value instanceof SealedText) {
      this.append("seal_text(");
      super.appendValue(value.text);
      this.append(")");
    } else super.appendValue(value);
  }
}

function pathText(path: readonly string[]): string {
  return `'$.${path.join(".")}'`;
}
