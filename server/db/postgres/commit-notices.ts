import { randomUUID } from "node:crypto";
import { Socket } from "node:net";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { Client, type ClientBase, DatabaseError } from "pg";
import { SECOND, systemClock } from "../../lib/clock.ts";
import { compileOnce, type Param } from "../compiled-query.ts";
import type { ForeignVersion } from "../connections.ts";
import type { Tx } from "../database.ts";
import { isHistory } from "../history-tables.ts";
import type { Tables } from "../tables.ts";
import type { FindBusy } from "./silence-watch.ts";

/**
 * Payloads: `<process>`, `<process> sales`, or an echo `<process> <now> <running>`. `now` and
 * `running` are the milliseconds of the machine's clock and of the process's clock.
 */
export const COMMITS_CHANNEL = "tillgate_commits";
/**
 * Payload: `<process> <topic> <name>`, which identifies a value in the shared
 * memory (`memory-rows.ts`).
 */
export const MEMORY_CHANNEL = "tillgate_memory";
/** Marks the notice of a commit that wrote only sales, which no cache contains. */
const SALES = "sales";
const RECONNECT_MS = 500;
const ECHO_INTERVAL_MS = SECOND;
/** A process that has received no echo for this time does not use its caches. */
const DEAF_AFTER_MS = 5 * SECOND;

const FLUSHED = sql`pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')`;
const ECHO = `select pg_notify($1, $2),
  pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text as flushed`;

const PLAIN_ECHO = "select pg_notify($1, $2)";

const ALREADY = Promise.resolve();

/**
 * Selects those of the given server processes that are working: not idle, and not blocked by a
 * client that does not read their output.
 */
const BUSY = `select pid from pg_stat_activity where pid = any($1::int[])
  and state not like 'idle%' and wait_event_type is distinct from 'Client'`;

/** PostgreSQL's codes for a function that is forbidden, missing or not supported. */
const UNAVAILABLE: ReadonlySet<unknown> = new Set(["42501", "42883", "0A000"]);

/** Returns whether the server refused information about itself. */
export function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has((error as { code?: unknown }).code);
}

/** Notifies the processes on one database of each other's commits. */
export interface CommitNotices {
  /**
   * Returns another version after each commit of another process, and whenever a
   * commit may have been missed.
   */
  version(): ForeignVersion;
  /** Calls the listener when another process has committed, or may have committed. */
  onForeign(listener: () => void): void;
  /** Calls the listener when another process has changed the shared memory, or may have. */
  onMemory(listener: MemoryNotice): void;
  readonly self: string;
  readonly findBusy: FindBusy;
  /**
   * Notifies the other processes of the current transaction and its tables. The server sends the
   * notice when the transaction commits.
   * @param mark the row that counts the transaction
   * @returns the count, and the flushed position of the server's log; undefined without a mark
   */
  send(tx: Tx, written: ReadonlySet<string>, mark?: Mark): Promise<Marked | undefined>;
  close(): Promise<void>;
}

/** Row that counts the commits of a connection (`history-watch.ts`). */
export interface Mark {
  id: string;
  at: number;
  /** True if the server reports the flushed position of its log. */
  knowsLog: boolean;
}

export interface Marked {
  commits: number;
  flushed: number;
}

/** @param topic undefined if any value may have changed */
type MemoryNotice = (topic?: string, name?: string) => void;

type OnConnect = (client: ClientBase) => Promise<void>;

interface Ear {
  client: Client;
  socket: Socket;
  /**
   * Time at which the last received echo was sent, by both clocks. Only the machine's clock runs
   * while the machine sleeps.
   */
  heardAt: Instant;
  isAsking: boolean;
  /** Resolves when the next query may run: only one query runs at a time. */
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
 * Opens a separate connection that listens for commits. Every second the process sends itself an
 * echo. The server delivers notices in commit order, so an echo proves that all notices of earlier
 * commits have arrived. While the connection is lost, or no echo arrives for five seconds (the
 * network drops packets, the process was stopped, a pooler does not support `listen`), every call
 * of `version` returns a new version. A lost connection is reopened automatically.
 * @throws if the first connection attempt fails
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
  /** Called with each connection before it listens. If the call fails, the connection is closed. */
  onConnect?: OnConnect | undefined;
  /** Called every second with the flushed position of the server's log. */
  onFlushed?: ((flushed: number) => void) | undefined;
}

const notify = compileOnce<{ notice: string }, unknown>((db, param) => ({
  compile: () => sql`select pg_notify(${sql.lit(COMMITS_CHANNEL)}, ${param("notice")})`.compile(db),
}));

const notifyWithMark = compileOnce<MarkedNotice, Marked>(buildMarked(sql`0`));
const notifyWithLog = compileOnce<MarkedNotice, Marked>(buildMarked(FLUSHED));

type MarkedNotice = Omit<Mark, "knowsLog"> & { notice: string };

/** Builds a single statement, because the account is locked until it is answered. */
function buildMarked(flushed: RawBuilder<unknown>) {
  return (db: Kysely<Tables>, param: Param<MarkedNotice>) => ({
    compile: () =>
      sql<Marked>`with marked as (
        insert into commit_marks (mark_id, commits, committed_at)
        values (${param("id")}, 1, ${param("at")})
        on conflict (mark_id) do update
          set commits = commit_marks.commits + 1, committed_at = excluded.committed_at
        returning commits)
      select pg_notify(${sql.lit(COMMITS_CHANNEL)}, ${param("notice")}), commits,
        ${flushed} as flushed from marked`.compile(db),
  });
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
  /** Whether the server responded to the last connection attempt. */
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
      await notify(tx, { notice });
      return undefined;
    }
    const { id, at } = mark;
    const { rows } = await (mark.knowsLog ? notifyWithLog : notifyWithMark)(tx, { notice, id, at });
    return rows[0];
  }

  async connect(): Promise<void> {
    const socket = new Socket();
    const client = new Client({
      connectionString: this.#address,
      stream: () => socket,
      keepAlive: true,
      connectionTimeoutMillis: DEAF_AFTER_MS,
      // A short timeout suffices, because queries on this connection never wait for other work.
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
      // Echoes need not be durable, so their commits do not wait for the disk.
      await client.query("set synchronous_commit = off");
      await client.query("set idle_session_timeout = 0");
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

  /**
   * Handles an echo (`<process> <now> <running>`), or the notice of another process's commit (the
   * process, followed by `sales` if the commit wrote only sales).
   */
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

/**
 * Closes the connection without waiting for the closing message, which a
 * failing network would drop.
 */
function hangUp({ client, socket }: Ear): void {
  client.end().catch(() => {});
  socket.destroy();
}
