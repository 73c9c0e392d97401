import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.ts";

/** An open database, to read from. Reading functions take `Db | Tx`. */
export type Db = Kysely<Tables>;

/** A transaction in the hand: writing functions take a `Tx` and nothing else. */
export type Tx = Transaction<Tables>;
