import { CompiledQuery, type Kysely } from "kysely";
import { type EngineTexts, type SchemaTexts, type TriggerText, word } from "./engine-words.ts";

/**
 * What a migration says that the engines write differently, in a statement: `add column paid ${whole} not null`.
 * Everything else in it is in words that both understand.
 */
export const whole = word(({ schema }) => schema.whole);
export const fraction = word(({ schema }) => schema.fraction);
export const bytes = word(({ schema }) => schema.bytes);
/** `note_id ${numberedKey}` */
export const numberedKey = word(({ schema }) => schema.numberedKey);
/** `create table notes (…) ${tableEnd}` */
export const tableEnd = word(({ schema }) => schema.tableEnd);

type AnyDb = Kysely<unknown>;

/** What follows from a row that was written; the trigger's event comes after it. */
export function addTrigger(db: AnyDb, trigger: TriggerText): Promise<void> {
  return carryOut(db, (schema) => schema.trigger(trigger));
}

/** No row of a table is changed or deleted any more. */
export function makeAppendOnly(db: AnyDb, table: string): Promise<void> {
  return carryOut(db, (schema) => schema.appendOnly(table));
}

/** Renews the checksums of a table, where the engine's rows have any. */
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
  // The compiler of the connection knows which engine it is.
  word(({ schema }: EngineTexts) => {
    statements.push(...write(schema));
    return "";
  }).compile(db);
  for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement));
}
