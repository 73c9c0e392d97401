import type { Sealer } from "../../lib/sealer.ts";
import { openSealed, SealedText } from "../sealed-text.ts";

/** What a column of sealed texts begins with where a query asks for it in clear. No text of ours has it. */
export const SEALED_MARK = "\uE5EA sealed: ";

type Seals = Pick<Sealer, "seal" | "open">;

/** The values as they are sent: those to be sealed are. @throws SealError when the key cannot be used */
export function sealValues(values: readonly unknown[], sealer: Seals | undefined): unknown[] {
  return values.map((value) =>
    value instanceof SealedText ? requireSealer(sealer).seal(value.text) : value,
  );
}

/** Opens, in the rows that answer a statement, what it asked for in clear. */
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
