/**
 * Inserts the rows of a sale one by one, without a gateway: the maximum rate of the database
 * server.
 */
import type { Pool } from "pg";

const TABLES = `select table_name as name from information_schema.tables
  where table_schema = 'public' and table_type = 'BASE TABLE'`;

export type RowCounts = ReadonlyMap<string, number>;

export async function countRows(database: Pool): Promise<RowCounts> {
  const { rows } = await database.query<{ name: string }>(TABLES);
  const counts = new Map<string, number>();
  for (const { name } of rows) {
    const { rows: counted } = await database.query(`select count(*)::int as rows from "${name}"`);
    counts.set(name, counted[0].rows);
  }
  return counts;
}

interface Insert {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * @param before number of rows of each table before the sales; `after` is the number after `sales`
 * sales
 * @returns an insert for each row of a sale, into tables of the same columns without keys and
 * indexes
 */
export async function repeatRows(
  database: Pool,
  before: RowCounts,
  after: RowCounts,
  sales: number,
): Promise<Insert[]> {
  await database.query("drop schema if exists bound cascade; create schema bound");
  const inserts: Insert[] = [];
  for (const [table, count] of after) {
    const rowsOfSale = Math.round((count - (before.get(table) ?? 0)) / sales);
    if (rowsOfSale === 0) continue;
    await database.query(`create table bound."${table}" (like public."${table}")`);
    const { rows, fields } = await database.query(`select * from public."${table}" limit 1`);
    const columns = fields.map(({ name }) => `"${name}"`).join(", ");
    const places = fields.map((_, n) => `$${n + 1}`).join(", ");
    const insert = {
      name: table,
      text: `insert into bound."${table}" (${columns}) values (${places})`,
      values: fields.map(({ name }) => rows[0][name]),
    };
    inserts.push(...Array.from({ length: rowsOfSale }, () => insert));
  }
  return inserts;
}

/** @returns rows per second that the connections insert within 1.5 s, each in its own commit */
export async function measureInserts(
  database: Pool,
  inserts: readonly Insert[],
  connections: number,
): Promise<number> {
  const began = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < began + 1_500) {
        const insert = inserts[count++ % inserts.length];
        if (insert !== undefined) await database.query({ ...insert, values: [...insert.values] });
      }
    }),
  );
  return (count * 1_000) / (performance.now() - began);
}
