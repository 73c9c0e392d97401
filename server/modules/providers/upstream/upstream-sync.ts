import { emptyContent, getSection, SECTIONS } from "../../../contract/catalog-content.ts";
import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import { FAMILIES } from "../../../contract/pos/families.ts";
import {
  CatalogDifference,
  type UpstreamSyncReport,
  type WaitingCatalog,
} from "../../../contract/pos/upstream.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { type Clock, HOUR, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { FetchedCatalog, StatedCatalog } from "../../../providers/kind.ts";
import {
  CatalogRefused,
  type CatalogUpdateService,
  changesNothing,
  countOffers,
  describeDifference,
  endReplacement,
  packCatalog,
  recordCatalogUpdate,
  unpackCatalog,
} from "../../catalog/catalog/index.ts";
import { CatalogFetcher, readSyncSubject, SYNC_JOB, toSyncSubject } from "./catalog-sync.ts";
import { notConnected, requireConnected, type StoredConnection } from "./connection-rules.ts";
import type { UpstreamService } from "./upstream-service.ts";
import {
  findUpstream,
  listConnected,
  noteUpstream,
  type ProviderRef,
  type StoredUpstream,
} from "./upstream-store.ts";

/**
 * Maximum number of rounds that leave out unsellable items. If a round leaves out a brand, the next
 * round leaves out the brand's offers.
 */
const ROUNDS = 4;
const LEFT_OUT_SHOWN = 20;
const REASONS_SHOWN = 500;

interface LeftOutItem {
  section: string;
  id: string;
  reason: string;
}

type SyncNotes = Omit<UpstreamSyncReport, "sections">;

function describeNotes(
  leftOut: readonly LeftOutItem[],
  { unread, deviations }: Pick<Required<SyncNotes>, "unread" | "deviations">,
): SyncNotes {
  const reasons = new Map<string, number>();
  for (const { section, reason } of leftOut) {
    const text = `${section}: ${reason}`;
    reasons.set(text, (reasons.get(text) ?? 0) + 1);
  }
  return {
    leftOut: leftOut
      .slice(0, LEFT_OUT_SHOWN)
      .map(({ section, id, reason }) => `${section} ${id}: ${reason}`),
    leftOutCount: leftOut.length,
    leftOutReasons: largestFirst([...reasons].map(([reason, count]) => ({ reason, count }))),
    unread: unread.slice(0, LEFT_OUT_SHOWN),
    deviations: largestFirst(deviations),
  };
}

function largestFirst<Counted extends { count: number }>(all: readonly Counted[]): Counted[] {
  return all.toSorted((a, b) => b.count - a.count).slice(0, REASONS_SHOWN);
}

function leaveOut(catalog: StatedCatalog, faults: CatalogRefused["faults"]): LeftOutItem[] {
  const why = new Map<string, string>();
  for (const { path, message } of faults) {
    const [section, index, ...field] = path;
    const key = `${section} ${index}`;
    if (!why.has(key)) why.set(key, `${field.join(".")} ${message}`.trim());
  }
  return Object.entries(catalog).flatMap(([section, items]) => {
    const bad = items.flatMap((item, index) => {
      const reason = why.get(`${section} ${index}`);
      return reason === undefined ? [] : [{ section, id: getItemId(item), reason }];
    });
    const kept = items.filter((_item, index) => !why.has(`${section} ${index}`));
    items.splice(0, items.length, ...kept);
    return bad;
  });
}

function getItemId(item: unknown): string {
  const { offerId, brand, id } = (item ?? {}) as Record<string, unknown>;
  return String(offerId ?? id ?? brand).slice(0, 128);
}

const SYNC_INTERVAL_MS = HOUR;
/** Retry delays until the first successful sync, by the time since the connection. */
const FIRST_SYNC_DELAYS = [
  { until_ms: MINUTE, delay_ms: MINUTE },
  { until_ms: 6 * MINUTE, delay_ms: 5 * MINUTE },
  { until_ms: Infinity, delay_ms: 15 * MINUTE },
];

/** A smaller catalog may lose half of its offers without an approval. */
const LARGE_CATALOG = 50;
const SECTIONS_OF_OFFERS = FAMILIES.map(getSection);

/** Retry delay after a sync with an unreadable part. */
const UNREAD_DELAY_MS = 15 * MINUTE;

/** A provider; by default the first connected one. */
type AskedSync = ScopedAuthor & { providerId?: string | undefined };
type SyncAuthor = ScopedAuthor & ProviderRef;

interface UpstreamSyncDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  upstream: UpstreamService;
  catalogUpdates: CatalogUpdateService;
  /** Returns ISO 3166-1 alpha-2; empty if unknown. */
  readShopCountry(accountId: string): Promise<string>;
}

