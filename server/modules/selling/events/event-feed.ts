import type { EventName } from "../../../contract/pos/sales.ts";
import { type Change, latestChangeId, listChanges, type Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import type { CommitWatch } from "../../../db/reference-watch.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { findSaleIdsOf } from "../sales/index.ts";

/** An event and its bytes in a stream, which are the same for everybody who gets it. */
export interface PosEvent {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Made once, however many follow. */
function createEvent(id: string, event: EventName, data: object = {}): PosEvent {
  return {
    id,
    bytes: Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
  };
}

/** Who follows, and where they sell: training begins and ends within a session. */
interface FollowingSession extends Scope {
  tokenHash: string;
  training: boolean;
}

/** A till that reads more slowly than events arrive gets one event to look at everything again instead. */
const MOST_WAITING = 100;

/** One stream: the events that it has not sent yet, the newest of each subject. */
class Follower {
  readonly session: FollowingSession;
  readonly #waiting = new Map<string, PosEvent>();
  #ended = false;
  #wake: () => void = () => {};

  constructor(session: FollowingSession) {
    this.session = session;
  }

  /** @param subject what the event is about: the newest of a subject counts */
  send(subject: string, event: PosEvent): void {
    this.#waiting.delete(subject);
    this.#waiting.set(subject, event);
    if (this.#waiting.size > MOST_WAITING) {
      this.#waiting.clear();
      this.#waiting.set("again", createEvent(event.id, "again"));
    }
    this.#wake();
  }

  /** Ends the stream when every waiting event is sent. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Its events, until it is ended or `signal` aborts. */
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

interface EventFeedDeps {
  db: Db;
  transactor: Transactor;
  watch: CommitWatch;
  clock: Clock;
  log: Log;
  /** The sessions that are still valid, by token hash, in one query however many there are. */
  findSessions(tokenHashes: readonly string[]): Promise<ReadonlyMap<string, FollowingSession>>;
}

const CHANGES_PER_LOOK = 200;
/** What a till should look at again. */
const SHOP_TOPICS: Change["topic"][] = ["shop", "catalog", "provider"];
/** Another process on the same file writes without waking this one; on PostgreSQL its notice may be lost. */
const LOOK_INTERVAL_MS = SECOND;

/**
 * Events for tills. They are read from the committed changes, in their order: once for all followers of
 * an account, however many they are, and made once for those who get the same (docs/decisions/0004).
 * None holds what not everybody at a till may know, so a till queries what it shows by its own rights
 * (rules#access-events).
 */
export class EventFeed {
  readonly #deps: EventFeedDeps;
  readonly #readings = new Map<string, Reading>();
  readonly #waiting = new Set<() => void>();
  /** How often this was woken, so that a commit during a look is not missed. */
  #wakes = 0;
  #stopped = false;

  constructor(deps: EventFeedDeps) {
    this.#deps = deps;
    deps.transactor.onCommit(() => this.#wake());
    deps.watch.onForeign(() => this.#wake());
  }

  /** Ends every follower. */
  stop(): void {
    this.#stopped = true;
    for (const { followers } of this.#readings.values()) for (const one of followers) one.end();
    this.#wake();
  }

  /**
   * Events of where a session sells, from now on, until `signal` aborts or the session ends, which is
   * an event itself. A session that sells elsewhere by then gets an event and is let go, to connect
   * again. One that was away since `lastEventId` is told to look at everything again.
   */
  async *follow(
    session: FollowingSession,
    { lastEventId, signal }: { lastEventId: string | undefined; signal: AbortSignal },
  ): AsyncGenerator<PosEvent> {
    if (this.#stopped) return;
    const follower = new Follower(session);
    const reading = this.#add(follower);
    try {
      // What comes after the id is to be read for this follower, so the reading begins before it.
      await reading.begun;
      const id = String(await latestChangeId(this.#deps.db, session.accountId));
      if (lastEventId !== undefined && lastEventId !== id) yield createEvent(id, "again");
      yield createEvent(id, "wallet");
      yield* follower.events(signal);
    } finally {
      this.#remove(follower);
    }
  }

  #add(follower: Follower): Reading {
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

  /** Reads for all followers of an account, for as long as there is one. */
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
        if (changes.length < CHANGES_PER_LOOK) await this.#nextCommit(wakes);
      }
    } catch (error) {
      this.#deps.log.error({ err: error }, "The tills' events cannot be read");
      for (const follower of followers) follower.end();
    }
    // Nothing was awaited since the list was found empty, so no follower was added in between.
    this.#readings.delete(accountId);
    onBegun();
  }

  /** Ends the streams of sessions that are over or sell elsewhere by now. */
  async #dismiss(followers: ReadonlySet<Follower>, id: string): Promise<void> {
    // Of one that comes while the question is on its way nothing was asked: it has its turn at the next look.
    const asked = [...followers];
    const hashes = [...new Set(asked.map(({ session }) => session.tokenHash))];
    const sessions = await this.#deps.findSessions(hashes);
    for (const follower of asked) {
      const now = sessions.get(follower.session.tokenHash);
      if (now && isWhereItWas(now, follower.session)) continue;
      // It asks at once where it sells now, and does not wait until it is connected again.
      if (now) follower.send("shop", createEvent(id, "shop"));
      else follower.send("session", createEvent(id, "signed-out"));
      follower.end();
    }
  }

  /** Each change once for all who sell in its environment, and once for all who train there. */
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

  /** One event for a subject: that it changed counts, not how often. */
  async #toEvents(
    scope: Scope & { training: boolean },
    changes: Change[],
    id: string,
  ): Promise<[string, PosEvent][]> {
    const events: [string, PosEvent][] = [];
    const touched = changes.filter(({ topic }) => topic === "purchase").map((c) => c.subject);
    for (const saleId of await findSaleIdsOf(this.#deps.db, scope, [...new Set(touched)])) {
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

  /** @param wakes the count when the last look began that found nothing more */
  #nextCommit(wakes: number): Promise<void> {
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

/** The reading for all followers of an account. */
interface Reading {
  followers: Set<Follower>;
  /** Settles once it is known from where on it reads. */
  begun: Promise<void>;
}

/** What was known of the followers' sessions, and when. */
interface Checked {
  /** Commits that may have ended a session. */
  stamp: number;
  at: number;
  /** Followers. */
  size: number;
}

/** A purchase ends nobody's session; time does, which is looked at no more often than without commits. */
function isWorthChecking(now: Checked, before: Checked): boolean {
  const isSame = now.stamp === before.stamp && now.size === before.size;
  return !isSame || Math.abs(now.at - before.at) >= LOOK_INTERVAL_MS;
}

function isWhereItWas(now: FollowingSession, before: FollowingSession): boolean {
  return now.environment === before.environment && now.training === before.training;
}
