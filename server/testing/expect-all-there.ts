import { expect } from "vitest";
import type { Load } from "./load-of-clients.ts";
import type { ManyProcesses } from "./many-processes.ts";
import { isDone, isOver } from "./sales-follower.ts";

/** Time limit in milliseconds: enough for a lease to end and a busy machine to finish its work. */
export const WITHIN = { timeout: 150_000, interval: 500 };

interface Purchase {
  readonly transactionId: string;
  readonly status: string;
  readonly error?: { readonly code: string };
}

export async function listPurchases(shop: ManyProcesses): Promise<Purchase[]> {
  const all: Purchase[] = [];
  for (;;) {
    const page = `/v1/topups/purchases?_limit=100&_offset=${all.length}`;
    const { list } = await shop.get<{ list: Purchase[] }>(page);
    all.push(...list);
    if (list.length < 100) return all;
  }
}

/**
 * Waits until the gateways have finished all work, and expects every answered request to be booked
 * exactly once.
 * @param isSimulatorKilled true if the simulator's database was unreachable: the next inquiry may
 * then be a quarter of an hour away
 */
export async function expectAllThere(
  shop: ManyProcesses,
  load: Load,
  isSimulatorKilled = false,
): Promise<void> {
  await load.end();
  await expect
    .poll(async () => (await listPurchases(shop)).filter(({ status }) => status !== "DONE"), WITHIN)
    .toEqual([]);
  if (!isSimulatorKilled) {
    await expect
      .poll(async () => (await shop.listSales()).filter((sale) => !isOver(sale)), WITHIN)
      .toEqual([]);
  }
  await load.refundRefused();
  await expectPurchases(shop, load);
  await expectSales(shop, load);
  await expectWebhooks(shop, load);
  await expectCleanAudit(shop);
}

async function expectPurchases(shop: ManyProcesses, load: Load): Promise<void> {
  const purchases = await listPurchases(shop);
  expect(new Set(purchases.map(({ transactionId }) => transactionId))).toEqual(load.purchases);
  expect(purchases).toHaveLength(load.purchases.size);
  const { taken } = shop.provider;
  expect(new Set(taken.keys())).toEqual(load.purchases);
  expect([...taken].filter(([, times]) => times !== 1)).toEqual([]);
  expect(shop.provider.sentBlind).toEqual([]);
}

async function expectSales(shop: ManyProcesses, load: Load): Promise<void> {
  const sales = await shop.listSales();
  expect(new Set(sales.map(({ saleId }) => saleId))).toEqual(load.sales);
  const numbers = sales.map(({ saleNumber }) => saleNumber).toSorted((a, b) => a - b);
  expect(numbers).toEqual(sales.map((_, n) => n + 1));
  const failed = sales.filter(({ lines }) => lines.some(({ status }) => status === "FAILED"));
  const refunded = sales.filter((sale) => sale.refunded !== 0);
  expect(new Map(refunded.map((sale) => [sale.saleId, sale.refunded]))).toEqual(load.refunded);
  const owed = failed.filter(({ saleId }) => !load.refunded.has(saleId));
  expect(sales.filter(({ refundDue }) => refundDue !== 0)).toEqual(owed);
  await expect
    .poll(() => sales.filter((sale) => isDone(sale) && !shop.followed.has(sale.saleId)), WITHIN)
    .toEqual([]);
}

async function expectWebhooks(shop: ManyProcesses, load: Load): Promise<void> {
  const told = () => new Set(webhooksOf(shop).map(({ transactionId }) => transactionId));
  await expect.poll(told, WITHIN).toEqual(load.purchases);
  const byPurchase = Map.groupBy(webhooksOf(shop), ({ transactionId }) => transactionId);
  for (const [transactionId, sent] of byPurchase) {
    const ids = new Set(sent.map(({ id }) => id));
    expect([transactionId, ids.size]).toEqual([transactionId, 1]);
  }
}

function webhooksOf(shop: ManyProcesses): { id: string; transactionId: string }[] {
  return shop.receiver.received.map(({ headers, body }) => ({
    id: String(headers["webhook-id"]),
    transactionId: JSON.parse(body).transactionId ?? JSON.parse(body).data?.transactionId,
  }));
}

export async function expectCleanAudit(shop: ManyProcesses): Promise<void> {
  const audit = await shop.command("audit", "--json");
  expect(audit.exitCode, audit.stdout + audit.stderr).toBe(0);
}
