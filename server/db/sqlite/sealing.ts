import type SQLite from "better-sqlite3";
import type { Sealer } from "../../lib/sealer.ts";
import { openSealed } from "../sealed-text.ts";

/**
 * Adds functions for encryption to a connection. `seal_text(text)` fails if the key cannot be used.
 * `open_text(text)` is null if the text was encrypted with another key.
 */
export function addSealing(database: SQLite.Database, sealer: Pick<Sealer, "seal" | "open">): void {
  database.function("seal_text", (text: unknown) => sealer.seal(String(text)));
  database.function("open_text", (text: unknown) =>
    typeof text === "string" ? openSealed(text, sealer) : (text as null),
  );
}
