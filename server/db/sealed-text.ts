import { type RawBuilder, sql } from "kysely";
import type { Sealer } from "../lib/sealer.ts";
import { type Db, getConnections } from "./database.ts";

/** A text to be written encrypted, with the sealer that `keepSealed` gave the connection. */
export function sealedText(text: string): RawBuilder<string> {
  return sql<string>`seal_text(${text})`;
}

/**
 * A column that was written so, in clear again; one that was written in clear as it is. Null when the
 * key it was encrypted with is missing.
 */
export function openedText(column: string): RawBuilder<string | null> {
  return sql<string | null>`open_text(${sql.ref(column)})`;
}

/**
 * Lets statements of this database write texts encrypted and read them again: `seal_text(text)`,
 * which fails where the key cannot be used, and `open_text(text)`, which is null where it is not the
 * one, and leaves alone what JSON was written in clear.
 */
export function keepSealed(db: Db, sealer: Pick<Sealer, "seal" | "open">): void {
  for (const sqlite of getConnections(db).sqlite) {
    sqlite.function("seal_text", (text: unknown) => sealer.seal(String(text)));
    sqlite.function("open_text", (text: unknown) => {
      if (typeof text !== "string" || text.startsWith("{")) return text as string | null;
      try {
        return sealer.open(text);
      } catch {
        return null;
      }
    });
  }
}
