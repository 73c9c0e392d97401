import type { ManyProcesses } from "./many-processes.ts";
import type { Sale } from "./sales-follower.ts";
import { SOLD } from "./shop-of-processes.ts";
import { untilBeside } from "./until.ts";

const SOLD_AT_TILL = { productType: "TOPUP", ...SOLD };
const REFUSED = { ...SOLD_AT_TILL, recipientPhoneNumber: "+50251239001" };
const BILL = {
  productType: "BILL_PAY",
  offerId: "BLPC_BB_BILL_ELECTRICITY",
  fields: [{ key: "accountNumber", value: "30001234567" }],
};
const ITEMS = [
  SOLD_AT_TILL,
  { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" },
  { productType: "ESIM", offerId: "AIRALO_ES_1GB_7D" },
  BILL,
  REFUSED,
];
type Item = (typeof ITEMS)[number];
type Prepared = Awaited<ReturnType<typeof prepareSale>>;

export interface Load {
  readonly purchases: Set<string>;
  readonly sales: Set<string>;
  /** Refunded amount of each sale that the provider refused, by sale id. */
  readonly refunded: Map<string, number>;
  refundRefused(): Promise<void>;
  readonly answers: number;
  more(count: number): Promise<void>;
  /** Stops new sales, and resolves when each client has received its last answer. */
  end(): Promise<void>;
}

/**
 * Runs clients until `end` is called: half of them buy through `/v1`, the others sell all product
 * families in rotation at the till.
 */
export function sellBy(shop: ManyProcesses, clients: number): Load {
  const purchases = new Set<string>();
  const sales = new Set<string>();
  const refunded = new Map<string, number>();
  const refused: Prepared[] = [];
  let turn = 0;
  let answers = 0;
  let isOver = false;
  async function sellAtTill(item: Item): Promise<void> {
    const sale = await prepareSale(shop, item);
    await expectTaken(shop, "/pos/sales", sale);
    sales.add(sale.saleId);
    if (item === REFUSED) refused.push(sale);
    await refundRefused();
  }
  async function refundRefused(): Promise<void> {
    for (const sale of refused.splice(0)) {
      if (await refund(shop, sale)) refunded.set(sale.saleId, sale.lines[0]?.price ?? 0);
      else refused.push(sale);
    }
  }
  const buyers = Array.from({ length: clients }, async (_, client) => {
    while (!isOver) {
      if (client % 2 === 0) purchases.add(await buy(shop));
      else await sellAtTill(ITEMS[turn++ % ITEMS.length] ?? SOLD_AT_TILL);
      answers += 1;
    }
  });
  const all = Promise.all(buyers);
  // Prevents an unhandled rejection. `more` and `end` throw the error of a client.
  all.catch(() => undefined);
  return {
    purchases,
    sales,
    refunded,
    refundRefused,
    get answers() {
      return answers;
    },
    async more(count) {
      const enough = answers + count;
      await untilBeside(all, () => answers >= enough);
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
  // A duplicate is no error: a process may have died between booking the purchase and answering.
  if (status !== 200 && body.errorCode !== "DUPLICATE_TRANSACTION_ID") {
    throw new Error(`a purchase was refused: ${status} ${JSON.stringify(body)}`);
  }
  return transactionId;
}

/**
 * Refunds a sale that the provider refused.
 * @returns whether the sale is refunded
 */
async function refund(shop: ManyProcesses, { saleId, lines }: Prepared): Promise<boolean> {
  const path = `/pos/sales/${saleId}`;
  const { lines: sold } = await shop.get<Sale>(path);
  if (sold.some(({ status }) => status !== "FAILED")) return false;
  await expectTaken(shop, `${path}/customer-refunds`, {
    customerRefundId: crypto.randomUUID(),
    lines: lines.map(({ transactionId }) => transactionId),
  });
  return true;
}

async function expectTaken(shop: ManyProcesses, path: string, body: unknown): Promise<void> {
  const answer = await shop.call("POST", path, { body });
  if (answer.status === 200) return;
  throw new Error(`${path} was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
}

export async function prepareSale(shop: ManyProcesses, item: Item = SOLD_AT_TILL) {
  const { offerId } = item;
  const value = item === BILL ? await findBill(shop) : undefined;
  const asked = { offerId, ...(value && { value }) };
  const quoted = await shop.call("POST", "/pos/quotes", { body: asked });
  const price = Number(quoted.body.price);
  const transactionId = crypto.randomUUID();
  return {
    saleId: crypto.randomUUID(),
    lines: [{ ...item, ...(value && { value }), price, transactionId }],
    tenders: [{ kind: "CASH", tendered: price }],
  };
}

async function findBill(shop: ManyProcesses): Promise<number> {
  const { offerId, fields } = BILL;
  const { status, body } = await shop.call("POST", "/pos/bills", { body: { offerId, fields } });
  if (status !== 200) throw new Error(`the bill is not found: ${status} ${JSON.stringify(body)}`);
  return body.value;
}
