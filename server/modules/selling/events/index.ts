import { once } from "node:events";
import type { FastifyReply } from "fastify";
import type { EventName } from "../../../contract/pos/sales.ts";
import { Problem } from "../../../contract/problem.ts";
import { type Change, latestChangeId, listChanges, type Scope } from "../../../db/changes.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { handleStream } from "../../../http/pos-operations.ts";
import { SECOND } from "../../../lib/clock.ts";
import type { Base, Module } from "../../module.ts";
import { findSaleIds } from "../sales/index.ts";

/** Serialized event, whose bytes all streams share. */
export interface PosEvent {
  readonly id: string;
  readonly bytes: Buffer;
}

function createEvent(id: string, event: EventName, data: object = {}): PosEvent {
  return {
    id,
    bytes: Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
  };
}

/** Training may start and end within a session. */
interface FollowingSession extends Scope {
  tokenHash: string;
  training: boolean;
}

/** A till with more waiting events gets a single event that makes it reload everything. */
const MAX_WAITING_EVENTS = 100;

/** Events that wait for one stream. Only the newest unsent event of each subject is kept. */
class Follower {
  readonly session: FollowingSession;
  readonly #waiting = new Map<string, PosEvent>();
  #ended = false;
  #wake: () => void = () => {};

  constructor(session: FollowingSession) {
    this.session = session;
  }

