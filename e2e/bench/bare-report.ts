/**
 * Lower bound for the duration of a report of all transactions: writes the rows of one statement to
 * a file, at the priority of the report thread. Takes the database and the file; sends the
 * duration.
 */
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { constants, setPriority } from "node:os";
import SQLite from "better-sqlite3";

const CHUNK_CHARACTERS = 65_536;
const [database = "", target = ""] = process.argv.slice(2);
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const began = performance.now();
const sqlite = new SQLite(database, { readonly: true });
const file = openSync(target, "w");
const time = (column: string) =>
  `strftime('%Y-%m-%dT%H:%M:%fZ', t.${column} / 1000.0, 'unixepoch') as ${column}`;
const statement = sqlite
  .prepare<[], (string | number | null)[]>(
    `select t.transaction_id, t.product_type, t.type, t.status, p.offer_id, p.brand, p.country,
      p.recipient, t.amount, t.currency, t.currency_divisor, p.price_base + p.price_fee,
      p.price_currency, p.price_currency_divisor, p.send, p.send_currency, p.send_currency_divisor,
      ${time("created_at")}, ${time("finished_at")}, t.error_code, t.error_message,
      p.fulfilment_json ->> '$.confirmation.externalReferenceId'
    from transactions t left join purchases p using (account_id, environment, transaction_id)
    where t.account_id = 'default' and t.environment = 'test' and t.training = 0
      and t.finished_at >= 0 and t.finished_at < 4e12
    order by t.finished_at, t.transaction_id`,
  )
  .raw();
let text = "";
for (const row of statement.iterate()) {
  text += `${row.join(",")}\r\n`;
  if (text.length < CHUNK_CHARACTERS) continue;
  writeSync(file, text);
  text = "";
}
writeSync(file, text);
fsyncSync(file);
closeSync(file);
sqlite.close();
process.send?.(performance.now() - began);
