import type { ManyProcesses } from "./many-processes.ts";
import type { Sale } from "./sales-follower.ts";
import { SOLD } from "./shop-of-processes.ts";
import { untilBeside } from "./until.ts";

const SOLD_AT_TILL = { productType: "TOPUP", ...SOLD };
/** The simulator refuses this number. */
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

/** What was sold by clients, and what became of it by the last answer. */
export interface Load {
  /** Live purchases by `/v1` that were answered, by id. */
  readonly purchases: Set<string>;
  /** Sales at the till that were answered, by id. */
  readonly sales: Set<string>;
  /** Those of them that the provider refused, and whose money the till then handed back, with how much. */
  readonly refunded: Map<string, number>;
  /** Hands back what of it is left. */
  refundRefused(): Promise<void>;
  /** How many answers there were by now. */
  readonly answers: number;
  /** Resolves when there were so many more. */
  more(count: number): Promise<void>;
  /** No client begins anything new; resolves when each has had its answer. */
  end(): Promise<void>;
}

/** Clients that sell until `end`, half of them by `/v1` and half at the till: there of every family in turn. */
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
  // Who waits for more of it, or for its end, hears why a client has stopped.
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
  // The one that was asked first may have taken it, and died before it said so.
  if (status !== 200 && body.errorCode !== "DUPLICATE_TRANSACTION_ID") {
    throw new Error(`a purchase was refused: ${status} ${JSON.stringify(body)}`);
  }
  return transactionId;
}

/** Hands back the money of a sale that the provider has refused. @returns whether it has by now */
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

/** A sale at today's price, for the cash that is due. */
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
