import { sql } from "kysely";
import type { FoundTable, TableTools } from "../moving/table-facts.ts";

export const POSTGRES_TABLES: TableTools = {
  async findTables(db) {
    const { rows } = await sql<FoundTable>`
      select r.relname as name,
        (select json_agg(json_build_object('name', a.attname,
            'type', format_type(a.atttypid, null)))
          from pg_attribute a where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped)
          as columns,
        coalesce((select json_agg(a.attname order by c.place) from pg_constraint k
          cross join unnest(k.conkey) with ordinality c (number, place)
          join pg_attribute a on a.attrelid = r.oid and a.attnum = c.number
          where k.conrelid = r.oid and k.contype = 'p'), '[]') as key,
        (select a.attname from pg_attribute a where a.attrelid = r.oid and a.attidentity = 'd')
          as numbered,
        coalesce((select json_agg(distinct f.relname) from pg_constraint k
          join pg_class f on f.oid = k.confrelid
          where k.conrelid = r.oid and k.contype = 'f'), '[]') as "references"
      from pg_class r
      where r.relkind = 'r' and r.relnamespace = current_schema()::regnamespace`.execute(db);
    return rows.map((table) => ({ ...table, numbered: table.numbered ?? undefined }));
  },
  byBytes: ' collate "C"',
  async readLast(db, table, column) {
    const { rows: found } = await sql<{ sequence: string }>`
      select pg_get_serial_sequence(${table}, ${column}) as sequence`.execute(db);
    const { rows } = await sql<{ last: number }>`
      select case when is_called then last_value else 0 end as last
      from ${sql.raw(found[0]?.sequence ?? "")}`.execute(db);
    return rows[0]?.last ?? 0;
  },
  async writeLast(tx, table, column, last) {
    if (last === 0) return;
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}),
      cast(${last} as bigint))`.execute(tx);
  },
  async withoutTriggers(tx, tables, work) {
    for (const table of tables) {
      await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx);
    }
    const value = await work();
    for (const table of tables) {
      await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx);
    }
    return value;
  },
  async complete(tx) {
    // Updates the statistics, so that the next audit is not planned for empty tables.
    await sql`analyze`.execute(tx);
  },
  placeholder: (index) => `$${index}`,
};
