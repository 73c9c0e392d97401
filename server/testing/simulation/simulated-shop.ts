import type { FastifyInstance } from "fastify";
import type { Environment } from "../../contract/common.ts";
import type { ErrorCode } from "../../contract/error-codes.ts";
import { Problem } from "../../contract/problem.ts";
import { getConnections } from "../../db/connections.ts";
import { buildApp } from "../../gateway/app.ts";
import { type Context, createContext } from "../../gateway/context.ts";
import { type Clock, SECOND } from "../../lib/clock.ts";
import type { SendOutgoing } from "../../lib/guarded-request.ts";
import type { Ids } from "../../lib/ids.ts";
import type { Provider } from "../../providers/provider.ts";
import { cutConnections } from "../direct-writes.ts";
import type { FakeClock } from "../fake-clock.ts";
import { nextPoll } from "../until.ts";
import type { Random } from "./random.ts";
import type { SimulatedProvider } from "./simulated-provider.ts";
import type { SimulatedReceiver } from "./simulated-receiver.ts";
import { type DatabaseServer, simulationConfig } from "./template-shop.ts";

const CRASH_POINTS = ["before", "inside", "after"] as const;

/** Response to a client; undefined after a power cut. */
export interface ClientAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a simulation looks into whatever came back.
  body: any;
}

interface SimulatedShopDeps {
  dataDir: string;
  /** Address of the shop's database on a server; undefined for SQLite. */
  database: string | undefined;
  server: DatabaseServer | undefined;
  clock: FakeClock;
  random: Random;
  provider: SimulatedProvider;
  receiver: SimulatedReceiver;
  keys: Record<Environment, string>;
}

/**
 * A gateway with a real database, whose power can fail before, inside or after any database
 * transaction. Only committed data survives, and later actions of the dead process have no effect.
 */
export class SimulatedShop {
  readonly #deps: SimulatedShopDeps;
  #process: Process | undefined;
  /** Number of database transactions until the power fails; undefined if it will not fail. */
  #crashIn: number | undefined;
  /** Settles when all connections of the dead process to a database server have ended. */
  #cut: Promise<void> = Promise.resolve();
  crashes = 0;

  constructor(deps: SimulatedShopDeps) {
    this.#deps = deps;
  }

  get context(): Context {
    return this.#running().context;
  }

