import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * SQL that differs between the engines. Both engines understand all other SQL of the modules
 * (`portable-sql.test.ts`). The folder of each engine contains its texts.
 */
export interface EngineTexts {
  /** After a table name: uses this index. Empty if the engine chooses the index. */
  readonly indexedBy: (index: string) => string;
  /** Replaces `join`: reads the preceding table first. */
  readonly joinInOrder: string;
  /** Before a column: prevents the use of an index of the column. */
  readonly withoutIndex: string;
  /** Around a JSON array: a table with a row for each item, in the column `value`. */
  readonly jsonItems: readonly [before: string, after: string];
  /** As `jsonItems`, for an array of texts. */
  readonly jsonTexts: readonly [before: string, after: string];
  /** Value at a path in a column's JSON: a text or a number. */
  readonly jsonField: (column: string, path: readonly string[]) => string;
  readonly jsonLength: (column: string, path: readonly string[]) => string;
  readonly isJson: (column: string) => string;
  /** Random integer from 0 to `largest`, which must be a power of two minus one. */
  readonly randomUpTo: (largest: number) => string;
  /** Text that is equal for two snapshots with the same rows. */
  readonly snapshotState: string;
  /** Expression that sorts rows in the order of their insertion. */
  readonly inserted: string;
  /** Expression that identifies a row for manual inspection. */
  readonly rowNumber: string;
  /** Query that returns a row with a text `violation` for each damage of the stored data. */
  readonly damage: string;
  /** As `damage`, for broken references. */
  readonly brokenReferences: string;
  /** Around a column of encrypted texts: decrypts the texts. */
  readonly opened: readonly [before: string, after: string];
  /** True if rows have a checksum of Tillgate. PostgreSQL has its own checksums. */
  readonly hasChecksums: boolean;
  readonly schema: SchemaTexts;
}

/** DDL that differs between the engines, for migrations (`migration-words.ts`). */
export interface SchemaTexts {
  /** Type of integers: amounts, times and flags. */
  readonly whole: string;
  readonly fraction: string;
  readonly bytes: string;
  /** After a column name: a key that numbers rows and never reuses a number. */
  readonly numberedKey: string;
  /** After the closing parenthesis of a table definition. */
  readonly tableEnd: string;
  /** As `tableEnd`, for a table that is only queried by its key. */
  readonly keyedTableEnd: string;
  /** Before `table`: keeps the rows out of the server's log of changes. Ends with a space. */
  readonly unlogged: string;
  /** After the last column of a table: a column for the insertion order, if the engine needs it. */
  readonly insertedColumn: string;
  readonly prelude: readonly string[];
  readonly refusal: (message: string) => string;
  readonly trigger: (trigger: TriggerText) => readonly string[];
  /** Statements that refuse updates and deletions in a table. */
  readonly appendOnly: (table: string) => readonly string[];
  /** Statements that give each row of a table a checksum of these columns. */
  readonly checksums: (
    table: string,
    columns: readonly string[],
    before: readonly string[] | undefined,
  ) => readonly string[];
}

export interface TriggerText {
  name: string;
  /** Such as `after update of state`. */
  event: string;
  table: string;
  condition?: string | undefined;
  body: string;
}

/** Placeholder in a query. The engine's compiler replaces it by the engine's text. */
export class EngineWord {
  readonly write: (texts: EngineTexts) => string;
  constructor(write: (texts: EngineTexts) => string) {
    this.write = write;
  }
}

export function word<T = unknown>(write: (texts: EngineTexts) => string): RawBuilder<T> {
  // Kysely passes an unknown value to the compiler unchanged.
  return sql<T>`${new EngineWord(write)}`;
}

/** `from sales s ${indexedBy("sales_newest")}` */
export function indexedBy(index: string): RawBuilder<unknown> {
  return word(({ indexedBy: write }) => write(index));
}

/** `from sales s ${joinInOrder} sale_lines l on …` */
export const joinInOrder = word(({ joinInOrder: text }) => text);

/** `where ${withoutIndex}product_type = …`: for a column whose index would visit more rows. */
export const withoutIndex = word(({ withoutIndex: text }) => text);

/** `from ${jsonItems(list)} j`: an item's first element is `j.value ->> 0`, which needs a cast. */
export function jsonItems(list: readonly unknown[]): RawBuilder<unknown> {
  const part = (index: 0 | 1) => word(({ jsonItems: around }) => around[index]);
  return sql`${part(0)}${JSON.stringify(list)}${part(1)}`;
}

/** `from ${jsonTexts(ids)} i`: the text is `i.value`. */
export function jsonTexts(list: readonly string[]): RawBuilder<unknown> {
  const part = (index: 0 | 1) => word(({ jsonTexts: around }) => around[index]);
  return sql`${part(0)}${JSON.stringify(list)}${part(1)}`;
}

/**
 * Returns SQL for a field as text. A number needs a cast: `cast(${jsonField("report_json",
 * "zNumber")} as bigint)`.
 */
export function jsonField(column: string, ...path: readonly string[]): RawBuilder<string | null> {
  return word(({ jsonField: write }) => write(column, path));
}

export function jsonLength(column: string, ...path: readonly string[]): RawBuilder<number> {
  return word(({ jsonLength: write }) => write(column, path));
}

export function isJson(column: string): RawBuilder<boolean> {
  return word(({ isJson: write }) => write(column));
}

export function randomUpTo(largest: number): RawBuilder<number> {
  return word(({ randomUpTo: write }) => write(largest));
}

/** SQL before and after a column of encrypted texts (`sealed-text.ts`). */
export const aroundOpened = [
  word(({ opened }) => opened[0]),
  word(({ opened }) => opened[1]),
] as const;

/** Returns whether a database is a SQLite file instead of a PostgreSQL database. */
export function isFile(db: Kysely<Tables>): boolean {
  let answer = false;
  word(({ hasChecksums }) => {
    answer = hasChecksums;
    return "";
  }).compile(db);
  return answer;
}

/**
 * Returns the condition if rows have a checksum of Tillgate; otherwise a
 * condition that is always true.
 */
export function whereChecked(condition: string): RawBuilder<boolean> {
  return word(({ hasChecksums }) => (hasChecksums ? condition : "1 = 1"));
}

export const hasChecksums = word<boolean>(({ hasChecksums: has }) => (has ? "1 = 1" : "1 = 0"));

export const inserted = word<number>(({ inserted: text }) => text);
export const snapshotState = word<string>(({ snapshotState: text }) => text);
export const rowNumber = word<string>(({ rowNumber: text }) => text);
export const damage = word<{ violation: string }>(({ damage: text }) => text);
export const brokenReferences = word<{ violation: string }>(({ brokenReferences: text }) => text);
