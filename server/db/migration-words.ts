import { CompiledQuery, type Kysely } from "kysely";
import { type EngineTexts, type SchemaTexts, type TriggerText, word } from "./engine-words.ts";

/**
 * SQL of a migration that differs between the engines, for use in a statement: `add column paid
 * ${whole} not null`. The rest of the statement must be SQL that both engines understand.
 */
export const whole = word(({ schema }) => schema.whole);
export const fraction = word(({ schema }) => schema.fraction);
export const bytes = word(({ schema }) => schema.bytes);
/** `note_id ${numberedKey}` */
export const numberedKey = word(({ schema }) => schema.numberedKey);
/** `create table notes (…) ${tableEnd}` */
export const tableEnd = word(({ schema }) => schema.tableEnd);
/** `create ${unlogged}table notes`: a crash of the server may empty the table. */
export const unlogged = word(({ schema }) => schema.unlogged);
export const keyedTableEnd = word(({ schema }) => schema.keyedTableEnd);

type AnyDb = Kysely<unknown>;

/**
 * Adds a trigger that writes further rows after a row was written. Its event must be an `after`
 * event.
 */
export function addTrigger(db: AnyDb, trigger: TriggerText): Promise<void> {
  return carryOut(db, (schema) => schema.trigger(trigger));
}

export function makeAppendOnly(db: AnyDb, table: string): Promise<void> {
  return carryOut(db, (schema) => schema.appendOnly(table));
}

/**
 * Recalculates the checksums of a table, if the engine stores checksums.
 * @param before columns of the present checksums. A row that does not match its checksum keeps it,
 * because a new checksum would hide the damage
 */
export function renewChecksumsOf(
  db: AnyDb,
  table: string,
  columns: readonly string[],
  before?: readonly string[],
): Promise<void> {
  return carryOut(db, (schema) => schema.checksums(table, columns, before));
}

async function carryOut(
  db: AnyDb,
  write: (schema: SchemaTexts) => readonly string[],
): Promise<void> {
  const statements: string[] = [];
  // The connection's compiler calls this function with the texts of its engine.
  word(({ schema }: EngineTexts) => {
    statements.push(...write(schema));
    return "";
  }).compile(db);
  for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement));
}
