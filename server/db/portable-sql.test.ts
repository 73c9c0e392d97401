import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryCompiler,
  type RawBuilder,
  sql,
} from "kysely";
import { describe, expect, it } from "vitest";
import {
  indexedBy,
  inserted,
  isJson,
  joinInOrder,
  jsonField,
  jsonItems,
  jsonLength,
  jsonTexts,
  lastInserted,
  randomUpTo,
  withoutIndex,
} from "./engine-words.ts";
import { PostgresWordsCompiler } from "./postgres/query-compiler.ts";
import { PlannedOnceCompiler } from "./sqlite/query-compiler.ts";

const SERVER = join(import.meta.dirname, "..");

/** What one of the engines does not understand, and what both do. */
const FOREIGN: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\biif\(/, "case when … then … else … end, or filter (where …)"],
  [/\bgroup_concat\(/, "string_agg(… order by …)"],
  [/\bifnull\(/, "coalesce"],
  [/\bjson_(?:extract|valid|each|tree|array_length)\(/, "engine-words.ts"],
  [/->>? '\$/, "jsonField of engine-words.ts"],
  [/\b(?:indexed by|cross join|not indexed)\b/, "engine-words.ts"],
  [/[`(]\+[a-z]/, "withoutIndex of engine-words.ts"],
  [/\b(?:last_insert_)?rowid\b(?! counts)/, "engine-words.ts"],
  [/\bpragma[ _]/, "a capability of the engine"],
  [/\b(?:strftime|unixepoch|julianday|datetime)\('/, "milliseconds, as all columns have them"],
  [/\b(?:insert or (?:ignore|replace)|replace into)\b/, "on conflict"],
  [/\bcollate nocase\b/, "a column's own collation"],
  [/\bis not (?:'|[a-z]\.)/, "is distinct from"],
  [/\b(?:sum|total)\((?!case )[^()]* (?:[<>]=?|=|is|like) /, "count(*) filter (where …)"],
  [/\bcast\([^()]* as real\)/, "double precision"],
  [/^(?!.*\b(?:import|export)\b)[^"]*\bas [a-z]+[A-Z]/, "an alias in double quotes"],
  [/::(?:text|bigint|int|jsonb?|numeric)\b/, "cast(… as …)"],
  [/\bjsonb_\w+\(/, "engine-words.ts"],
  [/\b(?:distinct on|ilike|for update|for no key update|skip locked|ctid)\b/, "db/postgres"],
];

/** These work on SQLite's files: where the engine is another, the whole capability is. */
const OF_FILES = /^modules[\\/]backups[\\/]|^background[\\/]/;

describe("the SQL of the modules", () => {
  const files = ["modules", "jobs", "background", "http", "admin"]
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: SERVER }))
    .concat(join("db", "figure-sums.ts"), join("db", "changes.ts"))
    .filter((file) => !file.endsWith(".test.ts") && !OF_FILES.test(file));

  it("has no words that only one engine understands", () => {
    expect(files.length).toBeGreaterThan(300);
    const found = files.flatMap((file) => {
      const lines = readFileSync(join(SERVER, file), "utf8").split("\n");
      return lines.flatMap((line, index) => {
        if (/^\s*(?:\*|\/[/*])/.test(line)) return [];
        return FOREIGN.filter(([words]) => words.test(line)).map(
          ([, instead]) => `${file}:${index + 1} ${line.trim()} (instead: ${instead})`,
        );
      });
    });
    expect(found).toEqual([]);
  });

  it.each([
    "select sum(iif(kind = 'CASH', amount, 0)) from t",
    "select min(created_at) as oldestAt",
    "where a.x is not b.x",
    "  sql`+type = 'DEBIT'`",
    "  sql`+l.product_type`",
    "select coalesce(sum(run_at <= 5), 0)",
    "select json_extract(report_json, '$.x')",
    "from sales s indexed by sales_newest",
    "select id::text",
  ])("would be found: %s", (line) => {
    expect(FOREIGN.filter(([words]) => words.test(line))).not.toEqual([]);
  });
});

/** A statement as an engine is asked it. */
function written(query: RawBuilder<unknown>, compiler: QueryCompiler): string {
  const db = new Kysely<object>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => compiler,
    },
  });
  return query.compile(db).sql;
}

describe("what the engines say differently", () => {
  it.each([
    [indexedBy("sales_newest"), "indexed by sales_newest", ""],
    [joinInOrder, "cross join", "join"],
    [withoutIndex, "+", ""],
    [jsonItems([[1, 2]]), "json_each(+?)", "jsonb_array_elements(cast($1 as jsonb))"],
    [jsonTexts(["a"]), "json_each(+?)", "jsonb_array_elements_text(cast($1 as jsonb))"],
    [
      jsonField("p.x_json", "a", "b"),
      "json_extract(p.x_json, '$.a.b')",
      "(case when p.x_json is json then cast(p.x_json as jsonb) #>> '{a,b}' end)",
    ],
    [
      jsonLength("x_json", "a"),
      "json_array_length(x_json, '$.a')",
      "jsonb_array_length(cast(x_json as jsonb) #> '{a}')",
    ],
    [isJson("x_json"), "json_valid(x_json)", "x_json is json"],
    [lastInserted("t", "id"), "last_insert_rowid()", "currval(pg_get_serial_sequence('t', 'id'))"],
    [randomUpTo(7), "random() & 7", "random(cast(0 as bigint), cast(7 as bigint))"],
    [inserted, "rowid", "inserted"],
  ])("is written in each one's words: %#", (query, ofSqlite, ofPostgres) => {
    expect(written(query, new PlannedOnceCompiler())).toBe(ofSqlite);
    expect(written(query, new PostgresWordsCompiler())).toBe(ofPostgres);
  });

  it("stands beside values, which keep their places", () => {
    const query = sql`select ${1} from t ${indexedBy("t_newest")} where a = ${2}`;
    expect(written(query, new PostgresWordsCompiler())).toBe("select $1 from t  where a = $2");
  });
});
