import { auditBooks } from "../../modules/books/audit/index.ts";
import { findTransactions, listTransactions } from "../../modules/books/transactions/index.ts";
import type { SentPurchase } from "./sent-purchase.ts";
import type { SimulatedProvider } from "./simulated-provider.ts";
import type { SimulatedReceiver } from "./simulated-receiver.ts";
import type { SimulatedShop } from "./simulated-shop.ts";

const EVERYTHING = { limit: 10_000, offset: 0 };

interface World {
  shop: SimulatedShop;
  provider: SimulatedProvider;
  receiver: SimulatedReceiver;
}

export async function checkEnd(
  { shop, provider, receiver }: World,
  sent: readonly SentPurchase[],
): Promise<string[]> {
  const faults: string[] = await checkDeliveries(shop, receiver);
  const { db, accountId } = shop.context;
  const { checks } = await auditBooks(db);
  for (const { name, violations } of checks) {
    for (const violation of violations) faults.push(`audit: ${name}: ${violation}`);
  }
  for (const environment of ["test", "live"] as const) {
    const scope = { accountId, environment };
    const { list } = await listTransactions(db, scope, {}, EVERYTHING);
    const byId = new Map(list.map((transaction) => [transaction.transactionId, transaction]));

    for (const { transactionId, status, log } of list) {
      const name = `${environment}/${transactionId}`;
      if (status !== "DONE" && status !== "FAILED") faults.push(`${name} is still ${status}`);
      const path = log.map((entry) => entry.status);
      if (path[0] !== "ACCEPTED" || path.at(-1) !== status || countFinal(path) !== 1) {
        faults.push(`${name} went ${path.join(", ")}`);
      }
    }

    for (const purchase of sent.filter((candidate) => candidate.environment === environment)) {
      const { transactionId } = purchase.body;
      if (purchase.accepted && !byId.has(transactionId)) {
        faults.push(`${environment}/${transactionId} was accepted and is gone`);
      }
    }

    const delivered = idsOf(provider.fulfilled(), environment);
    for (const transaction of list.filter(({ type }) => type === "DEBIT")) {
      if (transaction.productType.startsWith("RECHARGE")) continue;
      const { transactionId, status, needsReconciliation } = transaction;
      const wasDelivered = delivered.has(transactionId);
      if (status === "DONE" && !wasDelivered) {
        faults.push(`${environment}/${transactionId} is DONE and was never delivered`);
      }
      if (status === "FAILED" && wasDelivered && !needsReconciliation) {
        faults.push(`${environment}/${transactionId} was delivered, is FAILED and not flagged`);
      }
      delivered.delete(transactionId);
    }
    for (const id of delivered) faults.push(`${environment}/${id} was delivered to nobody`);

    faults.push(...(await checkRefunds(shop, provider, environment)));
  }
  return faults;
}

async function checkRefunds(
  shop: SimulatedShop,
  provider: SimulatedProvider,
  environment: "test" | "live",
): Promise<string[]> {
  const { db, accountId } = shop.context;
  const scope = { accountId, environment };
  const rows = await db
    .selectFrom("refunds")
    .selectAll()
    .where("environment", "=", environment)
    .execute();
  const refunds = await findTransactions(
    db,
    scope,
    rows.map((row) => row.transaction_id),
  );
  const given = idsOf(provider.refunded(), environment);
  return rows.flatMap((row) => {
    const refund = refunds.find(({ transactionId }) => transactionId === row.transaction_id);
    const name = `the refund of ${environment}/${row.refunded_transaction_id}`;
    const wasGiven = given.has(row.refunded_transaction_id);
    if (refund?.status === "DONE" && !wasGiven) return `${name} is DONE and was never given`;
    const isLost = refund?.status === "FAILED" && wasGiven && !refund.needsReconciliation;
    const isBooked = rows.some((other) => {
      return other.refunded_transaction_id === row.refunded_transaction_id && other.failed === 0;
    });
    return isLost && !isBooked ? `${name} was given, is FAILED and not flagged` : [];
  });
}

async function checkDeliveries(
  shop: SimulatedShop,
  receiver: SimulatedReceiver,
): Promise<string[]> {
  const { db } = shop.context;
  const faults: string[] = [];
  const deliveries = await db
    .selectFrom("webhook_deliveries")
    .select(["delivery_id", "environment", "subject", "state", "kind"])
    .execute();
  for (const { delivery_id: id, state, kind } of deliveries) {
    const message = receiver.messages.get(id);
    const isQuestion = kind === "TRANSACTION";
    if (state === "PENDING" && !isQuestion) faults.push(`the message ${id} is still to be sent`);
    if (state === "DELIVERED" && !message) faults.push(`the message ${id} reached nobody`);
    if (state === "DELIVERED" && !isQuestion && !message?.taken) {
      faults.push(`the message ${id} was taken by nobody`);
    }
    if (message && message.bodies.size !== 1) faults.push(`the message ${id} came in two versions`);
  }
  const known = new Set(deliveries.map((delivery) => delivery.delivery_id));
  for (const id of receiver.messages.keys()) {
    if (!known.has(id)) faults.push(`the message ${id} is known to the receiver only`);
  }
  const endpoints = await db.selectFrom("webhook_endpoints").selectAll().execute();
  const finished = await db
    .selectFrom("transactions")
    .innerJoin("purchases", "purchases.transaction_id", "transactions.transaction_id")
    .whereRef("purchases.environment", "=", "transactions.environment")
    .select(["transactions.environment", "transactions.transaction_id", "product_type"])
    .where("finished_at", "is not", null)
    .execute();
  for (const { environment, transaction_id: transactionId, product_type: kind } of finished) {
    const listeners = endpoints.filter((endpoint) => {
      return endpoint.environment === environment && endpoint.kinds.split(" ").includes(kind);
    });
    const told = deliveries.filter((delivery) => {
      const { environment: where, subject: what } = delivery;
      return where === environment && what === transactionId && delivery.kind === kind;
    });
    if (told.length !== listeners.length) {
      faults.push(`${environment}/${transactionId} was told ${told.length} times`);
    }
  }
  return faults;
}

function idsOf(names: string[], environment: string): Set<string> {
  const prefix = `${environment}/`;
  return new Set(
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
  );
}

function countFinal(path: string[]): number {
  return path.filter((status) => status === "DONE" || status === "FAILED").length;
}
