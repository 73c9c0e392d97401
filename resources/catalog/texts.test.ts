import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const TABLES = ["voucher-instructions.csv", "brand-steps.csv", "promos-texts.csv"];
const rows = TABLES.flatMap((table) =>
  readFileSync(join(import.meta.dirname, "tables", table), "utf8").split("\n"),
);

function rowsIn(language: string): string[] {
  return rows.filter((row) => new RegExp(`^[A-Z_]+,${language},`).test(row));
}

/** These texts appear on receipts and must follow the style of the till's own texts. */
it.each([
  ["en", /\d %|\} %|pays in|value that is left/],
  ["es", /\} %|añad|cupón|(código|tarjeta|enlace|y) paga en|\b[Pp]ulse\b|[Cc]ompruebe/],
  ["fr", /'| [:;!?»%]|« |paie en/],
  ["pt", /\} %|ecrã|contador|[Ii]ntroduza|\bprima\b|paga em|outro tanto/],
  ["ar", /اً|“|”/],
])("texts in %s use the words and signs of the till", (language, wrong) => {
  expect(rowsIn(language).length).toBeGreaterThan(20);
  expect(rowsIn(language).filter((row) => wrong.test(row))).toEqual([]);
});
