import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.ts";

/** An open database, for reading. Reading functions take `Db | Tx`. */
export type Db = Kysely<Tables>;

/** A running transaction: writing functions take a `Tx` and nothing else. */
export type Tx = Transaction<Tables>;
