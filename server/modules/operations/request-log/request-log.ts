import type {
  LoggedRequest,
  RequestDetails,
  RequestLogPage,
  RequestLogQuery,
} from "../../../contract/pos/request-log.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Claimant } from "../../../db/claimant.ts";
import { getConnections } from "../../../db/connections.ts";
import type { Db } from "../../../db/database.ts";
import {
  measureRequestFile,
  openRequestFile,
  removeRequestFile,
} from "../../../db/sqlite/request-file.ts";
import { type Clock, DAY, MINUTE, onNextTurn, pause } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import {
  describeStorageFault,
  isDamagedFile,
  isDiskFull,
  isRefusedRow,
} from "../../../lib/storage-fault.ts";
import { keyNames } from "../../shop/keys/index.ts";
import {
  countAllRequests,
  countRequests,
  deleteOldest,
  deleteOldestOf,
  findRequest,
  findRequests,
  insertRequests,
  insertTogether,
  type NewRequest,
  ROWS_AT_ONCE,
  toFound,
} from "./request-store.ts";

/** Time for which a request is kept. */
const KEPT_MS = 7 * DAY;
/** Expired requests that are deleted with one batch. */
const EXPIRED_AT_ONCE = 400;
const MAX_OF_KEY = 100_000;
/** Maximum number of requests on PostgreSQL, checked each minute. On SQLite, the file is limited. */
const MAX_SHARED = 1_000_000;
/** Excess requests that are deleted at a time on PostgreSQL. */
const EXCESS_AT_ONCE = 100_000;

/** Maximum time that a request waits to be written. */
const WAIT_MS = 250;
const BATCH = 200;
/** Maximum number of waiting requests, and of characters in their bodies. */
const MAX_WAITING = 4_000;
const MAX_WAITING_CHARACTERS = 8_000_000;

interface RequestLogDeps {
  db: Db;
  config: { readonly dataDir: string };
  /** Follows the machine's time, also in a sandbox. */
  machineClock: Clock;
  log: Log;
  /** Undefined if no other process records requests. */
  claimant: Claimant | undefined;
}

interface WaitingRequest {
  /** Number of characters of its bodies. */
  size: number;
  row: NewRequest;
}

/**
 * Records the requests of API keys, in batches behind the requests (docs/decisions/0100). Requests
 * that cannot be recorded are counted and dropped. A crash loses the requests of the last moments.
 */
export class RequestLog {
  readonly #deps: RequestLogDeps;
  readonly #isShared: boolean;
  #waiting: WaitingRequest[] = [];
  #characters = 0;
  #dropped = 0;
  /** Number of stored requests by key. */
  readonly #stored = new Map<string, number>();
  #cancel: (() => void) | undefined;
  #cancelPurge = () => {};
  #writing: Promise<void> = Promise.resolve();
  #opened: Promise<Db> | undefined;
  /** Closed connections whose file was damaged. */
  readonly #damaged = new WeakSet<Db>();
  #warnedAt = -Infinity;
  #purgedAt = -Infinity;
  #isClosed = false;

  constructor(deps: RequestLogDeps) {
    this.#deps = deps;
    this.#isShared = deps.claimant !== undefined;
  }

  /**
   * Takes a request, which is written later. Never waits and never throws. The row is made at once:
   * bodies that wait would cost more in garbage collection than their masks.
   * @param size number of characters of its bodies
   * @param toRow returns the row, with masked secrets
   */
  record(size: number, toRow: () => NewRequest): void {
    const isFull =
      this.#waiting.length >= MAX_WAITING || this.#characters + size > MAX_WAITING_CHARACTERS;
    if (isFull || this.#isClosed) {
      this.#dropped += 1;
      return;
    }
    try {
      this.#waiting.push({ size, row: toRow() });
    } catch (error) {
      this.#drop(1, error);
      return;
    }
    this.#characters += size;
    if (this.#waiting.length === BATCH) this.#writeIn(onNextTurn);
    else if (!this.#cancel) {
      const { machineClock } = this.#deps;
      this.#writeIn((write) => machineClock.wakeAt(machineClock.now() + WAIT_MS, write));
    }
  }

