import { PostgresDialect, type QueryCompiler } from "kysely";
import { Pool, types } from "pg";
import { PostgresWordsCompiler } from "./query-compiler.ts";

/** Numbers of PostgreSQL's types for whole numbers beyond 32 bits, and for sums of them. */
const INT8 = 20;
const NUMERIC = 1700;

/** A number that JavaScript has exactly. @throws RangeError for another: it would be rounded silently */
function readInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`${text} is not a whole number up to 2^53`);
  }
  return value;
}

/** Kysely's PostgreSQL with our words, and with all numbers as SQLite gives them. */
export class PostgresEngineDialect extends PostgresDialect {
  /** @param address as in `postgres://user:password@host:port/database` */
  constructor(address: string, connections: number) {
    const pool = new Pool({
      connectionString: address,
      max: connections,
      types: {
        getTypeParser: (type: number, format?: "text" | "binary"): unknown =>
          type === INT8 || type === NUMERIC ? readInteger : types.getTypeParser(type, format),
      },
    });
    super({ pool });
  }

  override createQueryCompiler(): QueryCompiler {
    return new PostgresWordsCompiler();
  }
}
