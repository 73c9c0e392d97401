import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from "kysely";
import type { Db, Tx } from "./database.ts";
import { findDirect } from "./sqlite/direct-connection.ts";
import { PlannedOnceCompiler } from "./sqlite/query-compiler.ts";
import type { Tables } from "./tables.ts";

/** Stands for a value that is given when the query runs. */
class Placeholder {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Where a parameter's value goes, as if it were there already. */
export type Param<Params> = <Name extends keyof Params>(name: Name) => Params[Name];

/** Builds queries, and runs none. */
const builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new PlannedOnceCompiler(),
  },
});

/**
 * A query that is built and compiled once, at its first use: what a sale asks is asked thousands of
 * times, and building a query takes longer than running it.
 * @param build builds it with Kysely, `param("name")` in the place of each value. Called once: nothing
 *   in it may depend on the values
 * @returns runs it with values
 */
export function compileOnce<Params extends object, Row>(
  build: (db: Kysely<Tables>, param: Param<Params>) => Compilable<Row>,
): (db: Db | Tx, values: Params) => Promise<QueryResult<Row>> {
  let compiled: Compiled<Params, Row> | undefined;
  return async (db, values) => {
    compiled ??= compile(build);
    const { names, constants } = compiled;
    const parameters = constants.slice();
    for (const [index, name] of names) parameters[index] = values[name];
    const direct = findDirect(db);
    return direct
      ? direct.run(compiled.query.sql, parameters)
      : db.executeQuery({ ...compiled.query, parameters });
  };
}

interface Compiled<Params, Row> {
  query: CompiledQuery<Row>;
  /** Its values; undefined in the places of those that are given when it runs. */
  constants: unknown[];
  names: readonly (readonly [place: number, name: keyof Params])[];
}

function compile<Params extends object, Row>(
  build: (db: Kysely<Tables>, param: Param<Params>) => Compilable<Row>,
): Compiled<Params, Row> {
  // What Kysely is given as a value it hands on as it is, whatever its type.
  const query = build(builder, (name) => new Placeholder(name) as never).compile();
  const names = query.parameters.flatMap((value, place) =>
    value instanceof Placeholder ? [[place, value.name as keyof Params] as const] : [],
  );
  const constants = query.parameters.map((value) =>
    value instanceof Placeholder ? undefined : value,
  );
  return { query, constants, names };
}
