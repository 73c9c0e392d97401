import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createGateway } from "../index.ts";
import { systemClock } from "../lib/clock.ts";
import { type Exchange, type FakeUpstream, startFakeUpstream } from "./fake-upstream.ts";
import { createTestKeys, TEST_OVERRIDES, testConfig } from "./first-day.ts";
import { giveLiveCatalog } from "./live-catalog.ts";
import { type Finished, runProgram } from "./run-program.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";
import { Random } from "./simulation/random.ts";
import { type Receiver, startReceiver } from "./webhook-receiver.ts";

const OFFER = "TIGO_GT_TOPUP_25";
const NUMBER = "+50251234567";
const OWNER = { ownerName: "Olga", ownerPin: "471183" };
const PROVIDER_KEY = "live_a-secret-of-the-provider-0123456789";
const TEST = { accountId: "default", environment: "test" } as const;
const LIVE = { accountId: "default", environment: "live", staffId: undefined } as const;
const FUNDS = 1_000_000_000;
/** The provider needs up to as long to take a purchase, and then to say so: a process may die meanwhile. */
const MOST_UNTIL_TAKEN_MS = 200;
const MOST_UNTIL_TOLD_MS = 40;
const ASK_AGAIN_MS = 25;

/** A sale as the till has it, as much of it as is looked at here. */
interface Sale {
  readonly saleId: string;
  readonly saleNumber: number;
  readonly lines: readonly { readonly status: string }[];
}

/** Whether what was sold was delivered. */
export function isDone({ lines }: Sale): boolean {
  return lines.every(({ status }) => status === "DONE");
}

/** What was sold, and what became of it by the last answer. */
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

/** A shop on a PostgreSQL that several processes serve, with a provider and a receiver of webhooks outside. */
export class ManyProcesses {
  readonly provider: FakeUpstream;
  readonly receiver: Receiver;
  readonly random = new Random(20_261_126);
  /** How often the provider took each purchase. */
  readonly taken = new Map<string, number>();
  /** The sales that a till has seen delivered which followed all of them. */
  readonly followed = new Set<string>();
  /** Undefined while it is down. */
  readonly processes: (ServerProcess | undefined)[];
  readonly #dirs: readonly string[];
  readonly #root: string;
  readonly #database: string;
  #key = "";
  #cookie = "";
  #ends = false;
  #following: Promise<void> | undefined;

  private constructor(root: string, database: string, count: number, means: Means) {
    this.#root = root;
    this.#database = database;
    this.#dirs = Array.from({ length: count }, (_, n) => join(root, `machine-${n}`));
    this.processes = this.#dirs.map(() => undefined);
    this.provider = means.provider;
    this.receiver = means.receiver;
  }

  /** @param database the address of an empty one */
  static async open(database: string, count = 3): Promise<ManyProcesses> {
    const root = mkdtempSync(join(tmpdir(), "tillgate-processes-"));
    const provider = await startFakeUpstream(systemClock);
    const receiver = await startReceiver();
    const shop = new ManyProcesses(root, database, count, { provider, receiver });
    provider.submit = (exchange) => void shop.#takeSlowly(exchange);
    await shop.#setUp();
    await Promise.all(shop.#dirs.map((_, n) => shop.start(n)));
    await shop.#signIn();
    return shop;
  }

  /**
   * Takes a purchase after a while, unless who sent it is gone by then, and says so a while later: what asks
   * about it too early is told that it was never received.
   */
  async #takeSlowly({ response, body, accept, reply }: Exchange): Promise<void> {
    const { transactionId } = body;
    await sleep(this.random.integer(0, MOST_UNTIL_TAKEN_MS));
    if (response.closed) return;
    accept();
    this.taken.set(transactionId, (this.taken.get(transactionId) ?? 0) + 1);
    await sleep(this.random.integer(0, MOST_UNTIL_TOLD_MS));
    reply(200, { status: "ACCEPTED", transactionId });
  }

