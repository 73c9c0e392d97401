import { randomUUID } from "node:crypto";
import { Socket } from "node:net";
import { sql } from "kysely";
import { Client, type ClientBase, DatabaseError } from "pg";
import { SECOND, systemClock } from "../../lib/clock.ts";
import type { ForeignVersion } from "../connections.ts";
import type { Tx } from "../database.ts";
import { isHistory } from "../history-tables.ts";
import type { FindBusy } from "./silence-watch.ts";

/** Says `<process>`, `<process> sales` or `<process> <milliseconds, by both clocks>`. */
export const COMMITS_CHANNEL = "tillgate_commits";
/** Says `<process> <topic> <name>` of what is remembered together (`memory-rows.ts`). */
export const MEMORY_CHANNEL = "tillgate_memory";
/** A commit of nothing but sales, which others remember nothing of. */
const SALES = "sales";
const RECONNECT_MS = 500;
/** How often a process asks itself through the server whether it still hears. */
const ECHO_INTERVAL_MS = SECOND;
/** A process that has not heard itself for this long relies on nothing that it remembers. */
const DEAF_AFTER_MS = 5 * SECOND;

const FLUSHED = sql`pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')`;
const NOT_FLUSHED = sql`0`;
const ECHO = `select pg_notify($1, $2),
  pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text as flushed`;

const PLAIN_ECHO = "select pg_notify($1, $2)";

const ALREADY = Promise.resolve();

/**
 * Which of these processes of the server are at work: neither done, nor waiting to be sent something, nor trying to send
 * what is not taken.
 */
const BUSY = `select pid from pg_stat_activity where pid = any($1::int[])
  and state not like 'idle%' and wait_event_type is distinct from 'Client'`;

/** PostgreSQL's states of a function that is not for this user, that there is not, or that a service does not offer. */
const UNAVAILABLE: ReadonlySet<unknown> = new Set(["42501", "42883", "0A000"]);

/** Returns whether a server does not say what it was asked about itself. */
export function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has((error as { code?: unknown }).code);
}

/** What processes on one database tell each other: that something was committed. */
export interface CommitNotices {
  /** Other numbers after each commit of another process, and whenever one may have been missed. */
  version(): ForeignVersion;
  /** Calls back when another process has committed, or may have. */
  onForeign(listener: () => void): void;
  /** Calls back when another process has changed what all remember, or may have. */
  onMemory(listener: MemoryNotice): void;
  /** What this process calls itself. */
  readonly self: string;
  readonly findBusy: FindBusy;
  /**
   * Tells the others, once the transaction at hand is committed, which has written to these tables.
   * @param mark counts the transaction in this row
   * @returns the count, and how far the server's log was on its disk; undefined without a mark
   */
  send(tx: Tx, written: ReadonlySet<string>, mark?: Mark): Promise<Marked | undefined>;
  close(): Promise<void>;
}

/** The row that counts the commits of a connection (`history-watch.ts`). */
export interface Mark {
  id: string;
  at: number;
  /** Whether the server says how far its log is on its disk. */
  knowsLog: boolean;
}

export interface Marked {
  commits: number;
  flushed: number;
}

/** @param topic undefined where anything may have changed */
type MemoryNotice = (topic?: string, name?: string) => void;

type OnConnect = (client: ClientBase) => Promise<void>;

/** A connection that listens, and when that which it has heard was sent. */
interface Ear {
  client: Client;
  socket: Socket;
  /** By the machine's clock, and by that of the process: the first goes on while the machine sleeps. */
  heardAt: Instant;
  /** Whether an echo is not answered yet. */
  isAsking: boolean;
  /** When it may be asked the next: one question at a time. */
  turn: Promise<unknown>;
}

interface Instant {
  now: number;
  running: number;
}

function instant(): Instant {
  return { now: systemClock.now(), running: systemClock.running() };
}

function isLongAgo(then: Instant): boolean {
  const { now, running } = instant();
  return Math.max(Math.abs(now - then.now), running - then.running) > DEAF_AFTER_MS;
}

