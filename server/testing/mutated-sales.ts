import { expect } from "vitest";
import type { Deviation } from "../contract/pos/provider-answers.ts";
import type { Offer } from "../contract/v1/offers.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../lib/clock.ts";
import { listDeviations } from "../providers/deviation-store.ts";
import { giveLiveCatalog } from "./live-catalog.ts";
import {
  ANSWER_MUTATIONS,
  describeSale,
  listSales,
  listSequences,
  type MutatedSale,
  type Product,
  pausesConnection,
  type Recorded,
  type Step,
} from "./mutated-sale-list.ts";
import {
  describeMutation,
  listFieldMutations,
  type MutatingProxy,
  type Mutation,
  type ProxiedExchange,
  startMutatingProxy,
} from "./mutating-proxy.ts";
import { startTestGateway, type TestGateway } from "./test-gateway.ts";

const OWNER = { accountId: "default", environment: "live", staffId: undefined } as const;
const SCOPE = { accountId: "default", environment: "live" } as const;
const FUNDS = 100_000_000;
/**
 * Time after which all responses are honest. A purchase with an unknown outcome fails only after 24
 * hours.
 */
const DEVIATIONS_END_MS = 10 * MINUTE;
/** Maximum time from the first honest response until all sales end: two retry intervals. */
const ENDS_WITHIN_MS = HOUR;
const UNLIMITED = { rateLimit: { burst: 1_000_000, perSecond: 1_000_000 } };
const WHO = {
  firstName: "Ana",
  lastName: "Paz",
  homeAddress: { line1: "12 Calle 1-25", city: "Guatemala", country: "GT" },
};

interface Chain {
  office: TestGateway;
  shop: TestGateway;
  proxy: MutatingProxy;
}

/**
 * Makes one sale per mutation of the upstream's responses. Expects that wallets and outcomes agree
 * with the upstream, and that the gateway shows every deviation.
 * @param every tries each n-th mutation
 * @param kinds tries only these kinds; undefined for all
 * @returns number of sales
 */
export async function sellMutated(every: number, kinds?: readonly string[]): Promise<number> {
  const isWanted = ({ changes }: MutatedSale) =>
    kinds === undefined || changes.some(({ mutation }) => kinds.includes(mutation.kind));
  return withChain(async (chain) => {
    const products = await prepare(chain);
    const recorded = await recordAnswers(chain, products);
    const sales = listSales(products, recorded)
      .filter(isWanted)
      .filter((_, index) => index % every === 0);
    for (const group of Map.groupBy(sales, toGroup).values()) {
      const mutated = await sellAll(chain, group);
      const unmutated = group.filter(({ transactionId }) => !mutated.has(transactionId));
      expect(unmutated.map(describeSale)).toEqual([]);
    }
    const bills = await lookUpBills(chain, products, recorded, every);
    const delayed = await sellDelayed(chain, products);
    await settleChain(chain, ENDS_WITHIN_MS);
    await expectAgreement(chain, [...sales, ...delayed]);
    return sales.length + delayed.length + bills;
  });
}

/**
 * Makes sales through a gateway whose upstream loses an answer, returns stale states, and refuses
 * the resubmission.
 * @param every tries each n-th of the listed sequences
 * @returns number of sales
 */
export async function sellSequences(every: number): Promise<number> {
  return withChain(async (chain) => {
    const products = await prepare(chain);
    const sales = listSequences(products).filter((_, index) => index % every === 0);
    const mutated = await sellAll(chain, sales);
    await settleChain(chain, ENDS_WITHIN_MS);
    await expectAgreement(chain, sales);
    const isRefusedLater = ({ transactionId }: MutatedSale) => mutated.get(transactionId)?.has(1);
    expect(sales.filter(isRefusedLater).length).toBeGreaterThan(sales.length / 2);
    return sales.length;
  });
}

/** Runs a shop whose upstream is another gateway, behind a proxy that mutates the responses. */
async function withChain<Result>(work: (chain: Chain) => Promise<Result>): Promise<Result> {
  const office = await startTestGateway(UNLIMITED);
  const shop = await startTestGateway(UNLIMITED);
  const proxy = await startMutatingProxy(() => office.url);
  try {
    return await work({ office, shop, proxy });
  } finally {
    await proxy.close();
    await shop.close();
    await office.close();
  }
}

