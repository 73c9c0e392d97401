import { Type } from "typebox";
import {
  BulkFault,
  type BulkLine,
  type BulkRun,
  BulkWarning,
} from "../../contract/pos/bulk-runs.ts";
import { WantedLine } from "../../contract/pos/sale-lines.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { readColumn } from "../../db/stored-json.ts";
import { toTimestamp } from "../../lib/clock.ts";
import { formatPhoneNumber } from "../phone-lookup/index.ts";
import { findPurchases } from "../purchases/index.ts";
import { outcomeOf } from "../sales/index.ts";
import type { Shop } from "../shop/index.ts";
import { staffNames } from "../staff/index.ts";
import { getBalances } from "../wallet/index.ts";
import {
  type BulkLineRow,
  type StateSum,
  sumOutcomes,
  sumStates,
  sumUnheld,
} from "./bulk-line-store.ts";
import { type BulkRunRow, findSoldBefore } from "./bulk-run-store.ts";

const NONE: Omit<StateSum, "state"> = {
  lines: 0,
  warned: 0,
  repriced: 0,
  price: 0,
  priceNow: 0,
  repricedBefore: 0,
  repricedNow: 0,
  cost: 0,
};

/** A run and how far it is, of one moment. */
export async function viewRun(
  snapshot: Db | Tx,
  scope: Scope,
  row: BulkRunRow,
  shop: Pick<Shop, "currency" | "currencyDivisor">,
): Promise<BulkRun> {
  const { run_id: runId, staff_id: staffId } = row;
  const run = { ...scope, runId };
  const states = await sumStates(snapshot, run);
  const of = (state: StateSum["state"]) => states.find((one) => one.state === state) ?? NONE;
  const ready = of("READY");
  const names = await staffNames(snapshot, scope.accountId, [staffId]);
  const isOpen = row.ended_at === null;
  const before = row.confirmed_at === null ? await findSoldBefore(snapshot, scope, row) : undefined;
  return {
    runId,
    name: row.name,
    state: row.state,
    ...(row.pause !== null && { pause: row.pause }),
    createdAt: toTimestamp(row.created_at),
    ...(row.confirmed_at !== null && { confirmedAt: toTimestamp(row.confirmed_at) }),
    ...(row.ended_at !== null && { endedAt: toTimestamp(row.ended_at) }),
    staff: { staffId, name: names.get(staffId) ?? "" },
    ...(row.tender !== null && { tender: row.tender }),
    currency: shop.currency,
    currencyDivisor: shop.currencyDivisor,
    lines: states.reduce((sum, { lines }) => sum + lines, 0),
    unchecked: of("UNCHECKED").lines,
    faulty: of("FAULTY").lines,
    warned: ready.warned,
    ready: { lines: ready.lines, price: ready.priceNow, cost: ready.cost },
    refused: of("REFUSED").lines,
    left: of("LEFT").lines,
    sold: { lines: of("SOLD").lines, price: of("SOLD").price },
    ...(await viewOutcomes(snapshot, run)),
    wallet: await viewWallet(snapshot, scope, isOpen ? ready.cost : 0),
    ...(ready.repriced > 0 && {
      repriced: { lines: ready.repriced, before: ready.repricedBefore, now: ready.repricedNow },
    }),
    ...(before && {
      soldBefore: {
        runId: before.run_id,
        name: before.name,
        confirmedAt: toTimestamp(before.confirmed_at),
      },
    }),
  };
}

async function viewOutcomes(
  snapshot: Db | Tx,
  run: Scope & { runId: string },
): Promise<Pick<BulkRun, "delivered" | "notDelivered" | "sending">> {
  const outcomes = await sumOutcomes(snapshot, run);
  function share(isMeant: (status: string) => boolean) {
    const meant = outcomes.filter(({ status }) => isMeant(status));
    return {
      lines: meant.reduce((sum, { lines }) => sum + lines, 0),
      price: meant.reduce((sum, { price }) => sum + price, 0),
    };
  }
  return {
    delivered: share((status) => status === "DONE"),
    notDelivered: share((status) => status === "FAILED"),
    sending: share((status) => status !== "DONE" && status !== "FAILED"),
  };
}

async function viewWallet(
  snapshot: Db | Tx,
  scope: Scope,
  cost: number,
): Promise<BulkRun["wallet"]> {
  const { available, currency, currencyDivisor } = await getBalances(snapshot, scope);
  const spendable = Math.max(0, available - (await sumUnheld(snapshot, scope)));
  return { currency, currencyDivisor, spendable, shortBy: Math.max(0, cost - spendable) };
}

/** Lines as they are shown, in the order given. */
export async function viewLines(
  snapshot: Db | Tx,
  scope: Scope,
  rows: readonly BulkLineRow[],
  now: number,
): Promise<BulkLine[]> {
  const ids = rows.flatMap(({ state, transaction_id }) =>
    state === "SOLD" && transaction_id !== null ? [transaction_id] : [],
  );
  const purchases = new Map(
    (await findPurchases(snapshot, scope, ids)).map((one) => [one.transaction.transactionId, one]),
  );
  return rows.map((row) => {
    const { state, sale_id: saleId, transaction_id: transactionId, refusal_code: code } = row;
    const purchase = purchases.get(transactionId ?? "");
    const at = { table: "bulk_lines", row: `${row.run_id} ${row.line}` } as const;
    const wanted =
      row.input_json === null
        ? undefined
        : readColumn(WantedLine, row.input_json, { ...at, column: "input_json" });
    return {
      line: row.line,
      state,
      ...(wanted && { productType: wanted.productType }),
      title: row.title,
      recipientFormatted: wanted ? formatPhoneNumber(row.recipient) : row.recipient,
      note: row.note,
      ...(row.price !== null && { price: row.price }),
      ...(row.price_now !== null && { priceNow: row.price_now }),
      faults: readColumn(Type.Array(BulkFault), row.faults_json, { ...at, column: "faults_json" }),
      warnings: readColumn(Type.Array(BulkWarning), row.warnings_json, {
        ...at,
        column: "warnings_json",
      }),
      ...(state === "SOLD" && saleId !== null && { saleId }),
      ...(state === "SOLD" && transactionId !== null && { transactionId }),
      ...(purchase && { outcome: outcomeOf(purchase, now) }),
      ...(code !== null && { refusal: { code, message: row.refusal_message ?? "" } }),
    };
  });
}
