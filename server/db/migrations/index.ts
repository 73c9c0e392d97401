import type { Migration } from "kysely/migration";
import { migration001 } from "./001-foundation.ts";

/** In order, frozen once released: a change is a new migration. */
export const migrations: Record<string, Migration> = {
  "001-foundation": migration001,
};