/**
 * Sells each product. Every inquiry gets an unreadable answer until the gateway stops inquiring, so
 * that the owner must decide.
 * @returns all sales, and the sales that wait for the owner's decision
 */
export async function sellUnreadableForADay(): Promise<{ sold: string[]; toDecide: string[] }> {
  return withChain(async (chain) => {
    const { shop, office, proxy } = chain;
    const products = await prepare(chain);
    proxy.choose = (exchange) =>
      stepOf(exchange) === "INQUIRE" ? { kind: "NULL", path: ["status"] } : undefined;
    const sold = products.map(({ path }) => `unreadable-${path}`);
    for (const product of products) await buy(shop, product, `unreadable-${product.path}`);
    await settleChain(chain, DAY + HOUR);
    proxy.choose = () => undefined;
    await settleChain(chain, ENDS_WITHIN_MS);
    for (const { path } of products) {
      const there = await office.v1("GET", `/${path}/purchases/unreadable-${path}`);
      expect(there.body.status).toBe("DONE");
      expect((await read(shop, path, `unreadable-${path}`)).status).toBe("FAILED");
    }
    const { held } = await shop.gateway.context.upstream.test(OWNER);
    expect(held).toBe(0);
    const cases = await shop.gateway.context.reconciliation.list(SCOPE, { limit: 50, offset: 0 });
    await shop.expectCleanBooks();
    const toDecide = cases.list.map(({ transactionId }) => transactionId);
    return { sold: sold.toSorted(), toDecide: toDecide.toSorted() };
  });
}

async function prepare({ office, shop, proxy }: Chain): Promise<Product[]> {
  await office.gateway.context.recharges.recharge({ ...OWNER, environment: "test" }, FUNDS);
  const scope = { accountId: "default", environment: "test" } as const;
  const { offers } = await shop.gateway.context.catalog.getSnapshot(scope);
  const find = (fits: (offer: Offer) => boolean) => {
    const offer = offers.find(fits);
    if (!offer) throw new Error("the sandbox has no such offer");
    return offer;
  };
  const topup = find(
    ({ productType, priceType, country }) =>
      productType === "TOPUP" && priceType === "FIXED" && country === "GT",
  );
  const voucher = find(
    (one) =>
      one.productType === "VOUCHER" &&
      one.priceType === "FIXED" &&
      one.requiredFields.length === 0 &&
      one.deliveryType === "EPIN",
  );
  const esim = find((one) => one.productType === "ESIM");
  const bill = find((one) => one.productType === "BILL_PAY" && one.supportsBillRetrieval);
  const all = [topup, voucher, esim, bill];
  await giveLiveCatalog(
    shop,
    all.map(({ offerId }) => offerId),
  );
  const { context } = shop.gateway;
  await context.recharges.recharge(OWNER, FUNDS);
  const key = office.key("test");
  await context.upstream.connect(OWNER, { baseUrl: proxy.url, key, allowPrivate: true });
  const keys = "requiredFields" in bill ? bill.requiredFields : [];
  const fields = keys.map((name) => ({ key: name, value: "1234567" }));
  const query = new URLSearchParams(keys.map((name) => [name, "1234567"]));
  const due = await shop.v1(
    "GET",
    `/billpay/offers/${bill.offerId}/bill?${query}`,
    undefined,
    "live",
  );
  const value = { type: "ZEND", value: due.body.send };
  const of = (offer: Offer) => ({ offerId: offer.offerId });
  return [
    { path: "topups", offer: topup, body: { ...of(topup), recipientPhoneNumber: "+50251234567" } },
    { path: "vouchers", offer: voucher, body: { ...of(voucher), fields: [] } },
    { path: "esim", offer: esim, body: of(esim) },
    {
      path: "billpay",
      offer: bill,
      body: { ...of(bill), fields, value, sender: WHO, recipient: WHO },
    },
  ];
}

