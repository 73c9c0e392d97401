import { WantedLine } from "../../contract/pos/sale-lines.ts";
import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { readColumn } from "../../db/stored-json.ts";
import type { Transactor } from "../../db/transactor.ts";
import { pause } from "../../lib/clock.ts";
import { type CatalogService, costOf } from "../catalog/index.ts";
import type { PurchaseService } from "../purchases/index.ts";
import { prepareLine } from "../sales/index.ts";
import { type BulkLineRow, changeLine, listInState } from "./bulk-line-store.ts";

interface Deps {
  db: Db;
  transactor: Transactor;
  catalog: CatalogService;
  purchases: PurchaseService;
}

const LINES_AT_ONCE = 50;

/** Notes the prices of now beside those that were confirmed, for the owner who lets the run go on (rules#bulk-prices). */
export async function noteNewPrices(deps: Deps, run: Scope & { runId: string }): Promise<void> {
  for (let after = 0; ; ) {
    const lines = await listInState(deps.db, run, "READY", { after, limit: LINES_AT_ONCE });
    const last = lines.at(-1);
    if (!last) return;
    const changed: { line: number; change: Partial<BulkLineRow> }[] = [];
    for (const line of lines) {
      const change = await changeOf(deps, run, line);
      if (change) changed.push({ line: line.line, change });
    }
    await deps.transactor.transact(run.accountId, async (tx) => {
      for (const { line, change } of changed) await changeLine(tx, run, line, "READY", change);
    });
    after = last.line;
    await pause();
  }
}

/** What has changed of a line; undefined where nothing has, or it cannot be sold, which its turn will say. */
async function changeOf(
  deps: Deps,
  run: Scope & { runId: string },
  { line, input_json, price, price_now, transaction_id }: BulkLineRow,
): Promise<Partial<BulkLineRow> | undefined> {
  const at = { table: "bulk_lines", column: "input_json", row: `${run.runId} ${line}` } as const;
  const wanted = readColumn(WantedLine, input_json ?? "", at);
  try {
    const transactionId = transaction_id ?? "";
    const { quote } = await prepareLine(deps, run, { ...wanted, transactionId });
    const now = quote.priceBase + quote.priceFee;
    if (now === (price_now ?? price)) return undefined;
    return { price_now: now === price ? null : now, cost: costOf(quote) };
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
