import { setTimeout as sleep } from "node:timers/promises";
import type { ManyProcesses } from "./many-processes.ts";
import { SOLD } from "./shop-of-processes.ts";

/** What was sold by clients, and what became of it by the last answer. */
export interface Load {
  /** Live purchases by `/v1` that were answered, by id. */
  readonly purchases: Set<string>;
  /** Sales at the till that were answered, by id. */
  readonly sales: Set<string>;
  /** How many answers there were by now. */
  readonly answers: number;
  /** Resolves when there were so many more. */
  more(count: number): Promise<void>;
  /** No client begins anything new; resolves when each has had its answer. */
  end(): Promise<void>;
}

/** Clients that sell until `end`, half of them by `/v1` and half at the till. */
export function sellBy(shop: ManyProcesses, clients: number): Load {
  const purchases = new Set<string>();
  const sales = new Set<string>();
  let answers = 0;
  let isOver = false;
  const buyers = Array.from({ length: clients }, async (_, client) => {
    while (!isOver) {
      if (client % 2 === 0) purchases.add(await buy(shop));
      else sales.add(await sellAtTill(shop));
      answers += 1;
    }
  });
  const all = Promise.all(buyers);
  // Who waits for more of it, or for its end, hears why a client has stopped.
  all.catch(() => undefined);
  return {
    purchases,
    sales,
    get answers() {
      return answers;
    },
    async more(count) {
      const enough = answers + count;
      while (answers < enough) await Promise.race([sleep(5), all]);
    },
    async end() {
      isOver = true;
      await all;
    },
  };
}

async function buy(shop: ManyProcesses): Promise<string> {
  const transactionId = crypto.randomUUID();
  const { status, body } = await shop.call("POST", "/v1/topups/purchases", {
    body: { ...SOLD, transactionId },
  });
  // The one that was asked first may have taken it, and died before it said so.
  if (status !== 200 && body.errorCode !== "DUPLICATE_TRANSACTION_ID") {
    throw new Error(`a purchase was refused: ${status} ${JSON.stringify(body)}`);
  }
  return transactionId;
}

async function sellAtTill(shop: ManyProcesses): Promise<string> {
  const sale = await prepareSale(shop);
  const { status, body } = await shop.call("POST", "/pos/sales", { body: sale });
  if (status !== 200) throw new Error(`a sale was refused: ${status} ${JSON.stringify(body)}`);
  return sale.saleId;
}

/** A sale at today's price, for the cash that is due. */
export async function prepareSale(shop: ManyProcesses) {
  const quoted = await shop.call("POST", "/pos/quotes", { body: { offerId: SOLD.offerId } });
  const price = Number(quoted.body.price);
  const transactionId = crypto.randomUUID();
  return {
    saleId: crypto.randomUUID(),
    lines: [{ productType: "TOPUP", ...SOLD, price, transactionId }],
    tenders: [{ kind: "CASH", tendered: price }],
  };
}
