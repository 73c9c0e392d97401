import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.ts";

/** An open database, for reading. Functions that read take `Db | Tx`. */
export type Db = Kysely<Tables>;

/** A running transaction. Functions that write take only a `Tx`. */
export type Tx = Transaction<Tables>;
