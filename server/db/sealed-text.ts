import { type RawBuilder, sql } from "kysely";

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
