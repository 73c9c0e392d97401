import { CompiledQuery, type Kysely } from "kysely";
import { type EngineTexts, type SchemaTexts, type TriggerText, word } from "./engine-words.ts";

/**
 * SQL of a migration that differs between the engines, for use in a statement: `add column paid ${whole} not
 * null`. Everything else in it is in words that both understand.
 */
export const whole = word(({ schema }) => schema.whole);
export const fraction = word(({ schema }) => schema.fraction);
export const bytes = word(({ schema }) => schema.bytes);
/** `note_id ${numberedKey}` */
export const numberedKey = word(({ schema }) => schema.numberedKey);
/** `create table notes (…) ${tableEnd}` */
export const tableEnd = word(({ schema }) => schema.tableEnd);

type AnyDb = Kysely<unknown>;

/** Adds a trigger that writes more rows after a row was written; its event is an `after` event. */
export function addTrigger(db: AnyDb, trigger: TriggerText): Promise<void> {
  return carryOut(db, (schema) => schema.trigger(trigger));
}

/** Prevents changes and deletions of rows of a table. */
export function makeAppendOnly(db: AnyDb, table: string): Promise<void> {
  return carryOut(db, (schema) => schema.appendOnly(table));
}

/** Recalculates the checksums of a table, if the engine's rows have any. */
export function renewChecksumsOf(
  db: AnyDb,
  table: string,
  columns: readonly string[],
): Promise<void> {
  return carryOut(db, (schema) => schema.checksums(table, columns));
}

async function carryOut(
  db: AnyDb,
  write: (schema: SchemaTexts) => readonly string[],
): Promise<void> {
  const statements: string[] = [];
  // The compiler of the connection knows the engine.
  word(({ schema }: EngineTexts) => {
    statements.push(...write(schema));
    return "";
  }).compile(db);
  for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement));
}
