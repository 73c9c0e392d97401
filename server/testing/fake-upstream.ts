import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../lib/clock.ts";

export interface Purchase {
  transactionId: string;
  [field: string]: unknown;
}

/** A request, with functions for its possible responses. `accept` books the purchase. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  body: Purchase;
  accept(): Purchase;
  reply(status: number, body: unknown): void;
  /** Sends no response until the gateway aborts the request. */
  hang(): void;
}

export type Behaviour = (exchange: Exchange) => void;

export interface FakeUpstream {
  readonly url: string;
  /** Booked purchases by id. The upstream fulfils each id only once. */
  readonly books: Map<string, Purchase>;
  readonly submissions: Map<string, number>;
  readonly questions: string[];
  /** Handles submissions. Honest by default; tests replace this function. */
  submit: Behaviour;
  ask: Behaviour;
  balance: unknown;
  /** Resolves when the upstream has received a request that it never answers. */
  stuck(): Promise<void>;
  /** Resolves when the gateway has aborted all unanswered requests from before the time `since`. */
  givenUp(since: number): Promise<void>;
  /** Stops listening. `up` listens again on the same port. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a fake gateway with the operations of `/v1` that a top-up needs. */
export async function startFakeUpstream(clock: Pick<Clock, "now">): Promise<FakeUpstream> {
  const books = new Map<string, Purchase>();
  const submissions = new Map<string, number>();
  const open = new Map<ServerResponse, number>();
  let watchers: (() => void)[] = [];
  let port = 0;

  function notify(): void {
    const woken = watchers;
    watchers = [];
    for (const watcher of woken) watcher();
  }
  async function when(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => watchers.push(resolve));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const path = request.url ?? "";
    const id = path.split("/").at(-1) ?? "";
    const body = text === "" ? { transactionId: id } : (JSON.parse(text) as Purchase);
    const exchange: Exchange = {
      request,
      response,
      body,
      accept() {
        const record = books.get(body.transactionId) ?? fulfil(body, clock);
        books.set(body.transactionId, record);
        return record;
      },
      reply(status, answer) {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(answer));
      },
      hang() {
        open.set(response, clock.now());
        response.on("close", () => {
          open.delete(response);
          notify();
        });
        notify();
      },
    };
    if (path === "/v1/balance") return exchange.reply(200, upstream.balance);
    if (!path.includes("/purchases")) return exchange.reply(404, NOT_FOUND);
    if (request.method === "POST") {
      submissions.set(body.transactionId, (submissions.get(body.transactionId) ?? 0) + 1);
      return upstream.submit(exchange);
    }
    upstream.questions.push(id);
    return upstream.ask(exchange);
  }
  function listen(): Promise<void> {
    return new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  }
  function stop(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
  await listen();
  port = (server.address() as AddressInfo).port;

  const upstream: FakeUpstream = {
    url: `http://127.0.0.1:${port}`,
    books,
    submissions,
    questions: [],
    submit: acceptHonestly,
    ask: answerHonestly(books),
    balance: { availableBalance: 500_000, currency: "USD", currencyDivisor: 100 },
    stuck: () => when(() => open.size > 0),
    givenUp: (since) => when(() => [...open.values()].every((at) => at > since)),
    down: stop,
    up: listen,
    close: () => (server.listening ? stop() : Promise.resolve()),
  };
  return upstream;
}

const NOT_FOUND = { errorCode: "NOT_FOUND", message: "There is no such thing.", fields: {} };

export function acceptHonestly({ accept, reply }: Exchange): void {
  reply(200, { status: "ACCEPTED", transactionId: accept().transactionId });
}

function answerHonestly(books: Map<string, Purchase>): Behaviour {
  return ({ body, reply }) => {
    const record = books.get(body.transactionId);
    if (record) reply(200, record);
    else reply(404, NOT_FOUND);
  };
}

function fulfil(body: Purchase, clock: Pick<Clock, "now">): Purchase {
  return {
    ...body,
    status: "DONE",
    cost: 297,
    costCurrency: "USD",
    costCurrencyDivisor: 100,
    updatedAt: new Date(clock.now()).toISOString(),
    log: [],
    confirmation: {
      confirmationNumber: "C-1",
      externalReferenceId: `X-${body.transactionId}`,
      transactionTime: new Date(clock.now()).toISOString(),
    },
  };
}