  /** Deletes expired requests once a day, also while no request arrives. */
  start(): void {
    const { machineClock } = this.#deps;
    this.#cancelPurge = machineClock.wakeAt(machineClock.now() + DAY, () => {
      this.start();
      this.#purgedAt = -Infinity;
      this.#startWriting();
    });
  }

  /** Writes the waiting requests, and closes the log. */
  async close(): Promise<void> {
    this.#cancelPurge();
    await this.flush();
    this.#isClosed = true;
    const db = await this.#opened?.catch(() => undefined);
    await db?.destroy();
  }

  /** Waits until every request so far is written or dropped. */
  async flush(): Promise<void> {
    if (this.#waiting.length > 0) this.#startWriting();
    await this.#writing;
  }

  async list(accountId: string, query: RequestLogQuery): Promise<RequestLogPage> {
    await this.flush();
    const { environment, ...filter } = query;
    const oldest = new Date(this.#deps.machineClock.now() - KEPT_MS).toISOString();
    const since = filter.since !== undefined && filter.since > oldest ? filter.since : oldest;
    const { list, next } = await this.#read((db) =>
      findRequests(db, { accountId, environment }, { ...filter, since }),
    );
    return {
      list: await this.#withNames(accountId, list),
      ...(next !== undefined && { next }),
      dropped: this.#dropped,
    };
  }

  /** @throws Problem NOT_FOUND */
  async get(accountId: string, requestNo: number): Promise<RequestDetails> {
    await this.flush();
    const row = await this.#read((db) => findRequest(db, accountId, requestNo));
    // The log of a closed sandbox deletes expired requests only at its next request.
    const isKept = row && row.received_at >= this.#deps.machineClock.now() - KEPT_MS;
    const [found] = isKept ? await this.#withNames(accountId, [toFound(row)]) : [];
    if (!row || !found) throw new Problem("NOT_FOUND", `There is no request ${requestNo}.`);
    const toBody = (bytes: number | null, text: string | null) => ({
      ...(bytes !== null && { bytes }),
      ...(text !== null && { text }),
    });
    return {
      ...found,
      request: toBody(row.request_bytes, row.request_body),
      response: toBody(row.response_bytes, row.response_body),
    };
  }

  /** Adds the names of the keys. Omits requests of keys that the shop's database does not have. */
  async #withNames(
    accountId: string,
    list: readonly Omit<LoggedRequest, "keyName">[],
  ): Promise<LoggedRequest[]> {
    const ids = [...new Set(list.map(({ keyId }) => keyId))];
    const names = await keyNames(this.#deps.db, accountId, ids);
    return list.flatMap((one) => {
      const keyName = names.get(one.keyId);
      return keyName === undefined ? [] : [{ ...one, keyName }];
    });
  }

  /** @throws Problem SYSTEM_UNAVAILABLE, which does not count as an error of the shop's database */
  async #read<T>(action: (db: Db) => Promise<T>): Promise<T> {
    try {
      return await this.#use(action);
    } catch (error) {
      const fault = describeStorageFault(error);
      if (fault === undefined) throw error;
      throw new Problem("SYSTEM_UNAVAILABLE", `The request log cannot be read: ${fault}.`);
    }
  }

  /** Replaces a file that turns out to be damaged, and repeats the action. */
  async #use<T>(action: (db: Db) => Promise<T>): Promise<T> {
    const db = await this.#open();
    try {
      return await action(db);
    } catch (error) {
      if (!isDamagedFile(error)) throw error;
      return action(await this.#replace(db));
    }
  }

  /** Simultaneous callers replace a file once. */
  #replace(damaged: Db): Promise<Db> {
    if (!this.#damaged.has(damaged)) {
      this.#damaged.add(damaged);
      this.#stored.clear();
      const { db, config } = this.#deps;
      this.#opened = damaged
        .destroy()
        .then(() => getConnections(db).openRequests(config.dataDir, { isDamaged: true }));
    }
    return this.#open();
  }

  #open(): Promise<Db> {
    const { db, config } = this.#deps;
    this.#opened ??= getConnections(db).openRequests(config.dataDir);
    // The next use tries again.
    this.#opened.catch(() => (this.#opened = undefined));
    return this.#opened;
  }

  #writeIn(schedule: (write: () => void) => () => void): void {
    this.#cancel?.();
    this.#cancel = schedule(() => this.#startWriting());
  }

  #startWriting(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#writing = this.#writing.then(() => this.#writeAll());
  }

  async #writeAll(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const batch = this.#waiting.splice(0, BATCH);
      for (const { size } of batch) this.#characters -= size;
      const rows = await this.#insert(batch.map(({ row }) => row));
      let isPurged = true;
      try {
        isPurged = await this.#use((db) => this.#limit(db, rows));
      } catch (error) {
        this.#warn(error);
      }
      isMore = !isPurged || this.#waiting.length > 0;
      // Lets requests run between batches.
      if (isMore) await nextTurn();
    }
  }

  /** @returns the stored rows */
  async #insert(rows: readonly NewRequest[]): Promise<readonly NewRequest[]> {
    try {
      // One transaction writes each page once.
      await this.#use((db) => insertTogether(db, rows));
      return rows;
    } catch {
      // The separate writes find the rows that fail, and the reason.
      return this.#insertChunks(rows);
    }
  }

  async #insertChunks(rows: readonly NewRequest[]): Promise<NewRequest[]> {
    const stored: NewRequest[] = [];
    for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
      const chunk = rows.slice(first, first + ROWS_AT_ONCE);
      try {
        await this.#use((db) => this.#insertChunk(db, chunk));
        stored.push(...chunk);
      } catch (error) {
        if (!isRefusedRow(error)) {
          this.#drop(rows.length - first, error);
          break;
        }
        stored.push(...(await this.#insertEach(chunk)));
      }
    }
    return stored;
  }

  async #insertChunk(db: Db, chunk: readonly NewRequest[]): Promise<void> {
    try {
      await insertRequests(db, chunk);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      await deleteOldest(db, { count: EXPIRED_AT_ONCE });
      this.#stored.clear();
      await insertRequests(db, chunk);
    }
  }

  /** Drops only the rows that the database refuses. */
  async #insertEach(chunk: readonly NewRequest[]): Promise<NewRequest[]> {
    const stored: NewRequest[] = [];
    for (const row of chunk) {
      try {
        await this.#use((db) => insertRequests(db, [row]));
        stored.push(row);
      } catch (error) {
        this.#drop(1, error);
      }
    }
    return stored;
  }

  /** @returns false if more expired requests are left */
  async #limit(db: Db, rows: readonly NewRequest[]): Promise<boolean> {
    const isPurged = await this.#purge(db);
    await this.#limitKeys(db, rows);
    return isPurged;
  }

  /** @returns false if more expired requests are left */
  async #purge(db: Db): Promise<boolean> {
    const now = this.#deps.machineClock.now();
    if (Math.abs(now - this.#purgedAt) < MINUTE) return true;
    const deleted = await deleteOldest(db, { before: now - KEPT_MS, count: EXPIRED_AT_ONCE });
    // Other processes add requests too.
    if (deleted > 0 || this.#isShared) this.#stored.clear();
    if (deleted === EXPIRED_AT_ONCE) return false;
    if (this.#isShared) await this.#limitAll(db);
    this.#purgedAt = now;
    return true;
  }

  async #limitAll(db: Db): Promise<void> {
    const excess = (await countAllRequests(db)) - MAX_SHARED;
    if (excess > 0) await deleteOldest(db, { count: Math.min(excess, EXCESS_AT_ONCE) });
  }

  async #limitKeys(db: Db, rows: readonly NewRequest[]): Promise<void> {
    for (const [keyId, added] of countByKey(rows)) {
      const before = this.#stored.get(keyId);
      const count = before === undefined ? await countRequests(db, keyId) : before + added;
      const excess = count - MAX_OF_KEY;
      if (excess > 0) await deleteOldestOf(db, keyId, excess);
      this.#stored.set(keyId, Math.min(count, MAX_OF_KEY));
    }
  }

  #drop(count: number, error: unknown): void {
    this.#dropped += count;
    this.#warn(error);
  }

  #warn(error: unknown): void {
    const { machineClock, log } = this.#deps;
    const now = machineClock.running();
    if (now - this.#warnedAt < MINUTE) return;
    this.#warnedAt = now;
    log.warn({ err: error, dropped: this.#dropped }, "could not record requests of API keys");
  }
}

function countByKey(rows: readonly NewRequest[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key_id } of rows) counts.set(key_id, (counts.get(key_id) ?? 0) + 1);
  return counts;
}

function nextTurn(): Promise<void> {
  return new Promise<void>((resolve) => void onNextTurn(resolve));
}

/** Deletes the expired requests of a sandbox's log that is not open, or the file if it has no others. */
export async function purgeRequestFile(dataDir: string, now: number): Promise<void> {
  if (!measureRequestFile(dataDir)) return;
  const db = await openRequestFile(dataDir, { isLight: true });
  let isEmpty = false;
  try {
    const expired = { before: now - KEPT_MS, count: EXPIRED_AT_ONCE };
    while ((await deleteOldest(db, expired)) === EXPIRED_AT_ONCE) await pause();
    isEmpty = (await countAllRequests(db)) === 0;
  } finally {
    await db.destroy();
  }
  if (isEmpty) removeRequestFile(dataDir);
}
