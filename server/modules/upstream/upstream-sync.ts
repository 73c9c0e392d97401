import type { ScopedAuthor } from "../../contract/pos/actor.ts";
import type { UpstreamSyncReport } from "../../contract/pos/upstream.ts";
import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { Transactor } from "../../db/transactor.ts";
import { enqueueJob } from "../../jobs/job-store.ts";
import { decodeScope, encodeScope } from "../../jobs/job-subject.ts";
import { type Clock, HOUR, MINUTE } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { UpstreamConnection } from "../../suppliers/upstream/upstream-call.ts";
import { UpstreamMoved, UpstreamReader } from "../../suppliers/upstream/upstream-pages.ts";
import { CatalogRefused, type CatalogUpdateService } from "../catalog/index.ts";
import { readUpstreamCatalog, type UpstreamCatalog } from "./catalog-reading.ts";
import { notConnected, requireConnected, type StoredConnection } from "./connection-rules.ts";
import { SYNC_JOB, type UpstreamService } from "./upstream-service.ts";
import {
  findUpstream,
  listConnected,
  noteUpstream,
  type StoredUpstream,
} from "./upstream-store.ts";

const SYNC_INTERVAL_MS = HOUR;
/** While there is no catalog at all: how soon it is tried again, by how long it has been missing. */
const FIRST_SYNC_DELAYS = [
  { until_ms: MINUTE, delay_ms: MINUTE },
  { until_ms: 6 * MINUTE, delay_ms: 5 * MINUTE },
  { until_ms: Infinity, delay_ms: 15 * MINUTE },
];
/** A catalog that changes while it is read is read again, so many times in all. */
const READINGS = 3;
/** What is left out may leave others without their brand. */
const ROUNDS = 4;
const LEFT_OUT_SHOWN = 20;
/** More than any gateway adds: beyond it nothing more is worth a line of the log. */
const UNKNOWN_LOGGED = 1000;

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  upstream: UpstreamService;
  catalogUpdates: CatalogUpdateService;
}

/**
 * Keeps up with the upstream, every hour and on demand: its catalog and its balance. The catalog is
 * read first and taken in as a whole; until then, and when that fails, the old one is sold.
 */
export class UpstreamSync {
  readonly #deps: Deps;
  /** What was not understood and stands in the log already. */
  readonly #noted = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Makes sure that every connected gateway is synced; a deadline that is there stays. */
  async recover(): Promise<void> {
    const { db, transactor, clock } = this.#deps;
    for (const scope of await listConnected(db)) {
      await transactor.transact(async (tx) => {
        const subject = encodeScope(scope);
        const job = await tx
          .selectFrom("jobs")
          .select("run_at")
          .where("kind", "=", SYNC_JOB)
          .where("subject", "=", subject)
          .executeTakeFirst();
        if (!job) await enqueueJob(tx, { kind: SYNC_JOB, subject, runAt: clock.now() });
      });
    }
  }

