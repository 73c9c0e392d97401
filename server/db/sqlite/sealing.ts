import type SQLite from "better-sqlite3";
import type { Sealer } from "../../lib/sealer.ts";
import { openSealed } from "../sealed-text.ts";

/**
 * Adds functions for encryption to a connection: `seal_text(text)`, which fails if the key cannot be
 * used, and `open_text(text)`, which is null if the text has another key.
 */
export function addSealing(database: SQLite.Database, sealer: Pick<Sealer, "seal" | "open">): void {
  database.function("seal_text", (text: unknown) => sealer.seal(String(text)));
  database.function("open_text", (text: unknown) =>
    typeof text === "string" ? openSealed(text, sealer) : (text as null),
  );
}
