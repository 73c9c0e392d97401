import { type Kysely, sql } from "kysely";

/**
 * Description of each table by its name, one fact per line. Both database engines have the same
 * description.
 */
export type DescribedSchema = Record<string, string[]>;

type AnyDb = Kysely<never>;

interface Column {
  tbl: string;
  name: string;
  type: string;
  required: number | boolean;
  standard: string | null;
}

interface Key {
  tbl: string;
  /** "primary", "unique", or the name of the referenced table. */
  kind: string;
  columns: string;
}

interface Index {
  tbl: string;
  name: string;
  unique: number | boolean;
  columns: string;
}

const CLASSES: Record<string, string> = {
  bigint: "integer",
  bytea: "blob",
  "double precision": "real",
};

function viewColumn({ name, type, required, standard }: Column): string {
  const value = standard === null ? "" : ` default ${standard.replace(/::\w+( \w+)?$/, "")}`;
  const kind = type.toLowerCase();
  return `column ${name} ${CLASSES[kind] ?? kind}${required ? " not null" : ""}${value}`;
}

function describe(columns: readonly Column[], keys: readonly Key[], indexes: readonly Index[]) {
  const facts: DescribedSchema = {};
  const add = (table: string, fact: string) => {
    facts[table] ??= [];
    facts[table].push(fact);
  };
  for (const column of columns) add(column.tbl, viewColumn(column));
  for (const { tbl, kind, columns: of } of keys) add(tbl, `${kind} (${of})`);
  for (const { tbl, name, unique, columns: of } of indexes) {
    add(tbl, `${unique ? "unique " : ""}index ${name} (${of})`);
  }
  return facts;
}

export async function describeSqlite(db: AnyDb): Promise<DescribedSchema> {
  const own = sql`m.type = 'table' and m.name not like 'sqlite_%' and m.name not like 'kysely_%'`;
  const columns = await sql<Column>`
    select m.name as tbl, c.name, c.type, c."notnull" or c.pk > 0 as required, c.dflt_value as standard
    from sqlite_schema m join pragma_table_xinfo(m.name) c where ${own}`.execute(db);
  const keys = await sql<Key>`
    select m.name as tbl, 'primary' as kind, (select group_concat(name, ', ') from (
      select name from pragma_table_xinfo(m.name) where pk > 0 order by pk)) as columns
    from sqlite_schema m where ${own}
    union all
    select m.name, 'unique', (select group_concat(name, ', ') from (
      select name from pragma_index_info(i.name) order by seqno))
    from sqlite_schema m join pragma_index_list(m.name) i where ${own} and i.origin = 'u'
    union all
    select m.name, 'reference to ' || f."table" || ' ' || f.on_delete,
      group_concat(f."from", ', ' order by f.seq)
    from sqlite_schema m join pragma_foreign_key_list(m.name) f where ${own}
    group by m.name, f.id`.execute(db);
  const indexes = await sql<Index>`
    select m.name as tbl, i.name, i."unique", (select group_concat(said, ', ') from (
      select coalesce(x.name, 'expression') || case when x.desc then ' desc' else '' end as said
      from pragma_index_xinfo(i.name) x where x.key order by x.seqno)) as columns
    from sqlite_schema m join pragma_index_list(m.name) i where ${own} and i.origin = 'c'`.execute(
    db,
  );
  return describe(columns.rows, keys.rows, indexes.rows);
}

const ACTIONS = sql`case k.confdeltype when 'a' then 'NO ACTION' when 'c' then 'CASCADE'
  when 'n' then 'SET NULL' else 'RESTRICT' end`;

export async function describePostgres(db: AnyDb): Promise<DescribedSchema> {
  const columns = await sql<Column>`
    select table_name as tbl, column_name as name, data_type as type, is_nullable = 'NO' as required,
      column_default as standard
    from information_schema.columns
    where table_schema = 'public' and column_name <> 'inserted'
      and table_name not like 'kysely_%'
      and table_name not in (select table_name from information_schema.views)`.execute(db);
  const keys = await sql<Key>`
    select r.relname as tbl, case k.contype when 'p' then 'primary' when 'u' then 'unique'
      else 'reference to ' || f.relname || ' ' || ${ACTIONS} end as kind,
      (select string_agg(a.attname, ', ' order by c.place)
        from unnest(k.conkey) with ordinality c (number, place)
        join pg_attribute a on a.attrelid = r.oid and a.attnum = c.number) as columns
    from pg_constraint k join pg_class r on r.oid = k.conrelid
    left join pg_class f on f.oid = k.confrelid
    where k.contype in ('p', 'u', 'f') and r.relnamespace = 'public'::regnamespace
      and r.relname not like 'kysely_%'`.execute(db);
  const indexes = await sql<Index>`
    select t.relname as tbl, r.relname as name, i.indisunique as "unique",
      (select string_agg(coalesce(a.attname, 'expression')
          || case when i.indoption[c.place - 1] & 1 = 1 then ' desc' else '' end, ', '
          order by c.place)
        from unnest(i.indkey) with ordinality c (number, place)
        left join pg_attribute a on a.attrelid = t.oid and a.attnum = c.number) as columns
    from pg_index i join pg_class r on r.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where t.relnamespace = 'public'::regnamespace
      and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid
        and k.contype in ('p', 'u'))`.execute(db);
  return describe(columns.rows, keys.rows, indexes.rows);
}

export async function listTriggers(db: AnyDb, engine: "sqlite" | "postgres"): Promise<string[]> {
  const all =
    engine === "sqlite"
      ? sql<{ said: string }>`select name || ' on ' || tbl_name as said from sqlite_schema
          where type = 'trigger'`
      : sql<{ said: string }>`select t.tgname || ' on ' || r.relname as said
          from pg_trigger t join pg_class r on r.oid = t.tgrelid where not t.tgisinternal`;
  return (await all.execute(db)).rows.map(({ said }) => said).toSorted();
}