  /** Starts the gateway; again if the power fails during the start. */
  async start(): Promise<void> {
    while (!this.#process) {
      await this.#cut;
      const { dataDir, database, random } = this.#deps;
      const clock = new ProcessClock(this.#deps.clock);
      const overrides = {
        clock,
        ids: seededIds(random),
        automaticBackups: false,
        automaticAlerts: false,
        auditAtStart: false,
        // The simulated shop sells in both environments at once.
        requireEnvironment: async () => undefined,
        rateLimit: { burst: 1e9, perSecond: 1e9 },
        sendOutgoing: this.#deliver(clock),
        providers: { test: this.#reach(clock), live: this.#reach(clock) },
      };
      const context = await createContext(simulationConfig(dataDir, database), overrides);
      this.#process = { clock, context, app: await buildApp(context) };
      this.#wire(this.#process);
      await this.#process.app.ready();
      await context.start().catch(this.#unlessDead(clock));
      await this.settle();
    }
  }

  /** Stops the gateway normally, which waits for the provider's response to an open query. */
  async stop(): Promise<void> {
    const { app, context, clock } = this.#running();
    let ended = false;
    const end = async () => {
      await app.close();
      await context.dispose();
      ended = true;
    };
    const ending = end().catch(this.#unlessDead(clock));
    while (!ended && !clock.stopped) {
      await this.settle();
      this.#deps.clock.set(this.#deps.clock.now() + SECOND);
    }
    // Does not wait in a dead process, where work that waits for the provider never ends.
    if (!clock.stopped) await ending;
    this.#process = undefined;
  }

  crashNoMore(): void {
    this.#crashIn = undefined;
  }

  crashAfter(transactions: number): void {
    this.#crashIn = transactions;
  }

  /** Cuts the power of the gateway, but not of a database server. */
  async crash(): Promise<void> {
    const running = this.#process;
    if (!running) return;
    running.clock.stop();
    this.#process = undefined;
    this.#crashIn = undefined;
    this.crashes += 1;
    const { database, server } = this.#deps;
    cutConnections(running.context.db);
    if (database !== undefined) this.#cut = server?.cut(database) ?? this.#cut;
    await this.#cut;
    running.context.db.destroy().catch(() => {});
  }

  /**
   * Calls an operation of `/v1`.
   * @returns undefined if the power failed before the response
   */
  async call(
    environment: Environment,
    method: "GET" | "POST",
    path: string,
    body?: object,
  ): Promise<ClientAnswer | undefined> {
    const { app, clock } = this.#running();
    const answer = await app
      .inject({
        method,
        url: `/v1${path}`,
        headers: { authorization: `Bearer ${this.#deps.keys[environment]}` },
        ...(body && { payload: body }),
      })
      .catch(this.#unlessDead(clock));
    if (clock.stopped || !answer) return undefined;
    return { status: answer.statusCode, body: answer.json() };
  }

  /**
   * Performs an action of the till, as an HTTP route does.
   * @returns the action's result or error code; undefined if the power failed first
   */
  async attempt<T>(
    work: (context: Context) => Promise<T>,
  ): Promise<{ done: T } | { refused: ErrorCode } | undefined> {
    const { context, clock } = this.#running();
    try {
      const done = await Promise.race([work(context), clock.ended]);
      return clock.stopped || done === ENDED ? undefined : { done };
    } catch (error) {
      if (clock.stopped) return undefined;
      if (error instanceof Problem) return { refused: error.errorCode };
      throw error;
    }
  }

  /** Runs all work that waits for neither the clock nor the provider. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 32; turn++) {
      await new Promise(setImmediate);
      // These turns are enough for SQLite, but a database server may need more time.
      const running = this.#process;
      if (!running || getConnections(running.context.db).countUnderWay() === 0) continue;
      // Busy waiting would take the server's processor.
      await nextPoll(1);
      turn = 0;
    }
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  #running(): Process {
    if (!this.#process) throw new Error("the gateway is not running");
    return this.#process;
  }

  #wire({ context }: Process): void {
    // Makes no backups, because the duration of a copy depends on the disk, not on the seed.
    context.backups.runJob = () => Promise.resolve();
    const transact = context.transactor.transact.bind(context.transactor);
    context.transactor.transact = async (lock, work) => {
      // Refuses work of a dead process, for which a connection pool would open a new connection.
      if (this.#process?.context !== context) throw new Error("the power failed");
      if (this.#crashIn === undefined) return transact(lock, work);
      this.#crashIn -= 1;
      if (this.#crashIn > 0) return transact(lock, work);
      const point = this.#deps.random.pick(CRASH_POINTS);
      if (point === "before") {
        await this.crash();
        throw new Error("the power failed");
      }
      const result = await transact(lock, async (tx) => {
        const written = await work(tx);
        if (point === "inside") await this.crash();
        return written;
      });
      if (point === "after") await this.crash();
      return result;
    };
  }

  /** Returns a provider that answers only while the process lives. */
  #reach(clock: ProcessClock): Provider {
    const { provider } = this.#deps;
    function alive<T>(call: () => Promise<T>): Promise<T> {
      return clock.stopped ? new Promise<never>(() => {}) : call();
    }
    return {
      submit: (order, signal) => alive(() => provider.submit(order, signal)),
      inquire: (order, signal) => alive(() => provider.inquire(order, signal)),
      refund: (order, signal) => alive(() => provider.refund(order, signal)),
      readEsim: () => alive(() => provider.readEsim()),
      findBill: () => alive(() => provider.findBill()),
    };
  }

  /** Returns a sender that sends webhooks only while the process lives. */
  #deliver(clock: ProcessClock): SendOutgoing {
    const { receiver } = this.#deps;
    return (request) =>
      clock.stopped ? new Promise<never>(() => {}) : receiver.answer(request, clock);
  }

  #unlessDead(clock: ProcessClock): (error: unknown) => undefined {
    return (error) => {
      if (!clock.stopped) throw error;
      return undefined;
    };
  }
}

const ENDED = Symbol("the power failed");

interface Process {
  clock: ProcessClock;
  context: Context;
  app: FastifyInstance;
}

/** The clock of one process, based on the simulation's clock. Its timers end with the process. */
class ProcessClock implements Clock {
  readonly #world: FakeClock;
  readonly #cancels = new Set<() => void>();
  stopped = false;
  #end: (ended: typeof ENDED) => void = () => {};
  /** Settles when the process dies, so that callers stop waiting for a response. */
  readonly ended = new Promise<typeof ENDED>((resolve) => {
    this.#end = resolve;
  });

  constructor(world: FakeClock) {
    this.#world = world;
  }

  now(): number {
    return this.#world.now();
  }

  running(): number {
    return this.#world.running();
  }

  wakeAt(at: number, callback: () => void): () => void {
    if (this.stopped) return () => {};
    const cancelTimer = this.#world.wakeAt(at, () => {
      this.#cancels.delete(cancel);
      callback();
    });
    const cancel = () => {
      cancelTimer();
      this.#cancels.delete(cancel);
    };
    this.#cancels.add(cancel);
    return cancel;
  }

  stop(): void {
    this.stopped = true;
    this.#end(ENDED);
    for (const cancel of this.#cancels) cancel();
  }
}

function seededIds(random: Random): Ids {
  const hex = (length: number) =>
    Array.from({ length }, () => random.integer(0, 15).toString(16)).join("");
  return {
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    secret: (bytes) => hex(bytes * 2),
  };
}
