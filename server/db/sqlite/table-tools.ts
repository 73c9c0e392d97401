import { sql } from "kysely";
import { renewChecksums } from "../checksums.ts";
import type { FoundTable, TableTools } from "../moving/table-facts.ts";

interface Found {
  name: string;
  columns: string;
  key: string;
  references: string;
}

export const SQLITE_TABLES: TableTools = {
  async findTables(db) {
    const { rows } = await sql<Found>`
      select m.name, (select json_group_array(json_object('name', c.name, 'type', c.type))
          from pragma_table_info(m.name) c) as columns,
        (select json_group_array(name) from (
          select name from pragma_table_info(m.name) where pk > 0 order by pk)) as key,
        (select json_group_array(distinct "table") from pragma_foreign_key_list(m.name))
          as "references"
      from sqlite_schema m where m.type = 'table' and m.name not like 'sqlite_%'`.execute(db);
    return rows.map(({ name, ...texts }) => {
      const columns = JSON.parse(texts.columns) as FoundTable["columns"];
      const key = JSON.parse(texts.key) as string[];
      const [first = "", ...others] = key;
      const type = columns.find((column) => column.name === first)?.type;
      // The numbered key of a table is SQLite's row id.
      const isNumbered = others.length === 0 && type?.toLowerCase() === "integer";
      const references = JSON.parse(texts.references) as string[];
      return { name, columns, key, numbered: isNumbered ? first : undefined, references };
    });
  },
  byBytes: "",
  async readLast(db, table) {
    const { rows } = await sql<{ seq: number }>`
      select seq from sqlite_sequence where name = ${table}`.execute(db);
    return rows[0]?.seq ?? 0;
  },
  async writeLast(tx, table, _column, last) {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(tx);
    if (last > 0) await sql`insert into sqlite_sequence values (${table}, ${last})`.execute(tx);
  },
  async withoutTriggers(tx, _tables, work) {
    const { rows } = await sql<{ name: string; sql: string }>`
      select name, sql from sqlite_schema where type = 'trigger' order by name`.execute(tx);
    for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(tx);
    const value = await work();
    for (const trigger of rows) await sql.raw(trigger.sql).execute(tx);
    return value;
  },
  async complete(tx) {
    await renewChecksums(tx);
    // The commit count never repeats, so that a rollback of the import is detected.
    await sql`update commit_count set
      commits = coalesce((select max(commits) from program_versions), 0) + 1,
      transactions = (select count(*) from transactions)`.execute(tx);
  },
  placeholder: () => "?",
};
