import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from "kysely";
import { findDirect } from "./direct-connection.ts";
import type { Db, Tx } from "./handles.ts";
import { PostgresWordsCompiler } from "./postgres/query-compiler.ts";
import { SealedText } from "./sealed-text.ts";
import { PlannedOnceCompiler } from "./sqlite/query-compiler.ts";
import type { Tables } from "./tables.ts";

class Placeholder {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Inserts a placeholder that has the type of the parameter's value. */
export type Param<Params> = <Name extends keyof Params>(name: Name) => Params[Name];

/** Creates a query builder that cannot run queries. */
function createBuilder(createQueryCompiler: () => QueryCompiler): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler,
    },
  });
}

const BUILDERS = {
  sqlite: createBuilder(() => new PlannedOnceCompiler()),
  postgres: createBuilder(() => new PostgresWordsCompiler()),
};

type Engine = keyof typeof BUILDERS;

export function engineOf(db: Db | Tx): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? "postgres" : "sqlite";
}

/**
 * Returns a query that is built and compiled at its first use, once per engine. A sale runs the
 * same queries thousands of times, and building a query takes longer than running it.
 * @param build builds the query with Kysely, with `param("name")` for each value. It is called
 * once, so the form of the query must not depend on the values
 * @returns a function that runs the query with values
 */
export function compileOnce<Params extends object, Row>(
  build: (db: Kysely<Tables>, param: Param<Params>) => Compilable<Row>,
): (db: Db | Tx, values: Params) => Promise<QueryResult<Row>> {
  const compiled: { [engine in Engine]?: Compiled<Params, Row> } = {};
  return async (db, values) => {
    const direct = findDirect(db);
    const engine = direct?.engine ?? engineOf(db);
    compiled[engine] ??= compile(build, BUILDERS[engine]);
    const { query, places, constants } = compiled[engine];
    const parameters = constants.slice();
    for (const { index, name, isSealed } of places) {
      const value = values[name];
      parameters[index] = isSealed ? new SealedText(String(value)) : value;
    }
    return direct ? direct.run(query.sql, parameters) : db.executeQuery({ ...query, parameters });
  };
}

interface Compiled<Params, Row> {
  query: CompiledQuery<Row>;
  /**
   * Constant parameters at their positions; undefined at the position of each value that a call
   * passes.
   */
  constants: unknown[];
  places: readonly Place<Params>[];
}

interface Place<Params> {
  index: number;
  name: keyof Params;
  isSealed: boolean;
}

function compile<Params extends object, Row>(
  build: (db: Kysely<Tables>, param: Param<Params>) => Compilable<Row>,
  builder: Kysely<Tables>,
): Compiled<Params, Row> {
  // Kysely passes a value of any type to the compiled query unchanged.
  const query = build(builder, (name) => new Placeholder(name) as never).compile();
  const places = query.parameters.flatMap((value, index) => {
    const isSealed = value instanceof SealedText;
    const given: unknown = isSealed ? value.text : value;
    return given instanceof Placeholder
      ? { index, name: given.name as keyof Params, isSealed }
      : [];
  });
  const constants = [...query.parameters];
  for (const { index } of places) constants[index] = undefined;
  return { query, constants, places };
}