  /** The first start, by a gateway that is closed again; all processes have its key file. */
  async #setUp(): Promise<void> {
    const [first = "", ...others] = this.#dirs;
    mkdirSync(first, { mode: 0o700 });
    const config = testConfig(first, this.#database);
    const gateway = await createGateway(config, TEST_OVERRIDES);
    try {
      this.#key = (await createTestKeys(gateway)).live;
      const { context } = gateway;
      await giveLiveCatalog({ gateway, clock: systemClock }, [OFFER]);
      await context.recharges.recharge(LIVE, FUNDS);
      await context.recharges.setTestWallet(TEST, FUNDS);
      // Nobody touches the till here, which sells for longer than it may stand idle.
      await context.settings.change({ accountId: "default" }, { idleLockMinutes: 0 });
      const there = { baseUrl: this.provider.url, key: PROVIDER_KEY, allowPrivate: true };
      await context.upstream.connect(LIVE, there);
      const hook = { environment: "live", kind: "TOPUP", allowPrivate: true } as const;
      await context.webhooks.add(LIVE, { ...hook, url: this.receiver.url });
    } finally {
      await gateway.close();
    }
    for (const dir of others) {
      mkdirSync(dir, { mode: 0o700 });
      copyFileSync(join(first, "secrets.key"), join(dir, "secrets.key"));
    }
  }

