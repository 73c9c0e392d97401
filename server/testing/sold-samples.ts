import { randomUUID } from "node:crypto";
import type { ShopTenders } from "../contract/pos/shop-tenders.ts";
import type { TenderInput } from "../contract/pos/tenders.ts";
import { MINUTE, SECOND } from "../lib/clock.ts";
import type { TestGateway } from "./test-gateway.ts";
import { openTill, type TestLine, type TestTill } from "./test-till.ts";

export interface SoldSamples {
  owner: TestTill;
  /**
   * Transaction ids of each sale, and of each purchase through `/v1`. Usual sales are listed
   * several times.
   */
  samples: string[][];
}

const NUMBER = "+50251234567";
const REFUSED = "+50251239001";

function topup(recipientPhoneNumber = NUMBER): TestLine {
  return { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber };
}
const VOUCHER: TestLine = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };
const ESIM: TestLine = { productType: "ESIM", offerId: "AIRALO_ES_1GB_7D" };
const BILL = {
  offerId: "BLPC_BB_BILL_ELECTRICITY",
  fields: [{ key: "accountNumber", value: "30001234567" }],
};

/**
 * Sells at two tills and through `/v1`, with every product family, tender and outcome, discounts
 * and customer refunds. Closes both shifts.
 */
export async function sellSamples(gateway: TestGateway): Promise<SoldSamples> {
  const owner = await openTill(gateway, { currency: "GTQ", rate: "7.75" });
  const { db, transactor, recharges } = gateway.gateway.context;
  const scope = { accountId: "default", environment: "test" } as const;
  await transactor.transact(scope.accountId, (tx) => recharges.rechargeSandbox(tx, scope, 1e11));
  const ana = { name: "Ana", role: "clerk", pin: "2583" };
  const { staffId } = (await owner.pos("POST", "/staff", ana)).body;
  const clerk = await owner.signIn(staffId, ana.pin);
  const terminal = await nameTerminal(owner);

  async function sell(till: TestTill, lines: TestLine[], cardPays = 0): Promise<Sold> {
    const sale = await till.prepareSale(lines);
    const due = sale.lines.reduce((sum, { price, discount = 0 }) => sum + price - discount, 0);
    const card = Math.round(due * cardPays);
    const tenders: TenderInput[] = [
      // Only the owner's till uses the card terminal.
      ...(card > 0
        ? [{ kind: "CARD" as const, ...(till === owner && terminal), amount: card, reference: "7" }]
        : []),
      ...(card < due ? [{ kind: "CASH" as const, tendered: due - card + 500 }] : []),
    ];
    const answer = await till.pos("POST", "/sales", { ...sale, tenders });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return { saleId: sale.saleId, ids: sale.lines.map(({ transactionId }) => transactionId) };
  }
  const usual = [
    await sell(owner, [topup()]),
    await sell(clerk, [topup()], 1),
    await sell(clerk, [VOUCHER]),
    await sell(owner, [ESIM], 0.5),
  ];
  const { body: bill } = await owner.pos("POST", "/bills", BILL);
  const rare = [
    await sell(owner, [{ ...BILL, productType: "BILL_PAY", value: bill.value }]),
    await sell(clerk, [topup(), VOUCHER, topup()], 0.3),
    await sell(owner, [{ ...VOUCHER, discount: 700 }, ESIM]),
    await sell(owner, [topup(REFUSED)]),
  ];
  const refused = [
    await sell(clerk, [topup(REFUSED)]),
    await sell(owner, [topup(), topup(REFUSED)], 0.6),
  ];
  for (const [id, body] of [
    ["api-topup", { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: NUMBER }],
    ["api-esim", { offerId: ESIM.offerId }],
  ] as const) {
    const family = id === "api-esim" ? "esim" : "topups";
    await gateway.v1("POST", `/${family}/purchases`, { ...body, transactionId: id });
  }
  await gateway.advance(5 * SECOND);
  await gateway.v1("POST", "/esim/purchases/api-esim/refund");
  await gateway.advance(MINUTE);
  for (const { saleId, ids } of refused) {
    const lines = ids.slice(-1);
    const path = `/sales/${saleId}/customer-refunds`;
    const { status, body } = await owner.pos("POST", path, {
      customerRefundId: randomUUID(),
      lines,
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
  for (const till of [owner, clerk]) {
    const { shift } = (await till.pos("GET", "/shifts/current")).body;
    await till.pos("POST", `/shifts/${shift.shiftId}/close`, { counted: 0 });
  }
  const refunds = await db.selectFrom("refunds").select("transaction_id").execute();
  const esim = ["api-esim", ...refunds.map((row) => row.transaction_id)];
  const idsOf = (list: Sold[]) => list.map(({ ids }) => ids);
  const seldom = [...idsOf([...rare, ...refused]), ["api-topup"], esim];
  return { owner, samples: seldom.flatMap((one) => [one, ...idsOf(usual)]) };
}

async function nameTerminal(owner: TestTill): Promise<{ tenderId: string }> {
  const { revision, list } = (await owner.pos("GET", "/tenders")).body;
  const kept = (list as ShopTenders["list"]).map((tender) => {
    const { used: _, ...facts } = tender;
    return facts;
  });
  const terminal = { name: "Visa terminal", kind: "CARD", opensDrawer: false, offered: true };
  const body = { base: revision, list: [...kept, terminal] };
  const saved = await owner.pos("PUT", "/tenders", body);
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body));
  return { tenderId: saved.body.list.at(-1).tenderId };
}

interface Sold {
  saleId: string;
  ids: string[];
}