/**
 * Syncs the provider's catalog and balance every hour and on demand. The catalog is read
 * completely, then imported in a single transaction. An unreadable part keeps its stored items.
 */
export class UpstreamSync {
  readonly #deps: UpstreamSyncDeps;
  readonly #fetcher: CatalogFetcher;

  constructor(deps: UpstreamSyncDeps) {
    this.#deps = deps;
    this.#fetcher = new CatalogFetcher(deps);
  }

  /** Enqueues missing sync jobs. Existing jobs keep their time. */
  async recover(): Promise<void> {
    const { db, transactor, clock } = this.#deps;
    for (const ref of await listConnected(db)) {
      await transactor.transact(ref.accountId, async (tx) => {
        const subject = toSyncSubject(ref);
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

  /**
   * Runs a sync. The job runs again after an hour; sooner if no sync has succeeded yet or a part
   * was unreadable.
   */
  async run(subject: string): Promise<void> {
    const { transactor, clock, log } = this.#deps;
    const author: SyncAuthor = { ...readSyncSubject(subject), staffId: undefined };
    const before = await findUpstream(this.#deps.db, author);
    try {
      // The first catalog of a connection replaces that of another account.
      const isFirst = before?.syncedAt === undefined;
      if (before?.approvesCatalog) await this.fetch(author);
      else await (isFirst ? this.sync(author) : this.#syncCarefully(author));
    } catch (error) {
      log.warn({ err: error }, "the provider's catalog could not be synced");
    }
    await transactor.transact(author.accountId, async (tx) => {
      const stored = await findUpstream(tx, author);
      // A connection made during the sync has its own sync job.
      if (stored?.keySealed === undefined || stored.keySealed !== before?.keySealed) return;
      const now = clock.now();
      await enqueueJob(tx, { kind: SYNC_JOB, subject, runAt: now + delayAfter(stored, now) });
    });
  }

  /**
   * Imports the catalog now, and compares the balance.
   * @throws Problem NOT_FOUND without a connection, SYSTEM_UNAVAILABLE with the reason
   */
  async sync(asked: AskedSync): Promise<UpstreamSyncReport> {
    const author = await this.#resolve(asked);
    return this.#withConnection(author, async (connection) => {
      return this.#importFetched(author, connection, await this.#fetch(author, connection));
    });
  }

  /**
   * Stores the fetched catalog with its differences until an owner accepts it. A catalog without
   * differences is imported at once.
   * @throws errors of `sync`
   */
  async fetch(asked: AskedSync): Promise<WaitingCatalog> {
    const author = await this.#resolve(asked);
    return this.#withConnection(author, async (connection) =>
      this.#keepWaiting(author, connection, await this.#fetch(author, connection)),
    );
  }

  /** Like `sync`, but a catalog that lost half of its offers waits for an owner. */
  async #syncCarefully(author: SyncAuthor): Promise<void> {
    await this.#withConnection(author, async (connection) => {
      const fetched = await this.#fetch(author, connection);
      const before = await countOffers(this.#deps.db, author);
      const now = SECTIONS_OF_OFFERS.reduce(
        (sum, section) => sum + (fetched.catalog[section]?.length ?? 0),
        0,
      );
      if (before < LARGE_CATALOG || now >= before / 2) {
        return this.#importFetched(author, connection, fetched);
      }
      await this.#keepWaiting(author, connection, fetched);
      throw new Error(
        `Its catalog has ${now} offers instead of ${before}. Accept it on the provider's page.`,
      );
    });
  }

  async #keepWaiting(
    author: SyncAuthor,
    connection: StoredConnection,
    fetched: FetchedCatalog,
  ): Promise<WaitingCatalog> {
    const { transactor, clock } = this.#deps;
    const country = await this.#deps.readShopCountry(author.accountId);
    const difference = await compareFetched(this.#deps, author, { fetched, country });
    if (changesNothing(difference)) {
      await this.#importFetched(author, connection, fetched, difference);
      return {};
    }
    const content = await packCatalog(fetched.catalog);
    const fetchedAt = clock.now();
    const { keySealed } = connection;
    await transactor.transact(author.accountId, async (tx) => {
      await requireConnected(tx, author, connection);
      const good = { sync_failed_at: null, sync_failure: null };
      await noteUpstream(tx, author, good, fetchedAt);
      await saveWaitingCatalog(tx, author, { content, keySealed, fetchedAt, difference });
    });
    return { waiting: { fetchedAt: toTimestamp(fetchedAt), difference } };
  }

  async #resolve({ staffId, ...asked }: AskedSync): Promise<SyncAuthor> {
    return { ...(await this.#deps.upstream.resolve(asked)), staffId };
  }

  async findWaiting(asked: Omit<AskedSync, "staffId">): Promise<WaitingCatalog> {
    const { db } = this.#deps;
    const ref = await this.#deps.upstream.resolve(asked);
    const [stored, waiting] = [await findUpstream(db, ref), await findWaitingCatalog(db, ref)];
    if (!waiting || waiting.keySealed !== stored?.keySealed) return {};
    const { fetchedAt, difference } = waiting;
    return { waiting: { fetchedAt: toTimestamp(fetchedAt), difference } };
  }

  /**
   * Imports the waiting catalog only if the owner has seen it.
   * @throws Problem NOT_FOUND if that catalog no longer waits, and the problems of `sync`
   */
  async accept(asked: AskedSync, fetchedAt: number): Promise<UpstreamSyncReport> {
    const author = await this.#resolve(asked);
    const { waiting } = await this.findWaiting(author);
    const content = await readWaitingContent(this.#deps.db, author, fetchedAt);
    if (!waiting || !content) {
      throw new Problem("NOT_FOUND", "This catalog does not wait any more: look at it again.");
    }
    const { difference } = waiting;
    const { unread = [], deviations = [] } = difference;
    const fetched = { catalog: content, unread, deviations };
    return this.#withConnection(author, (connection) =>
      this.#importFetched(author, connection, fetched, difference),
    );
  }

  /**
   * Runs work with the stored connection. Stores the reason of a failure, unless the connection has
   * changed.
   */
  async #withConnection<Result>(
    author: SyncAuthor,
    work: (connection: StoredConnection) => Promise<Result>,
  ): Promise<Result> {
    const { transactor, clock, upstream } = this.#deps;
    const connection = await upstream.findConnection(author);
    if (!connection) throw notConnected();
    try {
      return await work(connection);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const at = clock.now();
      await transactor.transact(author.accountId, async (tx) => {
        if ((await findUpstream(tx, author))?.keySealed !== connection.keySealed) return;
        await noteUpstream(tx, author, { sync_failed_at: at, sync_failure: message }, at);
        const { staffId } = author;
        const outcome = { failure: message };
        const tried = { action: "catalog.sync", source: "upstream", staffId, at, outcome } as const;
        await recordCatalogUpdate(tx, author, tried);
      });
      if (error instanceof Problem) throw error;
      throw new Problem("SYSTEM_UNAVAILABLE", `The old catalog stays: ${message}`);
    }
  }

  async #fetch(author: SyncAuthor, connection: StoredConnection): Promise<FetchedCatalog> {
    const { upstream, catalogUpdates } = this.#deps;
    const { wallet, noted } = await upstream.noteBalance(author, connection);
    const { accountId, environment, providerId } = author;
    const stored = await findUpstream(this.#deps.db, author);
    const isReplaced = stored?.replacedAt !== undefined;
    const readStored = async () =>
      isReplaced ? emptyContent() : catalogUpdates.read({ accountId, environment }, providerId);
    const fetched = await this.#fetcher.fetch(connection, wallet, readStored, noted);
    if (!isReplaced) return fetched;
    // An unreadable part must not keep offers of the company that was replaced.
    for (const section of SECTIONS) fetched.catalog[section] ??= [];
    return fetched;
  }

  /** @param read the notes of an earlier reading that already left items out */
  async #importFetched(
    author: SyncAuthor,
    connection: StoredConnection,
    fetched: FetchedCatalog,
    read?: SyncNotes,
  ): Promise<UpstreamSyncReport> {
    const { transactor, clock } = this.#deps;
    const { sections, notes } = await this.#replace(author, connection, fetched);
    const before = read && pickNotes(read);
    const report = { sections, ...(before && notes.leftOutCount === 0 ? before : notes) };
    const at = clock.now();
    const good = { sync_failed_at: null, sync_failure: null };
    const note = { synced_at: at, sync_report_json: JSON.stringify(report), ...good };
    await transactor.transact(author.accountId, async (tx) => {
      await requireConnected(tx, author, connection);
      await noteUpstream(tx, author, note, at);
      await endReplacement(tx, author, { providerId: author.providerId, at });
      await removeWaitingCatalog(tx, author);
    });
    return report;
  }

