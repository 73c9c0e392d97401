import type { Clock } from "../lib/clock.ts";
import type { Provider } from "../providers/provider.ts";
import type { Script } from "../providers/simulator/scenario.ts";
import { Simulator } from "../providers/simulator/simulator.ts";
import { type FakeReloadly, type ReloadlyExchange, startFakeReloadly } from "./fake-reloadly.ts";
import { type FakeUpstream, startFakeUpstream } from "./fake-upstream.ts";
import { giveLiveCatalog } from "./live-catalog.ts";
import { startTestGateway, type TestGateway } from "./test-gateway.ts";

/** Behaviours of a provider, which each fake arranges for the next submission. */
export interface Behaviours {
  /** Books the order, and cuts the connection. */
  cuts(): void;
  /** Refuses the recipient. */
  refuses(): void;
  /** Refuses the order, because the shop's balance there is too low. */
  isShort(): void;
  /** Books the order, and delivers it a minute later. */
  isSlow(): void;
  /** Books the order, and answers with a page for people. */
  books(): void;
  /** Books nothing, and answers with a page for people. */
  rambles(): void;
  /** Books the order and cuts the connection, and denies it until it refuses a second submission. */
  forgets(): void;
  /** Refuses the amount, which its catalog no longer has. */
  reprices(): void;
}

/** A gateway whose live environment sells through a fake of one kind of provider. */
export interface ProviderUnderTest {
  till: TestGateway;
  provider: Provider;
  offerId: string;
  /** Behaviours that the fake can have. */
  behaviours: Partial<Behaviours>;
  /** Number of delivered orders. */
  delivered(): number;
  /** Waits until no request is open. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export const OWNER = { accountId: "default", environment: "live", staffId: undefined } as const;
const OFFER = "TIGO_GT_TOPUP_25";
const FUNDS = 100_000;
const SLOW_MS = 60_000;
const PAGE = "<!doctype html><title>Welcome</title>";

/** By kind: starts a gateway that sells through the kind's fake. */
export const PROVIDERS_UNDER_TEST: Record<string, () => Promise<ProviderUnderTest>> = {
  simulator: startSimulator,
  gateway: startGateway,
  reloadly: startReloadly,
};

async function startSimulator(): Promise<ProviderUnderTest> {
  let script: Script = "usual";
  let simulator: Simulator | undefined;
  const use = (chosen: Script): void => {
    script = chosen;
  };
  const scenarioOf = () => ({ name: "", description: "", script });
  const opened = (): Simulator => {
    simulator ??= new Simulator({ ...till.gateway.context, scenarioOf });
    return simulator;
  };
  const provider: Provider = {
    get capabilities() {
      return opened().capabilities;
    },
    submit: (order, signal) => opened().submit(order, signal),
    inquire: (order) => opened().inquire(order),
    refund: (order) => opened().refund(order),
    readEsim: (esim) => opened().readEsim(esim),
    findBill: (query) => opened().findBill(query),
  };
  const till: TestGateway = await startTestGateway({ providers: { live: provider } });
  await giveLiveCatalog(till, [OFFER]);
  await till.gateway.context.recharges.recharge(OWNER, FUNDS);
  const { db } = till.gateway.context;
  let delivered = 0;
  return {
    till,
    provider,
    offerId: OFFER,
    behaviours: {
      cuts: () => use("silent-but-fulfilled"),
      refuses: () => use("recipient-invalid"),
      isSlow: () => use("slow"),
      reprices: () => use("price-changed"),
    },
    delivered: () => delivered,
    async settle() {
      await till.settle();
      const rows = await db
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
    offerId: OFFER,
    behaviours: toGatewayBehaviours(upstream, till.clock),
    delivered: () => upstream.books.size,
    settle: () => settleRequests(till),
    async close() {
      await till.close();
      await upstream.close();
    },
  };
}

function toGatewayBehaviours(upstream: FakeUpstream, clock: Pick<Clock, "now">): Behaviours {
  const { ask } = upstream;
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
    books() {
      upstream.submit = ({ accept, response }) => {
        accept();
        response.end(PAGE);
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
  };
}

/** Starts a shop that has fetched Reloadly's catalog. */
export async function startReloadlyShop() {
  const till = await startTestGateway();
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

async function startReloadly(): Promise<ProviderUnderTest> {
  const { till, fake } = await startReloadlyShop();
  return {
    till,
    provider: await requireProvider(till),
    offerId: "RLD-88-5.00-USD",
    behaviours: toReloadlyBehaviours(fake, till.clock),
    delivered: () => fake.books.size,
    settle: () => settleRequests(till),
    async close() {
      await till.close();
      await fake.close();
    },
  };
}

function toReloadlyBehaviours(fake: FakeReloadly, clock: Pick<Clock, "now">): Behaviours {
  const answerTopup = (answer: (exchange: ReloadlyExchange) => void) => {
    fake.interfere = (exchange) => {
      const isTopup = exchange.path === "/topups";
      if (isTopup) answer(exchange);
      return isTopup;
    };
  };
  const refuse = (errorCode: string) => answerTopup((exchange) => exchange.refuse(400, errorCode));
  const cut = ({ accept, request }: ReloadlyExchange) => {
    accept();
    request.socket.destroy();
  };
  return {
    cuts: () => answerTopup(cut),
    refuses: () => refuse("INVALID_RECIPIENT_PHONE"),
    isShort: () => refuse("INSUFFICIENT_BALANCE"),
    isSlow() {
      const doneAt = clock.now() + SLOW_MS;
      fake.status = "PROCESSING";
      fake.interfere = () => {
        const isDone = clock.now() >= doneAt;
        for (const record of fake.books.values()) if (isDone) record.status = "SUCCESSFUL";
        return false;
      };
    },
    books: () =>
      answerTopup(({ accept, response }) => {
        accept();
        response.end(PAGE);
      }),
    rambles: () => answerTopup(({ response }) => void response.end(PAGE)),
    forgets() {
      fake.interfere = (exchange) => {
        const isList = exchange.path === "/topups/reports/transactions";
        if (isList) exchange.reply(200, { content: [] });
        if (exchange.path !== "/topups") return isList;
        const isSecond = fake.books.size > 0;
        if (isSecond) fake.interfere = () => false;
        else cut(exchange);
        return !isSecond;
      };
    },
    reprices: () => refuse("INVALID_AMOUNT_FOR_OPERATOR"),
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