async function recordAnswers(chain: Chain, products: readonly Product[]): Promise<Recorded> {
  const recorded: Recorded = new Map();
  const record = (
    exchange: ProxiedExchange,
    { status, body }: { status: number; body: unknown },
  ) => {
    const step = stepOf(exchange);
    if (status !== 200 || !step) return;
    recorded.set(`${exchange.path.split("/")[2]} ${step}`, body);
  };
  chain.proxy.onAnswer = record;
  for (const product of products) {
    await buy(chain.shop, product, `honest-${product.path}`);
  }
  await settleChain(chain, MINUTE);
  const { confirmation } = await read(chain.shop, "esim", "honest-esim");
  await chain.shop.v1("GET", `/esim/${confirmation.iccid}/plans`, undefined, "live");
  await refund(chain.shop, "honest-esim");
  await settleChain(chain, MINUTE);
  for (const { path } of products) {
    expect((await read(chain.shop, path, `honest-${path}`)).status).toBe("DONE");
  }
  chain.proxy.onAnswer = () => {};
  return recorded;
}

/** @returns the indexes of the applied changes, by transaction id */
async function sellAll(
  chain: Chain,
  sales: readonly MutatedSale[],
): Promise<Map<string, Set<number>>> {
  const { shop, proxy } = chain;
  const byId = new Map(sales.map((sale) => [sale.transactionId, sale]));
  const endsAt = shop.clock.now() + DEVIATIONS_END_MS;
  const iccids = new Map<string, string>();
  const counts = new Map<string, number>();
  const made = new Map<string, Set<number>>();
  proxy.choose = (exchange) => {
    const step = stepOf(exchange);
    const id = step === "PLANS" ? iccids.get(exchange.path.split("/")[3] ?? "") : idOf(exchange);
    const key = `${step} ${id}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    const isOver = shop.clock.now() >= endsAt;
    const { transactionId = "", changes = [] } = byId.get(id ?? "") ?? {};
    const index = changes.findIndex(
      (change) => change.step === step && (change.nth === undefined ? !isOver : change.nth === nth),
    );
    if (index === -1) return undefined;
    made.set(transactionId, (made.get(transactionId) ?? new Set()).add(index));
    return changes[index]?.mutation;
  };
  for (const { product, transactionId } of sales) await buy(shop, product, transactionId);
  await settleChain(chain, MINUTE);
  for (const sale of sales) {
    if (!isRefunded(sale)) continue;
    const { transactionId } = sale;
    const { confirmation } = await read(shop, "esim", transactionId);
    iccids.set(confirmation.iccid, transactionId);
    // A refund starts with a request, so the pause of the previous one must be over.
    if (toGroup(sale) !== "others") await settleChain(chain, 2 * SECOND);
    await refund(shop, transactionId);
  }
  await settleChain(chain, DEVIATIONS_END_MS);
  return made;
}

async function sellDelayed(chain: Chain, products: readonly Product[]): Promise<MutatedSale[]> {
  const { shop, office, proxy } = chain;
  const mutation = { kind: "DELAY" } as const;
  const sales: MutatedSale[] = [];
  for (const product of products) {
    for (const step of ["SUBMIT", "INQUIRE"] as const) {
      const transactionId = `delayed-${sales.length}`;
      sales.push({ transactionId, product, changes: [{ step, mutation }] });
      let isDelayed = false;
      proxy.choose = (exchange) => {
        if (isDelayed || stepOf(exchange) !== step || idOf(exchange) !== transactionId) return;
        isDelayed = true;
        return mutation;
      };
      await buy(shop, product, transactionId);
      for (;;) {
        // Work that waits for the delayed response ends only at the gateway's timeout.
        await Promise.race([settleChain(chain, 0), proxy.held()]);
        if (isDelayed) break;
        for (const { clock } of [office, shop]) clock.set(clock.now() + SECOND);
      }
      await proxy.held();
      for (const { clock } of [office, shop]) clock.set(clock.now() + 2 * MINUTE);
      await proxy.givenUp();
      await settleChain(chain, MINUTE);
    }
  }
  proxy.choose = () => undefined;
  return sales;
}

/** Retrieves a bill with each mutation. Expects the biller's amount, or an error. */
async function lookUpBills(
  { shop, proxy }: Chain,
  products: readonly Product[],
  recorded: Recorded,
  every: number,
): Promise<number> {
  const { offer, body } = products[3]!;
  const fields = (body.fields as { key: string; value: string }[]).map(
    ({ key, value }) => [key, value] as [string, string],
  );
  const path = `/billpay/offers/${offer.offerId}/bill?${new URLSearchParams(fields)}`;
  const honest = (await shop.v1("GET", path, undefined, "live")).body;
  const ofFields = listFieldMutations(recorded.get("billpay BILL"));
  const mutations = [...ofFields, ...ANSWER_MUTATIONS].filter(
    (mutation, index) =>
      index % every === 0 &&
      !["FRACTION", "STALE"].includes(mutation.kind) &&
      !pausesConnection(mutation),
  );
  for (const mutation of mutations) {
    proxy.choose = () => mutation;
    const { status, body: answer } = await shop.v1("GET", path, undefined, "live");
    const what = describeMutation(mutation);
    if (status === 503) expect(answer.errorCode, what).toBe("SYSTEM_UNAVAILABLE");
    else expect([status, answer.send, answer.cost], what).toEqual([200, honest.send, honest.cost]);
  }
  proxy.choose = () => undefined;
  return mutations.length;
}

async function expectAgreement(chain: Chain, sales: readonly MutatedSale[]): Promise<void> {
  const { shop, office } = chain;
  const listed = new Set((await listDeviations(shop.gateway.context.db, SCOPE)).map(toLabel));
  const disagreements: string[] = [];
  for (const sale of sales) {
    for (const found of await listDisagreements(chain, sale, listed)) {
      disagreements.push(`${describeSale(sale)}: ${found}`);
    }
  }
  expect(disagreements).toEqual([]);
  const { body: left } = await shop.v1("GET", "/balance", undefined, "live");
  const { held } = await shop.gateway.context.upstream.test(OWNER);
  expect(held).toBe(0);
  expect(await spentAt(office)).toBe(FUNDS - left.availableBalance);
  await shop.expectCleanBooks();
  await office.expectCleanBooks();
}

async function listDisagreements(
  { shop, office }: Chain,
  sale: MutatedSale,
  listed: ReadonlySet<string>,
): Promise<string[]> {
  const { transactionId, changes } = sale;
  const { path } = sale.product;
  const found: string[] = [];
  const ours = await read(shop, path, transactionId);
  const theirs = await office.v1("GET", `/${path}/purchases/${transactionId}`);
  const isDelivered = theirs.status === 200 && theirs.body.status === "DONE";
  const wanted = isDelivered ? "DONE" : "FAILED";
  if (ours.status !== wanted) found.push(`${ours.status} instead of ${wanted}`);
  const deviations = await deviationsOf(shop, transactionId);
  const hidden = deviations.filter((one) => !listed.has(toLabel(one)));
  if (hidden.length > 0) found.push(`not listed: ${hidden.map(toLabel)}`);
  if (isDelivered && deviations.every(({ kind }) => kind === "CONVERTED")) {
    // A text whose control characters were removed is stored as a converted text.
    const isStated = ({ kind }: Mutation) => kind === "CONTROL_CHARACTERS" && deviations.length > 0;
    const differing = listDifferences(ours, theirs.body).filter(
      (at) => !changes.some(({ mutation }) => isStated(mutation) || isUnnoticeable(mutation, at)),
    );
    if (differing.length > 0) found.push(`differs without a deviation: ${differing}`);
  }
  if (!isRefunded(sale)) return found;
  const at = `/esim/purchases/${transactionId}/refund`;
  const refunds = [await shop.v1("GET", at, undefined, "live"), await office.v1("GET", at)];
  const [here, there] = refunds.map(({ status, body }) => `${status} ${body.status}`);
  if (here !== there) found.push(`refund ${here} instead of ${there}`);
  return found;
}

/** Returns whether a mutated step is part of a refund, so that the test must refund the sale. */
/** Separates sales during whose mutations the shop sends nothing for other sales. */
function toGroup(sale: MutatedSale): string {
  const isPausing = sale.changes.some(({ mutation }) => pausesConnection(mutation));
  if (!isPausing) return "others";
  return isRefunded(sale) ? "pauses of refunds" : "pauses of purchases";
}

function isRefunded({ changes }: MutatedSale): boolean {
  return changes.some(({ step }) => step === "PLANS" || step === "REFUND");
}

function toLabel({ field, kind }: Pick<Deviation, "field" | "kind">): string {
  return `${field} ${kind}`;
}

type Delivered = Record<"confirmation" | "receipt", Record<string, unknown> | undefined>;

function listDifferences(ours: Delivered, theirs: Delivered): string[] {
  return (["confirmation", "receipt"] as const).flatMap((part) => {
    const [a, b] = [ours[part] ?? {}, theirs[part] ?? {}];
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].filter((name) => !isSame(a[name], b[name])).map((name) => `${part}.${name}`);
  });
}

/** Returns whether two values are equal. Times are equal if they are the same instant. */
function isSame(ours: unknown, theirs: unknown): boolean {
  if (ours === theirs) return true;
  const isTime = [ours, theirs].every((value) => /^\d{4}-\d{2}-\d{2}T.*Z$/.test(String(value)));
  return isTime && Date.parse(String(ours)) === Date.parse(String(theirs));
}

/** Mutations that change a text into a different valid text. The gateway cannot detect them. */
const OTHER_TEXT: readonly string[] = ["RETYPE", "UPPER_CASE", "LOWER_CASE", "EPOCH_TIME"];
/** Mutations after which the gateway treats a field as missing. */
const ABSENT: readonly string[] = ["OMIT", "RENAME", "NULL", "ZERO"];
/** Fields that many products lack, so that their absence is no deviation. */
const OPTIONAL_DETAILS: readonly string[] = [
  "confirmation.redemptionInstructions",
  "receipt.instructions",
  "receipt.recipientCustomerServiceNumber",
  "receipt.senderCustomerServiceNumber",
  "receipt.terms",
  "receipt.voucherId",
];

/** Returns whether the gateway cannot detect a mutation of the field at a path. */
function isUnnoticeable(mutation: Mutation, path: string): boolean {
  if (!("path" in mutation) || mutation.path.join(".") !== path) return false;
  const isAbsent = ABSENT.includes(mutation.kind) && OPTIONAL_DETAILS.includes(path);
  return isAbsent || OTHER_TEXT.includes(mutation.kind);
}

async function spentAt({ gateway }: TestGateway): Promise<number> {
  const rows = await gateway.context.db
    .selectFrom("transactions")
    .select(["type", "product_type", "amount"])
    .where("environment", "=", "test")
    .where("status", "=", "DONE")
    .where("product_type", "in", ["TOPUP", "VOUCHER", "ESIM", "BILL_PAY", "REFUND"])
    .execute();
  return rows.reduce((sum, { type, amount }) => sum + (type === "DEBIT" ? amount : -amount), 0);
}

async function deviationsOf({ gateway }: TestGateway, id: string): Promise<Deviation[]> {
  const row = await gateway.context.db
    .selectFrom("purchases")
    .select("deviations_json")
    .where("environment", "=", "live")
    .where("transaction_id", "=", id)
    .executeTakeFirstOrThrow();
  return JSON.parse(row.deviations_json ?? "[]");
}

async function buy(shop: TestGateway, { path, body }: Product, transactionId: string) {
  const answer = await shop.v1("POST", `/${path}/purchases`, { ...body, transactionId }, "live");
  expect(answer.body).toEqual({ status: "ACCEPTED", transactionId });
}

async function read(shop: TestGateway, path: string, transactionId: string) {
  return (await shop.v1("GET", `/${path}/purchases/${transactionId}`, undefined, "live")).body;
}

async function refund(shop: TestGateway, transactionId: string): Promise<void> {
  await shop.v1("POST", `/esim/purchases/${transactionId}/refund`, undefined, "live");
}

function stepOf({ method, path }: ProxiedExchange): Step | undefined {
  if (path.includes("/bill?")) return "BILL";
  if (path.endsWith("/plans")) return "PLANS";
  if (path.endsWith("/refund")) return "REFUND";
  if (!path.includes("/purchases")) return undefined;
  return method === "POST" ? "SUBMIT" : "INQUIRE";
}

function idOf({ path, sent }: ProxiedExchange): string | undefined {
  return path.split("/")[4] ?? (sent as { transactionId?: string } | undefined)?.transactionId;
}

async function settleChain({ office, shop }: Chain, milliseconds: number): Promise<void> {
  const clocks = [office.clock, shop.clock];
  const target = shop.clock.now() + milliseconds;
  const settle = async () => {
    await shop.settle();
    await shop.gateway.context.engine.idle();
    await office.settle();
    await shop.settle();
  };
  await settle();
  // The steps of the clock grow like the intervals between inquiries.
  for (let step = SECOND; shop.clock.now() < target; step = Math.min(step * 2, MINUTE)) {
    const at = Math.min(shop.clock.now() + step, target);
    for (const clock of clocks) clock.set(at);
    await settle();
  }
}
