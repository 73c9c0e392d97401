import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * SQL that differs between the engines. All other SQL of modules is understood by both
 * (`portable-sql.test.ts`); the texts of each engine are in its folder.
 */
export interface EngineTexts {
  /** After a table: reads it by this index. Empty if the engine chooses itself. */
  readonly indexedBy: (index: string) => string;
  /** Instead of `join`: reads the table before it first. */
  readonly joinInOrder: string;
  /** Before a column: prevents the use of an index on it. */
  readonly withoutIndex: string;
  /** Around a JSON array: a table with a row for each item, in the column `value`. */
  readonly jsonItems: readonly [before: string, after: string];
  /** The same for an array of texts. */
  readonly jsonTexts: readonly [before: string, after: string];
  /** The value at a path of a column's JSON: a text or a number. */
  readonly jsonField: (column: string, path: readonly string[]) => string;
  /** The number of items in an array of a column's JSON. */
  readonly jsonLength: (column: string, path: readonly string[]) => string;
  readonly isJson: (column: string) => string;
  /** A random whole number from 0 up to one less than a power of two. */
  readonly randomUpTo: (largest: number) => string;
  /** A text that is equal for two snapshots with the same rows. */
  readonly snapshotState: string;
  /** Orders rows by insertion. */
  readonly inserted: string;
  /** Identifies a row for manual inspection. */
  readonly rowNumber: string;
  /** A query for damage of the stored data: a text `violation` for each. */
  readonly damage: string;
  /** The same for broken references. */
  readonly brokenReferences: string;
  /** Around a column of encrypted texts: decrypts it. */
  readonly opened: readonly [before: string, after: string];
  /** Whether rows have a checksum of Tillgate; an engine with its own needs none. */
  readonly hasChecksums: boolean;
  readonly schema: SchemaTexts;
}

/** DDL that differs between the engines, for migrations (`migration-words.ts`). */
export interface SchemaTexts {
  /** The type of whole numbers: amounts, times, flags. */
  readonly whole: string;
  readonly fraction: string;
  readonly bytes: string;
  /**
   * After the name of a column: the key, which numbers rows automatically and uses no number twice.
   */
  readonly numberedKey: string;
  /** After the parenthesis that ends a table. */
  readonly tableEnd: string;
  /** The same for a table whose rows are found by its key alone. */
  readonly keyedTableEnd: string;
  /** After the last column of a table: the order of insertion, if rows have none themselves. */
  readonly insertedColumn: string;
  /** The statements before the first table. */
  readonly prelude: readonly string[];
  /** The statement of a trigger that refuses a change. */
  readonly refusal: (message: string) => string;
  /** The statements that make a trigger which does something. */
  readonly trigger: (trigger: TriggerText) => readonly string[];
  /** The statements that refuse changes of a table, and deletions. */
  readonly appendOnly: (table: string) => readonly string[];
  /** The statements that give each row of a table a checksum of some of its columns, its scope first. */
  readonly checksums: (table: string, columns: readonly string[]) => readonly string[];
}

/** A trigger, in SQL that both engines understand. */
export interface TriggerText {
  name: string;
  /** As in `after update of state`. */
  event: string;
  table: string;
  condition?: string | undefined;
  /** Statements, each with its semicolon. */
  body: string;
}

/** Placeholder in a query for an engine's text, which the engine's compiler writes. */
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

/** `where ${withoutIndex}product_type = …`, where an index of that column would have more visited. */
export const withoutIndex = word(({ withoutIndex: text }) => text);

/** `from ${jsonItems(list)} j`: items are read as `j.value ->> 0`, which is to be cast. */
export function jsonItems(list: readonly unknown[]): RawBuilder<unknown> {
  const part = (index: 0 | 1) => word(({ jsonItems: around }) => around[index]);
  return sql`${part(0)}${JSON.stringify(list)}${part(1)}`;
}

/** `from ${jsonTexts(ids)} i`: the text is `i.value`. */
export function jsonTexts(list: readonly string[]): RawBuilder<unknown> {
  const part = (index: 0 | 1) => word(({ jsonTexts: around }) => around[index]);
  return sql`${part(0)}${JSON.stringify(list)}${part(1)}`;
}

/** A number is to be cast: `cast(${jsonField("report_json", "zNumber")} as bigint)`. */
export function jsonField(column: string, ...path: readonly string[]): RawBuilder<string | null> {
  return word(({ jsonField: write }) => write(column, path));
}

export function jsonLength(column: string, ...path: readonly string[]): RawBuilder<number> {
  return word(({ jsonLength: write }) => write(column, path));
}

export function isJson(column: string): RawBuilder<boolean> {
  return word(({ isJson: write }) => write(column));
}

/** @param largest one less than a power of two */
export function randomUpTo(largest: number): RawBuilder<number> {
  return word(({ randomUpTo: write }) => write(largest));
}

/** Before and after a column of sealed texts (`sealed-text.ts`). */
export const aroundOpened = [
  word(({ opened }) => opened[0]),
  word(({ opened }) => opened[1]),
] as const;

/** Returns whether a database is a file, and not on a PostgreSQL server. */
export function isFile(db: Kysely<Tables>): boolean {
  let answer = false;
  word(({ hasChecksums }) => {
    answer = hasChecksums;
    return "";
  }).compile(db);
  return answer;
}

/** Returns the condition if rows have a checksum of Tillgate; otherwise one that is always true. */
export function whereChecked(condition: string): RawBuilder<boolean> {
  return word(({ hasChecksums }) => (hasChecksums ? condition : "1 = 1"));
}

/** True if rows have a checksum of Tillgate. */
export const hasChecksums = word<boolean>(({ hasChecksums: has }) => (has ? "1 = 1" : "1 = 0"));

export const inserted = word<number>(({ inserted: text }) => text);
export const snapshotState = word<string>(({ snapshotState: text }) => text);
export const rowNumber = word<string>(({ rowNumber: text }) => text);
export const damage = word<{ violation: string }>(({ damage: text }) => text);
export const brokenReferences = word<{ violation: string }>(({ brokenReferences: text }) => text);