  async #replace(author: SyncAuthor, connection: StoredConnection, fetched: FetchedCatalog) {
    const { catalogUpdates } = this.#deps;
    const leftOut: LeftOutItem[] = [];
    const origin = {
      source: "upstream",
      action: "catalog.sync",
      providerId: author.providerId,
      ...(author.staffId !== undefined && { staffId: author.staffId }),
      requireWanted: (tx: Tx) => requireConnected(tx, author, connection),
    } as const;
    for (let round = 1; ; round++) {
      try {
        const scope: Scope = { accountId: author.accountId, environment: author.environment };
        const { sections } = await catalogUpdates.replace(scope, fetched.catalog, origin);
        return { sections, notes: describeNotes(leftOut, fetched) };
      } catch (error) {
        if (!(error instanceof CatalogRefused) || round === ROUNDS) throw error;
        leftOut.push(...leaveOut(fetched.catalog, error.faults));
      }
    }
  }
}

function pickNotes(read: SyncNotes): SyncNotes {
  const { leftOut, leftOutCount, leftOutReasons = [], unread = [], deviations = [] } = read;
  return { leftOut, leftOutCount, leftOutReasons, unread, deviations };
}

function delayAfter({ syncedAt, connectedAt, syncReport }: StoredUpstream, now: number): number {
  const isWhole = (syncReport?.unread ?? []).length === 0;
  if (syncedAt !== undefined) return isWhole ? SYNC_INTERVAL_MS : UNREAD_DELAY_MS;
  const missing_ms = now - connectedAt;
  const step = FIRST_SYNC_DELAYS.find(({ until_ms }) => missing_ms < until_ms);
  return step?.delay_ms ?? SYNC_INTERVAL_MS;
}