/**
 * Listens on a connection of its own. Each second the process sends itself an echo through it: the server
 * delivers notices in the order of their commits, so with the echo all came that were committed before it was
 * sent. While the connection is lost, or no echo came for five seconds (a network that swallows packets, a
 * process that was stopped, a pooler that knows no `listen`), every question counts as a change; it is opened
 * again by itself.
 * @throws where it cannot be opened at first
 */
export async function openCommitNotices(
  address: string,
  options: NoticesOptions = {},
): Promise<CommitNotices> {
  const notices = new Notices(address, options);
  await notices.connect();
  return notices;
}

interface NoticesOptions {
  /** Called with each connection before it listens; where that fails, it does not. */
  onConnect?: OnConnect | undefined;
  /** Called every second with the position up to which the server's log is on its disk. */
  onFlushed?: ((flushed: number) => void) | undefined;
}

class Notices implements CommitNotices {
  readonly #address: string;
  readonly #onConnect: OnConnect | undefined;
  readonly #onFlushed: ((flushed: number) => void) | undefined;
  readonly self: string = randomUUID();
  readonly #listeners: (() => void)[] = [];
  readonly #ofMemory: MemoryNotice[] = [];
  #version: ForeignVersion = { commits: 0, reference: 0 };
  #ear: Ear | undefined;
  /** Whether the server has said anything when it was last to be reached. */
  #isAnswering = true;
  #knowsLog = true;
  #cancelNext = () => {};
  #isClosed = false;

  constructor(address: string, { onConnect, onFlushed }: NoticesOptions) {
    this.#address = address;
    this.#onConnect = onConnect;
    this.#onFlushed = onFlushed;
  }

