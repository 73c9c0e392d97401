import { type RawBuilder, sql } from "kysely";
import { aroundOpened } from "./engine-words.ts";

/**
 * Placeholder in a query for a text that is stored encrypted, with the sealer given to
 * `keepSealed`. A SQLite function or the connection to PostgreSQL encrypts the text.
 */
export class SealedText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Returns SQL for a text that is stored encrypted. The query fails if the key cannot be used. */
export function sealedText(text: string): RawBuilder<string> {
  // Kysely passes an unknown value to the compiler unchanged.
  return sql<string>`${new SealedText(text)}`;
}

/**
 * Returns SQL that selects and decrypts a column of encrypted texts. A text whose key is missing
 * becomes null. A text that was stored without encryption is unchanged.
 */
export function openedText(column: string): RawBuilder<string | null> {
  return sql<string | null>`${aroundOpened[0]}${sql.ref(column)}${aroundOpened[1]}`;
}

/**
 * Decrypts a value of a column of encrypted texts. JSON was stored before the column was encrypted,
 * and is returned unchanged.
 * @returns null if the value was encrypted with another key
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
