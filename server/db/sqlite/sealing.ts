import type SQLite from "better-sqlite3";
import type { Sealer } from "../../lib/sealer.ts";
import { openSealed } from "../sealed-text.ts";

/**
 * Lets statements of a connection write texts encrypted and read them again: `seal_text(text)`, which
 * fails where the key cannot be used, and `open_text(text)`, which is null where it is not the one.
 */
export function addSealing(database: SQLite.Database, sealer: Pick<Sealer, "seal" | "open">): void {
  database.function("seal_text", (text: unknown) => sealer.seal(String(text)));
  database.function("open_text", (text: unknown) =>
    typeof text === "string" ? openSealed(text, sealer) : (text as null),
  );
}
