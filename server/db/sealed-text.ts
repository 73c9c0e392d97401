import { type RawBuilder, sql } from "kysely";
import { aroundOpened } from "./engine-words.ts";

/**
 * Stands in a query for a text that is stored encrypted, with the sealer that `keepSealed` gave the
 * connections: in SQLite a function does it, in PostgreSQL the connection.
 */
export class SealedText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A text to be written encrypted. Fails where the key cannot be used. */
export function sealedText(text: string): RawBuilder<string> {
  // Kysely hands a value that it does not know on to the compiler as it is.
  return sql<string>`${new SealedText(text)}`;
}

/**
 * A column that was written so, in clear again; one that was written in clear as it is. Null when the
 * key it was encrypted with is missing.
 */
export function openedText(column: string): RawBuilder<string | null> {
  return sql<string | null>`${aroundOpened[0]}${sql.ref(column)}${aroundOpened[1]}`;
}

/**
 * Opens what a column of sealed texts holds. JSON is text of before they were sealed.
 * @returns null where the key is not the one
 */
export function openSealed(
  stored: string,
  sealer: { open(sealed: string): string },
): string | null {
  if (stored.startsWith("{")) return stored;
  try {
    return sealer.open(stored);
  } catch {
    return null;
  }
}