interface CatalogDifferenceDeps {
  catalogUpdates: CatalogUpdateService;
}

/**
 * Compares the fetched catalog with the active catalog. Unsellable items are left out, as in an
 * import.
 * @param country the shop's country; empty if unknown
 * @throws CatalogRefused if the catalog cannot be imported at all
 */
async function compareFetched(
  { catalogUpdates }: CatalogDifferenceDeps,
  ref: ProviderRef,
  { fetched, country }: { fetched: FetchedCatalog; country: string },
): Promise<CatalogDifference> {
  const { catalog } = fetched;
  const leftOut: LeftOutItem[] = [];
  for (let round = 1; ; round++) {
    try {
      const { accountId, environment, providerId } = ref;
      const scope = { accountId, environment };
      const compared = await catalogUpdates.compare(scope, catalog, providerId);
      return {
        ...describeDifference(compared, catalog, { country }),
        ...describeNotes(leftOut, fetched),
      };
    } catch (error) {
      if (!(error instanceof CatalogRefused) || round === ROUNDS) throw error;
      leftOut.push(...leaveOut(catalog, error.faults));
    }
  }
}

interface StoredWaitingCatalog {
  keySealed: string;
  fetchedAt: number;
  difference: CatalogDifference;
}

async function findWaitingCatalog(
  db: Db | Tx,
  ref: ProviderRef,
): Promise<StoredWaitingCatalog | undefined> {
  const row = await db
    .selectFrom("waiting_catalogs")
    .select(["key_sealed", "fetched_at", "difference_json"])
    .where(inScope(ref))
    .where("provider_id", "=", ref.providerId)
    .executeTakeFirst();
  if (!row) return undefined;
  const where = { table: "waiting_catalogs", column: "difference_json" } as const;
  const difference = readColumn(CatalogDifference, row.difference_json, {
    ...where,
    row: ref.environment,
  });
  return { keySealed: row.key_sealed, fetchedAt: row.fetched_at, difference };
}

/** Returns undefined if the waiting catalog was replaced or removed. */
async function readWaitingContent(
  db: Db,
  ref: ProviderRef,
  fetchedAt: number,
): Promise<StatedCatalog | undefined> {
  const row = await db
    .selectFrom("waiting_catalogs")
    .select("content")
    .where(inScope(ref))
    .where("provider_id", "=", ref.providerId)
    .where("fetched_at", "=", fetchedAt)
    .executeTakeFirst();
  return row && (await unpackCatalog(row.content));
}

async function saveWaitingCatalog(
  tx: Tx,
  ref: ProviderRef,
  { content, keySealed, fetchedAt, difference }: StoredWaitingCatalog & { content: Uint8Array },
): Promise<void> {
  const fresh = {
    key_sealed: keySealed,
    fetched_at: fetchedAt,
    difference_json: JSON.stringify(difference),
    content,
  };
  await tx
    .insertInto("waiting_catalogs")
    .values({
      account_id: ref.accountId,
      environment: ref.environment,
      provider_id: ref.providerId,
      ...fresh,
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "environment", "provider_id"]).doUpdateSet(fresh),
    )
    .execute();
  await recordChange(tx, ref, { topic: "provider", subject: "upstream", at: fetchedAt });
}

async function removeWaitingCatalog(tx: Tx, ref: ProviderRef): Promise<void> {
  await tx
    .deleteFrom("waiting_catalogs")
    .where(inScope(ref))
    .where("provider_id", "=", ref.providerId)
    .execute();
}
