import type { Sealer } from "../../lib/sealer.ts";
import { openSealed, SealedText } from "../sealed-text.ts";

/**
 * Prefix with which a query marks a column of encrypted texts for decryption. No text
 * of Tillgate contains it.
 */
export const SEALED_MARK = "\uE5EA sealed: ";

type Seals = Pick<Sealer, "seal" | "open">;

/**
 * Encrypts the values that are marked for encryption.
 * @throws SealError if the key cannot be used
 */
export function sealValues(values: readonly unknown[], sealer: Seals | undefined): unknown[] {
  return values.map((value) =>
    value instanceof SealedText ? requireSealer(sealer).seal(value.text) : value,
  );
}

/** Decrypts the columns that a statement marks for decryption, in the rows of its result. */
export function openRows(statement: string, rows: object[], sealer: Seals | undefined): void {
  if (!statement.includes(SEALED_MARK)) return;
  for (const row of rows as Record<string, unknown>[]) {
    for (const [column, value] of Object.entries(row)) {
      if (typeof value !== "string" || !value.startsWith(SEALED_MARK)) continue;
      row[column] = openSealed(value.slice(SEALED_MARK.length), requireSealer(sealer));
    }
  }
}

function requireSealer(sealer: Seals | undefined): Seals {
  if (!sealer) throw new Error("nobody has said how texts are sealed");
  return sealer;
}