  /** The handler of the job: whatever comes of it, it runs again in an hour; sooner at first. */
  async run(subject: string): Promise<void> {
    const { transactor, clock, log } = this.#deps;
    const author: ScopedAuthor = { ...decodeScope(subject), staffId: undefined };
    const before = await findUpstream(this.#deps.db, author);
    try {
      await this.sync(author);
    } catch (error) {
      log.warn({ err: error }, "the upstream could not be synced");
    }
    await transactor.transact(async (tx) => {
      const stored = await findUpstream(tx, author);
      // A gateway that was connected anew meanwhile has a sync of its own to come.
      if (stored?.keySealed === undefined || stored.keySealed !== before?.keySealed) return;
      const now = clock.now();
      await enqueueJob(tx, { kind: SYNC_JOB, subject, runAt: now + delayAfter(stored, now) });
    });
  }

  /**
   * Takes in the upstream's catalog and compares the balance, now.
   * @throws Problem NOT_FOUND when none is connected, SYSTEM_UNAVAILABLE saying what went wrong
   */
  async sync(author: ScopedAuthor): Promise<UpstreamSyncReport> {
    const { transactor, clock, upstream } = this.#deps;
    const connection = await upstream.findConnection(author);
    if (!connection) throw notConnected();
    try {
      const { currency } = await upstream.compareBalance(author, connection);
      const report = await this.#takeIn(author, connection, currency);
      const at = clock.now();
      const good = { sync_failed_at: null, sync_failure: null };
      const note = { synced_at: at, sync_report_json: JSON.stringify(report), ...good };
      await transactor.transact(async (tx) => {
        await requireConnected(tx, author, connection);
        await noteUpstream(tx, author, note, at);
      });
      return report;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const at = clock.now();
      await transactor.transact(async (tx) => {
        if ((await findUpstream(tx, author))?.keySealed !== connection.keySealed) return;
        await noteUpstream(tx, author, { sync_failed_at: at, sync_failure: message }, at);
      });
      if (error instanceof Problem) throw error;
      throw new Problem("SYSTEM_UNAVAILABLE", `The old catalog stays: ${message}`);
    }
  }

  async #takeIn(
    author: ScopedAuthor,
    connection: StoredConnection,
    currency: string,
  ): Promise<UpstreamSyncReport> {
    const { catalogUpdates } = this.#deps;
    const catalog = await this.#read(connection, currency);
    const leftOut: string[] = [];
    const origin = {
      source: "upstream",
      action: "catalog.sync",
      ...(author.staffId !== undefined && { staffId: author.staffId }),
      requireWanted: (tx: Tx) => requireConnected(tx, author, connection),
    } as const;
    for (let round = 1; ; round++) {
      try {
        const scope: Scope = { accountId: author.accountId, environment: author.environment };
        const { sections } = await catalogUpdates.replace(scope, catalog, origin);
        const shown = leftOut.slice(0, LEFT_OUT_SHOWN);
        return { sections, leftOut: shown, leftOutCount: leftOut.length };
      } catch (error) {
        if (!(error instanceof CatalogRefused) || round === ROUNDS) throw error;
        leftOut.push(...leaveOut(catalog, error.faults));
      }
    }
  }

  async #read(connection: UpstreamConnection, currency: string): Promise<UpstreamCatalog> {
    for (let reading = 1; ; reading++) {
      try {
        const reader = new UpstreamReader(connection, this.#deps.clock);
        const unknown = new Set<string>();
        const catalog = await readUpstreamCatalog(reader, currency, (what) => unknown.add(what));
        this.#logOnce([...unknown]);
        return catalog;
      } catch (error) {
        if (!(error instanceof UpstreamMoved) || reading === READINGS) throw error;
      }
    }
  }

  /** Fields and values that the upstream has and we do not: tolerated, and said once. */
  #logOnce(unknown: readonly string[]): void {
    const fresh = unknown.filter((what) => !this.#noted.has(what));
    if (fresh.length === 0 || this.#noted.size >= UNKNOWN_LOGGED) return;
    for (const what of fresh) this.#noted.add(what);
    this.#deps.log.warn({ unknown: fresh }, "the upstream says what this version does not know");
  }
}

function delayAfter({ syncedAt, connectedAt }: StoredUpstream, now: number): number {
  if (syncedAt !== undefined) return SYNC_INTERVAL_MS;
  const missing_ms = now - connectedAt;
  const step = FIRST_SYNC_DELAYS.find(({ until_ms }) => missing_ms < until_ms);
  return step?.delay_ms ?? SYNC_INTERVAL_MS;
}

/**
 * Takes what cannot be sold out of a catalog: one odd offer does not keep all others old.
 * @returns what was taken out, and why
 */
function leaveOut(catalog: UpstreamCatalog, faults: CatalogRefused["faults"]): string[] {
  const why = new Map<string, string>();
  for (const { path, message } of faults) {
    const [section, index, ...field] = path;
    const key = `${section} ${index}`;
    if (!why.has(key)) why.set(key, `${field.join(".")} ${message}`);
  }
  return Object.entries(catalog).flatMap(([section, items]: [string, unknown[]]) => {
    const bad = items.flatMap((item, index) => {
      const reason = why.get(`${section} ${index}`);
      return reason === undefined ? [] : [`${section} ${nameOf(item)}: ${reason}`];
    });
    const kept = items.filter((_item, index) => !why.has(`${section} ${index}`));
    items.splice(0, items.length, ...kept);
    return bad;
  });
}

function nameOf(item: unknown): string {
  const { offerId, brand, id } = (item ?? {}) as Record<string, unknown>;
  return String(offerId ?? id ?? brand).slice(0, 128);
}
