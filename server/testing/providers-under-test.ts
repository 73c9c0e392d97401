import type { Family } from "../contract/pos/families.ts";
import type { ProviderKindName } from "../contract/pos/upstream.ts";
import { type Clock, MINUTE } from "../lib/clock.ts";
import { Exact, toMinorExactly } from "../lib/money.ts";
import type { Provider } from "../providers/provider.ts";
import type { Script } from "../providers/simulator/scenario.ts";
import { Simulator } from "../providers/simulator/simulator.ts";
import {
  AMAZON_ES,
  type FakeReloadly,
  MOVISTAR,
  type ReloadlyExchange,
  startFakeReloadly,
} from "./fake-reloadly.ts";
import { type FakeUpstream, startFakeUpstream } from "./fake-upstream.ts";
import { giveLiveCatalog } from "./live-catalog.ts";
import { startTestGateway, type TestGateway } from "./test-gateway.ts";

/**
 * Behaviours of a provider, which each fake arranges for the next order. The contract skips the
 * tests of behaviours that the provider cannot have.
 */
export interface Behaviours {
  /** Books the order, and cuts the connection. */
  cuts(): void;
  /** Refuses the recipient. */
  refuses(): void;
  /** Refuses the order, because the shop's balance there is too low. */
  isShort(): void;
  /** Books the order, and delivers it a minute later. */
  isSlow(): void;
  /** Books the order, and answers with a page for people under this status. */
  books(status: number): void;
  /** Books nothing, and answers with a page for people. */
  rambles(): void;
  /** Books the order and cuts the connection, and denies it until it refuses a second submission. */
  forgets(): void;
  /** Refuses the amount, which its catalog no longer has. */
  reprices(): void;
  /** Books the order, and refuses it with a code that its documentation does not have. */
  invents(): void;
  /** Books the order, and states this status; undefined for none. */
  states(status: string | undefined): void;
  /** Books the order, cuts the connection, and answers inquiries with a page for `BLIND_MS`. */
  isBlind(status: number): void;
  /** Books nothing, and answers submissions and inquiries with an order of another reference. */
  mixes(): void;
  /** Refuses the order with status 429, and requests a pause until this time. */
  isBusy(retryAfter: string): void;
  /** Delivers the order, and charges more than its catalog states. */
  overcharges(): void;
}

/** An order in the books of a fake. `amount` is in minor units. */
export interface BookedOrder {
  reference: string;
  /** E.164, or another id. */
  recipient: string;
  amount: number;
  currency: string;
}