  version(): ForeignVersion {
    if (!this.#ear || isLongAgo(this.#ear.heardAt)) this.#count("anything");
    return this.#version;
  }

  onForeign(listener: () => void): void {
    this.#listeners.push(listener);
  }

  onMemory(listener: MemoryNotice): void {
    this.#ofMemory.push(listener);
  }

  async send(tx: Tx, written: ReadonlySet<string>, mark?: Mark): Promise<Marked | undefined> {
    const notice = isHistory(written) ? `${this.self} ${SALES}` : this.self;
    if (!mark) {
      await sql`select pg_notify(${COMMITS_CHANNEL}, ${notice})`.execute(tx);
      return undefined;
    }
    // One statement: each waits for the network while the account is locked.
    const { rows } = await sql<Marked>`with marked as (
        insert into commit_marks (mark_id, commits, committed_at) values (${mark.id}, 1, ${mark.at})
        on conflict (mark_id) do update
          set commits = commit_marks.commits + 1, committed_at = excluded.committed_at
        returning commits)
      select pg_notify(${COMMITS_CHANNEL}, ${notice}), commits,
        ${mark.knowsLog ? FLUSHED : NOT_FLUSHED} as flushed from marked`.execute(tx);
    return rows[0];
  }

  async connect(): Promise<void> {
    const socket = new Socket();
    const client = new Client({
      connectionString: this.#address,
      stream: () => socket,
      keepAlive: true,
      connectionTimeoutMillis: DEAF_AFTER_MS,
      // Nothing that is asked on it waits for anybody's work.
      query_timeout: DEAF_AFTER_MS,
      application_name: "tillgate notices",
    });
    const ear: Ear = { client, socket, heardAt: instant(), isAsking: false, turn: ALREADY };
    client.on("error", () => {});
    client.on("end", () => {
      if (this.#ear === ear) this.#lose();
    });
    client.on("notification", ({ channel, payload = "" }) => {
      if (channel === MEMORY_CHANNEL) this.#hearOfMemory(payload);
      else this.#hear(ear, payload);
    });
    try {
      await client.connect();
      await this.#onConnect?.(client);
      // An echo that is lost with the server is sent again: nobody waits for the disk.
      await client.query("set synchronous_commit = off");
      await client.query(`listen ${COMMITS_CHANNEL}`);
      await client.query(`listen ${MEMORY_CHANNEL}`);
      this.#isAnswering = true;
    } catch (error) {
      this.#isAnswering = error instanceof DatabaseError;
      hangUp(ear);
      throw error;
    }
    if (this.#isClosed) {
      await client.end();
      return;
    }
    ear.heardAt = instant();
    this.#ear = ear;
    this.#foreign("anything");
    for (const listener of this.#ofMemory) listener();
    this.#echoLater();
  }

  readonly findBusy: FindBusy = async (backends) => {
    const ear = this.#ear;
    if (!ear || isLongAgo(ear.heardAt)) return this.#isAnswering && !ear ? undefined : "away";
    try {
      const { rows } = await ask<{ pid: number }>(ear, BUSY, [backends]);
      return new Set(rows.map(({ pid }) => pid));
    } catch {
      return undefined;
    }
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelNext();
    const last = this.#ear;
    this.#ear = undefined;
    if (last && isLongAgo(last.heardAt)) hangUp(last);
    else await last?.client.end();
  }

  /** An echo is `<process> <milliseconds, by both clocks>`, a commit the process, and what it was where it was sales. */
  #hear(ear: Ear, payload: string): void {
    const [sender, what, running] = payload.split(" ");
    if (running === undefined) {
      if (sender !== this.self) this.#foreign(what === SALES ? "sales" : "anything");
    } else if (sender === this.self) {
      ear.heardAt = { now: Number(what), running: Number(running) };
    }
  }

  #hearOfMemory(payload: string): void {
    const [sender, topic, name] = payload.split(" ");
    if (sender === this.self) return;
    for (const listener of this.#ofMemory) listener(topic, name);
  }

  #foreign(what: "sales" | "anything"): void {
    this.#count(what);
    for (const listener of this.#listeners) listener();
  }

  #count(what: "sales" | "anything"): void {
    const { commits, reference } = this.#version;
    this.#version = { commits: commits + 1, reference: reference + (what === "sales" ? 0 : 1) };
  }

  #echoLater(): void {
    this.#next(ECHO_INTERVAL_MS, () => {
      const ear = this.#ear;
      if (!ear) return;
      if (isLongAgo(ear.heardAt)) {
        hangUp(ear);
        this.#lose();
        return;
      }
      // One that is not answered yet is waited for.
      if (!ear.isAsking) this.#echo(ear);
      this.#echoLater();
    });
  }

  #echo(ear: Ear): void {
    const { now, running } = instant();
    const echo = `${this.self} ${now} ${running}`;
    ear.isAsking = true;
    const text = this.#knowsLog ? ECHO : PLAIN_ECHO;
    ask<{ flushed?: string }>(ear, text, [COMMITS_CHANNEL, echo])
      .then(({ rows: [row] }) => row?.flushed && this.#onFlushed?.(Number(row.flushed)))
      .catch((error: unknown) => {
        if (isUnavailable(error)) this.#knowsLog = false;
      })
      .finally(() => {
        ear.isAsking = false;
      });
  }

  #lose(): void {
    this.#ear = undefined;
    if (this.#isClosed) return;
    this.#next(RECONNECT_MS, () => {
      this.connect().catch(() => this.#lose());
    });
  }

  #next(delay_ms: number, step: () => void): void {
    this.#cancelNext();
    this.#cancelNext = systemClock.wakeAt(systemClock.now() + delay_ms, step);
  }
}

async function ask<Row extends object>(ear: Ear, text: string, values: unknown[]) {
  const answer = ear.turn.then(() => ear.client.query<Row>(text, values));
  ear.turn = answer.catch(() => {});
  return answer;
}

/** Without a farewell, which a network that swallows packets would swallow too. */
function hangUp({ client, socket }: Ear): void {
  client.end().catch(() => {});
  socket.destroy();
}