  send(subject: string, event: PosEvent): void {
    this.#waiting.delete(subject);
    this.#waiting.set(subject, event);
    if (this.#waiting.size > MAX_WAITING_EVENTS) {
      this.#waiting.clear();
      this.#waiting.set("again", createEvent(event.id, "again"));
    }
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *events(signal: AbortSignal): AsyncGenerator<PosEvent> {
    const stop = () => this.#wake();
    signal.addEventListener("abort", stop, { once: true });
    try {
      while (!signal.aborted) {
        const [next] = this.#waiting;
        if (next) {
          this.#waiting.delete(next[0]);
          yield next[1];
        } else if (this.#ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

interface EventFeedDeps extends Pick<Base, "db" | "transactor" | "watch" | "clock" | "log"> {
  findSessions(tokenHashes: readonly string[]): Promise<ReadonlyMap<string, FollowingSession>>;
}

const CHANGES_PER_LOOK = 200;
const SHOP_TOPICS: Change["topic"][] = ["shop", "catalog", "provider"];
/**
 * Interval of checks: SQLite sends no notifications, and PostgreSQL's notifications may be lost.
 */
const LOOK_INTERVAL_MS = SECOND;

/**
 * Reads committed changes once for all followers of an account, and serializes events once per
 * group of equal followers (docs/decisions/0004). Events contain no restricted data
 * (rules#access-events).
 */
export class EventFeed {
  readonly #deps: EventFeedDeps;
  readonly #readings = new Map<string, AccountReading>();
  readonly #waiting = new Set<() => void>();
  /** Number of wake-ups, which shows whether a commit happened during a check. */
  #wakes = 0;
  #stopped = false;

  constructor(deps: EventFeedDeps) {
    this.#deps = deps;
    deps.transactor.onCommit(() => this.#wake());
    deps.watch.onForeign(() => this.#wake());
  }

  stop(): void {
    this.#stopped = true;
    for (const { followers } of this.#readings.values()) for (const one of followers) one.end();
    this.#wake();
  }

  /**
   * Yields events until `signal` aborts, the session ends, or its environment changes. The last
   * event reports the end or the change. If changes after `lastEventId` were missed, the first
   * event tells the till to reload everything.
   */
  async *follow(
    session: FollowingSession,
    { lastEventId, signal }: { lastEventId: string | undefined; signal: AbortSignal },
  ): AsyncGenerator<PosEvent> {
    if (this.#stopped) return;
    const follower = new Follower(session);
    const reading = this.#add(follower);
    try {
      // Waits for the first reading, because a change could otherwise be missed.
      await reading.begun;
      const id = String(await latestChangeId(this.#deps.db, session.accountId));
      if (lastEventId !== undefined && lastEventId !== id) yield createEvent(id, "again");
      yield createEvent(id, "wallet");
      yield* follower.events(signal);
    } finally {
      this.#remove(follower);
    }
  }

  #add(follower: Follower): AccountReading {
    const { accountId } = follower.session;
    const known = this.#readings.get(accountId);
    if (known) {
      known.followers.add(follower);
      this.#wake();
      return known;
    }
    const followers = new Set([follower]);
    const begun = Promise.withResolvers<void>();
    const reading = { followers, begun: begun.promise };
    this.#readings.set(accountId, reading);
    void this.#read(accountId, followers, begun.resolve);
    return reading;
  }

  #remove(follower: Follower): void {
    this.#readings.get(follower.session.accountId)?.followers.delete(follower);
    this.#wake();
  }

  async #read(accountId: string, followers: Set<Follower>, onBegun: () => void): Promise<void> {
    const { watch, clock } = this.#deps;
    try {
      let cursor = await latestChangeId(this.#deps.db, accountId);
      onBegun();
      let checked = { stamp: Number.NaN, at: 0, size: 0 };
      while (followers.size > 0 && !this.#stopped) {
        const wakes = this.#wakes;
        const now = { stamp: watch.stamp(), at: clock.now(), size: followers.size };
        if (isWorthChecking(now, checked)) {
          await this.#dismiss(followers, String(cursor));
          checked = now;
        }
        const changes = await listChanges(this.#deps.db, accountId, cursor, CHANGES_PER_LOOK);
        cursor = changes.at(-1)?.changeId ?? cursor;
        await this.#sendTo(followers, changes, String(cursor));
        if (changes.length < CHANGES_PER_LOOK) await this.#awaitCommit(wakes);
      }
    } catch (error) {
      this.#deps.log.error({ err: error }, "could not read the events of the tills");
      for (const follower of followers) follower.end();
    }
    // No `await` follows the check of the list, so no follower can have been added.
    this.#readings.delete(accountId);
    onBegun();
  }

  async #dismiss(followers: ReadonlySet<Follower>, id: string): Promise<void> {
    // Followers that are added during the query are checked next time.
    const asked = [...followers];
    const hashes = [...new Set(asked.map(({ session }) => session.tokenHash))];
    const sessions = await this.#deps.findSessions(hashes);
    for (const follower of asked) {
      const now = sessions.get(follower.session.tokenHash);
      if (now && isSameMode(now, follower.session)) continue;
      // The till must reload before it reconnects.
      if (now) follower.send("shop", createEvent(id, "shop"));
      else follower.send("session", createEvent(id, "signed-out"));
      follower.end();
    }
  }

  async #sendTo(
    followers: ReadonlySet<Follower>,
    changes: (Change & Scope)[],
    id: string,
  ): Promise<void> {
    for (const ofScope of Map.groupBy(changes, ({ environment }) => environment).values()) {
      const [scope] = ofScope;
      if (!scope) continue;
      const there = [...followers].filter((one) => one.session.environment === scope.environment);
      for (const [training, alike] of Map.groupBy(there, ({ session }) => session.training)) {
        for (const [subject, event] of await this.#toEvents({ ...scope, training }, ofScope, id)) {
          for (const follower of alike) follower.send(subject, event);
        }
      }
    }
  }

  async #toEvents(
    scope: Scope & { training: boolean },
    changes: Change[],
    id: string,
  ): Promise<[string, PosEvent][]> {
    const events: [string, PosEvent][] = [];
    const touched = changes.filter(({ topic }) => topic === "purchase").map((c) => c.subject);
    for (const saleId of await findSaleIds(this.#deps.db, scope, [...new Set(touched)])) {
      events.push([`sale ${saleId}`, createEvent(id, "sale", { saleId })]);
    }
    if (changes.some(({ topic }) => topic === "wallet")) {
      events.push(["wallet", createEvent(id, "wallet")]);
    }
    if (changes.some(({ topic }) => SHOP_TOPICS.includes(topic))) {
      events.push(["shop", createEvent(id, "shop")]);
    }
    if (changes.some(({ topic }) => topic === "alerts")) {
      events.push(["alerts", createEvent(id, "alerts")]);
    }
    return events;
  }

  #awaitCommit(wakes: number): Promise<void> {
    const { clock } = this.#deps;
    return new Promise((resolve) => {
      const finish = () => {
        cancel();
        this.#waiting.delete(finish);
        resolve();
      };
      const cancel = clock.wakeAt(clock.now() + LOOK_INTERVAL_MS, finish);
      this.#waiting.add(finish);
      if (this.#stopped || this.#wakes !== wakes) finish();
    });
  }

  #wake(): void {
    this.#wakes += 1;
    for (const finish of this.#waiting) finish();
  }
}

interface AccountReading {
  followers: Set<Follower>;
  begun: Promise<void>;
}

interface SessionCheck {
  /** Changes with each commit that may have ended a session. */
  stamp: number;
  at: number;
  size: number;
}

/** Skips the check after a purchase, which ends no session. Expiry is checked at an interval. */
function isWorthChecking(now: SessionCheck, before: SessionCheck): boolean {
  const isSame = now.stamp === before.stamp && now.size === before.size;
  return !isSame || Math.abs(now.at - before.at) >= LOOK_INTERVAL_MS;
}

function isSameMode(now: FollowingSession, before: FollowingSession): boolean {
  return now.environment === before.environment && now.training === before.training;
}

type EventsModuleDeps = Base & Pick<ConstructorParameters<typeof EventFeed>[0], "findSessions">;

export function createEventsModule(deps: EventsModuleDeps) {
  const events = new EventFeed(deps);
  return {
    services: { events },
    async pos(app) {
      await registerEventRoutes(app, events);
      // Ends the streams first, because closing waits for all responses.
      app.addHook("preClose", async () => events.stop());
    },
    stop: () => events.stop(),
  } satisfies Module;
}

const STREAMS_PER_SESSION = 8;
const STREAMS_IN_ALL = 256;

async function registerEventRoutes(app: App, feed: EventFeed): Promise<void> {
  const { eventOperations } = await import("../../../contract/pos/events.ts");
  const streams = new Map<string, number>();
  let inAll = 0;
  function requireRoom({ tokenHash }: SignedInActor): void {
    if ((streams.get(tokenHash) ?? 0) >= STREAMS_PER_SESSION) {
      throw new Problem("RATE_LIMITED", "Too many windows of this sign-in are open.");
    }
    if (inAll >= STREAMS_IN_ALL) {
      throw new Problem("RATE_LIMITED", "Too many windows are open in this shop.");
    }
  }

  handleStream(app, eventOperations.follow, {
    admit: ({ actor }) => requireRoom(actor),
    handler: async ({ actor, reply }) => {
      const { tokenHash } = actor;
      inAll += 1;
      streams.set(tokenHash, (streams.get(tokenHash) ?? 0) + 1);
      const away = new AbortController();
      reply.sse.onClose(() => {
        away.abort();
        inAll -= 1;
        const left = (streams.get(tokenHash) ?? 1) - 1;
        if (left > 0) streams.set(tokenHash, left);
        else streams.delete(tokenHash);
      });
      const lastEventId = reply.sse.lastEventId ?? undefined;
      const events = feed.follow(actor, { lastEventId, signal: away.signal });
      await sendBytes(reply, events, away.signal);
    },
  });
}

/** Writes the shared bytes. The plugin would serialize an event for each stream. */
async function sendBytes(
  reply: FastifyReply,
  events: AsyncIterable<PosEvent>,
  signal: AbortSignal,
): Promise<void> {
  reply.sse.sendHeaders();
  for await (const { bytes } of events) {
    if (signal.aborted) return;
    if (reply.raw.write(bytes)) continue;
    // Waits until a slow reader has read the bytes or has disconnected.
    await once(reply.raw, "drain", { signal }).catch(() => undefined);
  }
}
