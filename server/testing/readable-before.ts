import { sql } from "kysely";
import type { Db } from "../db/database.ts";

export interface Relied {
  readonly columns: ReadonlyMap<string, Column>;
  /**
   * Constraints that can refuse a write: checks, keys, references, unique indexes and triggers that
   * raise an exception. Maps `table: name` to the columns of a check.
   */
  readonly refusals: ReadonlyMap<string, readonly string[]>;
}

interface Column {
  readonly type: string;
  readonly isOptional: boolean;
}

export async function readRelied(db: Db): Promise<Relied> {
  const { rows: columns } = await sql<{ name: string; type: string; isOptional: boolean }>`
    select table_name || '.' || column_name as name, data_type as type,
      is_nullable = 'YES' or column_default is not null or is_identity = 'YES' as "isOptional"
    from information_schema.columns where table_schema = current_schema()`.execute(db);
  const { rows: refusals } = await sql<{ name: string; columns: string[] }>`
    select conrelid::regclass || ': ' || conname as name,
      array(select conrelid::regclass || '.' || attname from pg_attribute
        where contype = 'c' and attrelid = conrelid and attnum = any (conkey)) as columns
      from pg_constraint
      where connamespace = current_schema()::regnamespace and contype <> 'n'
    union select indrelid::regclass || ': ' || indexrelid::regclass, array[]::text[] from pg_index
      where indisunique and indrelid::regclass::text in (select tablename from pg_tables
        where schemaname = current_schema())
    union select tgrelid::regclass || ': ' || tgname, array[]::text[]
      from pg_trigger join pg_proc f on f.oid = tgfoid
      where not tgisinternal and f.prosrc ilike '%raise exception%'`.execute(db);
  return {
    columns: new Map(columns.map(({ name, ...column }) => [name, column])),
    refusals: new Map(refusals.map(({ name, columns: checked }) => [name, checked])),
  };
}

/** Lists the changes of a migration that break a running process of the previous version. */
export function listStumblingBlocks(before: Relied, after: Relied): string[] {
  const known = new Set([...before.columns.keys()].map(tableOf));
  const blocks: string[] = [];
  for (const [name, { type, isOptional }] of before.columns) {
    const now = after.columns.get(name);
    if (!now) blocks.push(`${name} is gone`);
    else if (now.type !== type) blocks.push(`${name} is ${now.type} and was ${type}`);
    else if (isOptional && !now.isOptional) blocks.push(`${name} must be written now`);
  }
  for (const [name, { isOptional }] of after.columns) {
    const isNew = known.has(tableOf(name)) && !before.columns.has(name);
    if (isNew && !isOptional) blocks.push(`${name} must be written, which nobody did`);
  }
  for (const [refusal, checked] of after.refusals) {
    const [table = ""] = refusal.split(":");
    // A check of only new columns is harmless, because their defaults pass the check.
    const isOfNewColumns = checked.length > 0 && !checked.some((name) => before.columns.has(name));
    if (known.has(table) && !before.refusals.has(refusal) && !isOfNewColumns) {
      blocks.push(`${refusal} refuses what was written before`);
    }
  }
  return blocks;
}

function tableOf(column: string): string {
  return column.split(".")[0] ?? "";
}