/** A gateway whose live environment sells through a fake of one kind of provider. */
export interface ProviderUnderTest {
  till: TestGateway;
  provider: Provider;
  /** The product that the contract sells, with the values that the fake states. */
  product: {
    family: Family;
    offerId: string;
    /** Empty for a family without recipients. */
    recipient: string;
    /** Fields of the purchase besides the transaction id. */
    body: Record<string, unknown>;
    /** Cost in minor units. */
    cost: number;
    amount: number;
    currency: string;
  };
  /** Balance that the fake states, in minor units; undefined if it states none. */
  balance: number | undefined;
  /** Behaviours that the fake can have. */
  behaviours: Partial<Behaviours>;
  /** Orders in the books of the fake; undefined if the fake does not store them. */
  booked(): BookedOrder[] | undefined;
  /** Number of delivered orders. */
  delivered(): number;
  /** Number of received submissions, repeated ones included. */
  submissions(): number;
  /** Waits until no request is open. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Time for which a blind provider answers inquiries with a page. */
export const BLIND_MS = 40 * MINUTE;
export const OWNER = { accountId: "default", environment: "live", staffId: undefined } as const;
const OFFER = "TIGO_GT_TOPUP_25";
const RECIPIENT = "+50251234567";
const ANOTHER_REFERENCE = "another-order";
const FUNDS = 100_000;
const SLOW_MS = 60_000;
/** Paths of Reloadly's submissions and of its lists of orders. */
const TOPUP_PATHS = { submission: "/topups", list: "/topups/reports/transactions" };
const GIFT_CARD_PATHS = {
  submission: "/giftcards/orders",
  list: "/giftcards/reports/transactions",
};
const PAGE = "<!doctype html><title>Welcome</title>";

type KindUnderTest =
  | ProviderKindName
  | "simulator"
  | "reloadly with local amounts"
  | "reloadly with gift cards";

/** By kind: starts a gateway that sells through the kind's fake. */
export const PROVIDERS_UNDER_TEST: Record<KindUnderTest, () => Promise<ProviderUnderTest>> = {
  simulator: startSimulator,
  gateway: startGateway,
  reloadly: startReloadly,
  "reloadly with local amounts": startLocalReloadly,
  "reloadly with gift cards": startReloadlyGiftCards,
};

/** Stated by the sandbox's catalog (resources/catalog). */
const SANDBOX_PRODUCT = { ...toTopup(OFFER), cost: 297, amount: 2500, currency: "GTQ" };

function toTopup(offerId: string) {
  const body = { offerId, recipientPhoneNumber: RECIPIENT };
  return { family: "TOPUP" as const, offerId, recipient: RECIPIENT, body };
}

async function startSimulator(): Promise<ProviderUnderTest> {
  let script: Script = "usual";
  let simulator: { of: TestGateway["gateway"]; provider: Simulator } | undefined;
  const use = (chosen: Script): void => {
    script = chosen;
  };
  const scenarioOf = () => ({ name: "", description: "", script });
  const opened = (): Simulator => {
    const { gateway: of } = till;
    if (simulator?.of !== of) {
      simulator = { of, provider: new Simulator({ ...of.context, scenarioOf }) };
    }
    return simulator.provider;
  };
  let submissions = 0;
  const provider: Provider = {
    submit(order, signal) {
      submissions += 1;
      return opened().submit(order, signal);
    },
    inquire: (order) => opened().inquire(order),
    refund: (order) => opened().refund(order),
    readEsim: (esim) => opened().readEsim(esim),
    findBill: (query) => opened().findBill(query),
  };
  const till: TestGateway = await startTestGateway({ providers: { live: provider } });
  await giveLiveCatalog(till, [OFFER]);
  await till.gateway.context.recharges.recharge(OWNER, FUNDS);
  let delivered = 0;
  return {
    till,
    provider,
    product: SANDBOX_PRODUCT,
    balance: undefined,
    behaviours: {
      cuts: () => use("silent-but-fulfilled"),
      refuses: () => use("recipient-invalid"),
      isSlow: () => use("slow"),
      reprices: () => use("price-changed"),
    },
    booked: () => undefined,
    delivered: () => delivered,
    submissions: () => submissions,
    async settle() {
      await till.settle();
      const rows = await till.gateway.context.db
        .selectFrom("simulator_orders")
        .select("transaction_id")
        .where("fulfilled_at", "is not", null)
        .execute();
      delivered = rows.length;
    },
    close: () => till.close(),
  };
}

async function startGateway(): Promise<ProviderUnderTest> {
  const till = await startTestGateway();
  const upstream = await startFakeUpstream(till.clock);
  const { context } = till.gateway;
  await giveLiveCatalog(till, [OFFER]);
  await context.recharges.recharge(OWNER, FUNDS);
  const key = "live_a-secret-of-the-upstream-0123456789";
  await context.upstream.connect(OWNER, { baseUrl: upstream.url, key, allowPrivate: true });
  return {
    till,
    provider: await requireProvider(till),
    product: SANDBOX_PRODUCT,
    balance: 500_000,
    behaviours: toGatewayBehaviours(upstream, till.clock),
    // A purchase of `/v1` names an offer: the provider's catalog states its amount.
    booked: () =>
      [...upstream.books.values()].map((record) => ({
        reference: record.transactionId,
        recipient: String(record.recipientPhoneNumber),
        amount: record.offerId === OFFER ? SANDBOX_PRODUCT.amount : 0,
        currency: SANDBOX_PRODUCT.currency,
      })),
    delivered: () => upstream.books.size,
    submissions: () => [...upstream.submissions.values()].reduce((sum, one) => sum + one, 0),
    settle: () => settleRequests(till),
    async close() {
      await till.close();
      await upstream.close();
    },
  };
}

function toGatewayBehaviours(upstream: FakeUpstream, clock: Pick<Clock, "now">): Behaviours {
  const { ask } = upstream;
  const accepted = { status: "ACCEPTED" };
  const another = { transactionId: ANOTHER_REFERENCE };
  const refusal = (errorCode: string, fields = {}) => ({ errorCode, message: "No.", fields });
  const refuse = (errorCode: string, fields = {}) => {
    upstream.submit = ({ reply }) => reply(400, refusal(errorCode, fields));
  };
  return {
    cuts() {
      upstream.submit = ({ accept, request }) => {
        accept();
        request.socket.destroy();
      };
    },
    refuses: () => refuse("INVALID_REQUEST", { recipientPhoneNumber: "must be a number" }),
    isShort: () => refuse("INSUFFICIENT_FUNDS"),
    isSlow() {
      const doneAt = clock.now() + SLOW_MS;
      upstream.ask = (exchange) => {
        if (clock.now() >= doneAt) return ask(exchange);
        const { transactionId } = exchange.body;
        return exchange.reply(200, { transactionId, status: "IN_PROGRESS" });
      };
    },
    books(status) {
      upstream.submit = ({ accept, response }) => {
        accept();
        response.writeHead(status).end(PAGE);
      };
    },
    rambles() {
      upstream.submit = ({ response }) => void response.end(PAGE);
    },
    forgets() {
      upstream.ask = ({ reply }) => reply(404, refusal("NOT_FOUND"));
      upstream.submit = ({ accept, request }) => {
        accept();
        upstream.submit = ({ reply }) => {
          upstream.ask = ask;
          reply(400, refusal("DUPLICATE_TRANSACTION_ID"));
        };
        request.socket.destroy();
      };
    },
    reprices() {
      upstream.submit = ({ body, reply }) => {
        const { transactionId } = body;
        const error = { code: "PRICE_CHANGED", message: "The price has changed." };
        upstream.ask = (exchange) =>
          exchange.reply(200, { transactionId, status: "FAILED", error });
        reply(200, { transactionId, status: "ACCEPTED" });
      };
    },
    // In `/v1`, a status 4xx with a code states that nothing was booked.
    invents() {
      upstream.submit = ({ accept, reply }) => {
        accept();
        reply(500, refusal("QUOTA_EXHAUSTED"));
      };
    },
    states(status) {
      upstream.submit = ({ accept, reply }) => reply(200, { ...accept(), status });
      upstream.ask = ({ accept, reply }) => reply(200, { ...accept(), status });
    },
    isBlind(status) {
      const until = clock.now() + BLIND_MS;
      upstream.submit = ({ accept, request }) => {
        accept();
        request.socket.destroy();
      };
      upstream.ask = (exchange) => {
        if (clock.now() >= until) return ask(exchange);
        return void exchange.response.writeHead(status).end(PAGE);
      };
    },
    mixes() {
      upstream.submit = ({ reply }) => reply(200, { ...accepted, ...another });
      upstream.ask = ({ reply }) => reply(200, { status: "DONE", ...another });
    },
    isBusy(retryAfter) {
      const accept = upstream.submit;
      upstream.submit = ({ response }) => {
        upstream.submit = accept;
        response.writeHead(429, { "retry-after": retryAfter }).end("{}");
      };
    },
    overcharges() {
      upstream.ask = ({ accept, reply }) => {
        const record = accept();
        reply(200, { ...record, cost: Number(record.cost) + 1 });
      };
    },
  };
}

/** Starts a shop that has fetched Reloadly's catalog. */
export async function startReloadlyShop(...options: Parameters<typeof startTestGateway>) {
  const till = await startTestGateway(...options);
  const fake = await startFakeReloadly(till.clock);
  const { context } = till.gateway;
  await context.recharges.recharge(OWNER, FUNDS);
  await context.upstream.connect(OWNER, {
    kind: "reloadly",
    baseUrl: fake.url,
    clientId: fake.clientId,
    key: fake.secret,
    allowPrivate: true,
  });
  await context.upstreamSync.sync(OWNER);
  return { till, fake };
}

function startReloadly(): Promise<ProviderUnderTest> {
  // 5.00 minus 4.42%, rounded up.
  const amounts = { cost: 478, amount: 500, currency: "USD" };
  const product = { ...toTopup("RLD-88-5.00-USD"), ...amounts };
  return startReloadlySale({ product, paths: TOPUP_PATHS, stated: "requestedAmount" });
}

function startLocalReloadly(): Promise<ProviderUnderTest> {
  // 50.00 at a rate of 7.6512, minus 10%, rounded up.
  const amounts = { cost: 589, amount: 5000, currency: "GTQ" };
  const product = { ...toTopup("RLD-91-50.00-GTQ"), ...amounts };
  return startReloadlySale({ product, paths: TOPUP_PATHS, stated: "deliveredAmount" });
}

function startReloadlyGiftCards(): Promise<ProviderUnderTest> {
  const offerId = "RLG-4-25.00-EUR";
  // 29.105 minus 3%, rounded up, and a fee of 0.50.
  const amounts = { cost: 2874, amount: 2500, currency: "EUR" };
  const body = { offerId, fields: [] };
  const product = { family: "VOUCHER", offerId, recipient: "", body, ...amounts } as const;
  return startReloadlySale({ product, paths: GIFT_CARD_PATHS, stated: "product" });
}

async function startReloadlySale({
  product,
  paths,
  stated,
}: {
  product: ProviderUnderTest["product"];
  paths: typeof TOPUP_PATHS;
  stated: "requestedAmount" | "deliveredAmount" | "product";
}): Promise<ProviderUnderTest> {
  const { till, fake } = await startReloadlyShop();
  fake.operators = [...fake.operators, MOVISTAR];
  fake.products = [AMAZON_ES];
  await till.gateway.context.upstreamSync.sync(OWNER);
  const books = paths === TOPUP_PATHS ? fake.books : fake.orders;
  const toBooked = (record: Record<string, unknown>): BookedOrder => {
    const card = record.product as Record<string, unknown> | undefined;
    const amount = card ? card.unitPrice : record[stated];
    return {
      reference: String(record.customIdentifier),
      recipient: card ? "" : `+${String(record.recipientPhone)}`,
      amount: toMinorExactly(new Exact(String(amount)), 100) ?? Number.NaN,
      currency: String(card ? card.currencyCode : record[`${stated}CurrencyCode`]),
    };
  };
  return {
    till,
    provider: await requireProvider(till),
    product,
    balance: 500_023,
    behaviours: toReloadlyBehaviours(fake, till.clock, paths),
    booked: () => [...books.values()].map(toBooked),
    delivered: () => books.size,
    submissions: () => fake.received,
    settle: () => settleRequests(till),
    async close() {
      await till.close();
      await fake.close();
    },
  };
}

function toReloadlyBehaviours(
  fake: FakeReloadly,
  clock: Pick<Clock, "now">,
  { submission, list }: typeof TOPUP_PATHS,
): Partial<Behaviours> {
  const isTopup = submission === TOPUP_PATHS.submission;
  const booked = isTopup ? fake.books : fake.orders;
  const answerSubmission = (answer: (exchange: ReloadlyExchange) => void) => {
    fake.interfere = (exchange) => {
      const isSubmission = exchange.path === submission;
      if (isSubmission) answer(exchange);
      return isSubmission;
    };
  };
  const refuse = (errorCode: string) =>
    answerSubmission((exchange) => exchange.refuse(400, errorCode));
  const cut = ({ accept, request }: ReloadlyExchange) => {
    accept();
    request.socket.destroy();
  };
  return {
    cuts: () => answerSubmission(cut),
    // A gift card has no recipient.
    ...(isTopup && { refuses: () => refuse("INVALID_RECIPIENT_PHONE") }),
    isShort: () => refuse("INSUFFICIENT_BALANCE"),
    isSlow() {
      const doneAt = clock.now() + SLOW_MS;
      fake.status = "PROCESSING";
      fake.interfere = () => {
        const isDone = clock.now() >= doneAt;
        for (const record of booked.values()) if (isDone) record.status = "SUCCESSFUL";
        return false;
      };
    },
    books: (status) =>
      answerSubmission(({ accept, response }) => {
        accept();
        response.writeHead(status).end(PAGE);
      }),
    rambles: () => answerSubmission(({ response }) => void response.end(PAGE)),
    forgets() {
      fake.interfere = (exchange) => {
        const isList = exchange.path === list;
        if (isList) exchange.reply(200, { content: [] });
        if (exchange.path !== submission) return isList;
        const isSecond = booked.size > 0;
        if (isSecond) fake.interfere = () => false;
        else cut(exchange);
        return !isSecond;
      };
    },
    reprices: () =>
      answerSubmission(({ refuse: answer }) => {
        if (isTopup) answer(400, "INVALID_AMOUNT_FOR_OPERATOR");
        // The documented refusal of a gift card has no code.
        else answer(400, "", "Invalid price, please ensure you selected the right price.");
      }),
    invents: () =>
      answerSubmission(({ accept, refuse: answer }) => {
        accept();
        answer(400, "QUOTA_EXHAUSTED");
      }),
    states: (status) =>
      answerSubmission(({ accept, reply }) => {
        reply(200, Object.assign(accept(), { status }));
      }),
    isBlind(status) {
      const until = clock.now() + BLIND_MS;
      fake.interfere = (exchange) => {
        const isSubmission = exchange.path === submission && booked.size === 0;
        if (isSubmission) cut(exchange);
        const isHidden = exchange.path === list && clock.now() < until;
        if (isHidden) exchange.response.writeHead(status).end(PAGE);
        return isSubmission || isHidden;
      };
    },
    mixes() {
      const state = { status: "SUCCESSFUL", customIdentifier: ANOTHER_REFERENCE };
      fake.interfere = ({ path, reply }) => {
        if (path === submission) reply(200, { transactionId: 1, ...state });
        if (path === list) reply(200, { content: [{ transactionId: 1, ...state }] });
        return path === submission || path === list;
      };
    },
    isBusy: (retryAfter) =>
      answerSubmission(({ reply }) => {
        fake.interfere = () => false;
        reply(429, {}, { "retry-after": retryAfter });
      }),
    overcharges: () =>
      answerSubmission(({ accept, reply }) => {
        const record = accept();
        reply(200, { ...record, balanceInfo: { cost: 4.8, currencyCode: "USD" } });
      }),
  };
}

async function requireProvider(till: TestGateway): Promise<Provider> {
  const provider = await till.gateway.context.upstream.findProvider(OWNER);
  if (!provider) throw new Error("no provider is connected");
  return provider;
}

/** Requires that the fake leaves no request without an answer. */
async function settleRequests(till: TestGateway): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await till.settle();
    await till.gateway.context.engine.idle();
  }
  await till.settle();
}