  async #signIn(): Promise<void> {
    const answer = await this.#call("/pos/setup", {
      body: { shopName: "Corner Shop", currency: "USD", language: "en", ...OWNER },
    });
    this.#cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    const shift = { shiftId: crypto.randomUUID(), float: 0 };
    await this.#call("/pos/shifts", { body: shift });
  }

  async start(n: number): Promise<void> {
    this.processes[n] = await startServerProcess(this.#dirs[n] ?? "", "0", {
      TILLGATE_DATABASE: this.#database,
    });
  }

  /** Ends one, and the work of its clients goes on at the others. */
  async end(n: number, signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const process = this.processes[n];
    this.processes[n] = undefined;
    return (await process?.kill(signal)) ?? null;
  }

  /** Asks any of them, and another when that one dies before it has answered. */
  async #call(
    path: string,
    { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; headers: Headers; body: never }> {
    for (;;) {
      const process = this.random.pick(this.processes);
      const response = await ask(process?.url, path, {
        headers: {
          ...(this.#cookie !== "" && { cookie: this.#cookie }),
          ...(body && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body && { method: "POST", body: JSON.stringify(body) }),
      });
      if (response && response.status < 500 && response.status !== 429) {
        const answer = await response.json().catch(() => undefined);
        if (answer !== undefined) {
          return { status: response.status, headers: response.headers, body: answer as never };
        }
      }
      const pause = Number(response?.headers.get("retry-after") ?? 0) * 1000;
      await sleep(Math.max(pause, ASK_AGAIN_MS));
    }
  }

  /** @throws where the answer is no refusal that was expected */
  async get<Body>(path: string): Promise<Body> {
    const headers = path.startsWith("/v1") ? { authorization: `Bearer ${this.#key}` } : {};
    const { status, body } = await this.#call(path, { headers });
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Clients that sell until `end`, half of them by `/v1` and half at the till. */
  sell(clients: number): Load {
    const purchases = new Set<string>();
    const sales = new Set<string>();
    let answers = 0;
    let isOver = false;
    const buyers = Array.from({ length: clients }, async (_, client) => {
      while (!isOver) {
        if (client % 2 === 0) purchases.add(await this.#buy());
        else sales.add(await this.#sellAtTill());
        answers += 1;
      }
    });
    const all = Promise.all(buyers);
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

  async #buy(): Promise<string> {
    const transactionId = crypto.randomUUID();
    const { status, body } = await this.#call("/v1/topups/purchases", {
      headers: { authorization: `Bearer ${this.#key}` },
      body: { offerId: OFFER, transactionId, recipientPhoneNumber: NUMBER },
    });
    // The one that was asked first may have taken it, and died before it said so.
    const { errorCode } = body as { errorCode?: string };
    if (status !== 200 && errorCode !== "DUPLICATE_TRANSACTION_ID") {
      throw new Error(`a purchase was refused: ${status} ${JSON.stringify(body)}`);
    }
    return transactionId;
  }

  async #sellAtTill(): Promise<string> {
    const { price } = (await this.#call("/pos/quotes", { body: { offerId: OFFER } })).body;
    const saleId = crypto.randomUUID();
    const line = { productType: "TOPUP", offerId: OFFER, recipientPhoneNumber: NUMBER, price };
    const { status, body } = await this.#call("/pos/sales", {
      body: {
        saleId,
        lines: [{ ...line, transactionId: crypto.randomUUID() }],
        tenders: [{ kind: "CASH", tendered: price }],
      },
    });
    if (status !== 200) throw new Error(`a sale was refused: ${status} ${JSON.stringify(body)}`);
    return saleId;
  }

  /**
   * Follows all sales as a till does: at any process, at another when that one dies, from the last event
   * that it had.
   */
  follow(): void {
    this.#following = this.#follow();
  }

  async #follow(): Promise<void> {
    let last: string | undefined;
    while (!this.#ends) {
      const process = this.random.pick(this.processes);
      const response = await ask(process?.url, "/pos/events", {
        headers: {
          cookie: this.#cookie,
          accept: "text/event-stream",
          ...(last !== undefined && { "last-event-id": last }),
        },
      });
      if (!response?.ok || !response.body) {
        await sleep(ASK_AGAIN_MS);
        continue;
      }
      try {
        for await (const { id, event, data } of eventsOf(response.body)) {
          if (event === "sale") await this.#look((JSON.parse(data) as Sale).saleId);
          if (event === "again") await this.#lookAtAll();
          last = id;
          if (this.#ends) return;
        }
      } catch {
        // The process is gone: it goes on at another.
      }
    }
  }

  async #look(saleId: string): Promise<void> {
    this.#keepIfDone(await this.get<Sale>(`/pos/sales/${saleId}`));
  }

  async #lookAtAll(): Promise<void> {
    for (const sale of await this.listSales()) this.#keepIfDone(sale);
  }

  #keepIfDone(sale: Sale): void {
    if (isDone(sale)) this.followed.add(sale.saleId);
  }

  async listSales(): Promise<Sale[]> {
    const all: Sale[] = [];
    for (;;) {
      const { list } = await this.get<{ list: Sale[] }>(`/pos/sales?limit=50&offset=${all.length}`);
      all.push(...list);
      if (list.length < 50) return all;
    }
  }

  /** The command line, on the shop's database. */
  command(...args: string[]): Promise<Finished> {
    const env = { TILLGATE_DATABASE: this.#database, TILLGATE_DATA: this.#dirs[0] ?? "" };
    return runProgram("admin/tillgate.ts", args, { env });
  }

  async close(): Promise<void> {
    this.#ends = true;
    for (const n of this.processes.keys()) await this.end(n, "SIGKILL");
    await this.#following;
    await this.provider.close();
    await this.receiver.close();
    rmSync(this.#root, { recursive: true, force: true });
  }
}

interface Means {
  provider: FakeUpstream;
  receiver: Receiver;
}

/** Undefined where nobody answers. */
async function ask(
  url: string | undefined,
  path: string,
  init: RequestInit,
): Promise<Response | undefined> {
  if (url === undefined) return undefined;
  try {
    return await fetch(`${url}${path}`, init);
  } catch {
    return undefined;
  }
}

interface StreamedEvent {
  id: string;
  event: string;
  data: string;
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end === -1) break;
      const fields = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const field = (name: string) =>
        fields.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
      yield { id: field("id"), event: field("event"), data: field("data") };
    }
  }
}
