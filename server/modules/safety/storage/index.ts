import { randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import type { PosStorage } from "../../../contract/pos/storage.ts";
import { Problem } from "../../../contract/problem.ts";
import { EVERY_ACCOUNT, NO_ACCOUNT } from "../../../db/account-lock.ts";
import { readWitness } from "../../../db/commit-witness.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { placeOfDatabase } from "../../../db/database-place.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { WriteHealth } from "../../../db/write-health.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { SECOND, toTimestamp } from "../../../lib/clock.ts";
import { describeStorageFault } from "../../../lib/storage-fault.ts";
import type { AuditReport } from "../../books/audit/index.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base, Module } from "../../module.ts";
import { doubtUnfinished } from "../../purchases/purchases/index.ts";

/** Maximum age of a write that proves that the database is writable. */
const PROOF_MS = 10 * SECOND;
/** Interval of test writes while writing fails. */
const TRY_AGAIN_MS = 5 * SECOND;
/** Delay of the audit after the start, when the gateway is busy. */
const AUDIT_DELAY_MS = 20 * SECOND;

interface StorageServiceDeps extends Pick<Base, "db" | "transactor" | "clock" | "log"> {
  health: WriteHealth;
  config: { dataDir: string; database?: string | undefined };
  background: { run(task: "audit", input: { database: string }): Promise<AuditReport> };
}

type BooksState = "not checked yet" | "in order" | "not in order";

export interface StorageState {
  /** Reason why nothing can be written; undefined if writing works. */
  fault: string | undefined;
  books: BooksState;
  findings: Finding[];
}

export class StorageService {
  readonly #deps: StorageServiceDeps;
  #books: BooksState = "not checked yet";
  #probe: Promise<void> | undefined;
  #audit: Promise<void> | undefined;
  #cancel: () => void = () => {};
  #cancelTry: (() => void) | undefined;
  #isStopped = false;

  constructor(deps: StorageServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Reports missing sales, and schedules the audit of the books. From now on, test writes detect
   * when a failed disk works again.
   */
  async start({ audit }: { audit: boolean }): Promise<void> {
    const { db, clock, log, health } = this.#deps;
    health.onFault(() => this.#tryAgainSoon());
    for (const { kind, detail } of await listOpenFindings(db)) {
      if (kind === "MISSING") log.error({ ...detail }, "the database lacks what was committed");
    }
    if (!audit) return;
    this.#cancel = clock.wakeAt(clock.now() + AUDIT_DELAY_MS, () => {
      this.#audit = this.#auditBooks().catch((error: unknown) => {
        if (!this.#isStopped) log.error({ err: error }, "the books could not be audited");
      });
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
    this.#cancelTry?.();
  }

  async idle(): Promise<void> {
    await this.#audit;
    await this.#probe;
  }

  /**
   * Returns the state. If nothing was written recently, makes a test write. Concurrent callers
   * share it.
   */
  async getState(): Promise<StorageState> {
    if (!this.#deps.health.hasWritten(PROOF_MS)) await this.#tryToWrite();
    return this.readState();
  }

  /** Returns the last known state, without a test write. */
  async readState(): Promise<StorageState> {
    const { db, health } = this.#deps;
    const findings = await listOpenFindings(db).catch((error: unknown) => {
      health.failedToRead(error);
      return [];
    });
    const fault = health.fault ?? health.readFault;
    const words =
      fault === undefined
        ? undefined
        : (describeStorageFault(fault) ?? "the database cannot be used");
    const isBad = findings.some(({ kind }) => kind === "BOOKS");
    return {
      fault: words,
      books: isBad ? "not in order" : this.#books,
      findings,
    };
  }

  async settleMissing(accountId: string, staffId: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    await transactor.transact(accountId, async (tx) => {
      const open = (await listOpenFindings(tx)).find((finding) => finding.kind === "MISSING");
      if (open?.kind !== "MISSING") {
        throw new Problem("NOT_FOUND", "Nothing is missing that you have not seen.");
      }
      const at = clock.now();
      await settleFinding(tx, "MISSING", at);
      await recordAudit(tx, {
        accountId,
        staffId,
        action: "storage.missing-seen",
        subject: "database",
        detail: { ...open.detail },
        at,
      });
    });
  }

  /** Audits the books. Unreadable books are a violation. */
  async #findBroken(): Promise<BooksDetail> {
    const { background, config } = this.#deps;
    try {
      const { checks } = await background.run("audit", { database: placeOfDatabase(config) });
      return checks.filter(({ violations }) => violations.length > 0);
    } catch (error) {
      const fault = describeStorageFault(error);
      if (fault === undefined) throw error;
      return [{ name: "the database file can be read", violations: [fault] }];
    }
  }

  #tryAgainSoon(): void {
    if (this.#cancelTry || this.#isStopped) return;
    const { clock, health } = this.#deps;
    this.#cancelTry = clock.wakeAt(clock.now() + TRY_AGAIN_MS, () => {
      this.#cancelTry = undefined;
      if (health.fault !== undefined) void this.#tryToWrite();
    });
  }

  #tryToWrite(): Promise<void> {
    const { transactor, health } = this.#deps;
    // Ignores errors here, because the writer has recorded them.
    this.#probe ??= transactor
      .transact(NO_ACCOUNT, probeWriting)
      .then(
        () => health.proved(),
        () => undefined,
      )
      .finally(() => {
        this.#probe = undefined;
      });
    return this.#probe;
  }

  async #auditBooks(): Promise<void> {
    const { transactor, clock, log } = this.#deps;
    const broken = await this.#findBroken();
    const clean = broken.length === 0;
    this.#books = clean ? "in order" : "not in order";
    if (clean) log.info("the books are in order");
    else log.error({ broken }, "the books are not in order");
    await transactor.transact(NO_ACCOUNT, async (tx) => {
      const at = clock.now();
      if (clean) await settleFinding(tx, "BOOKS", at);
      else await recordFinding(tx, { kind: "BOOKS", foundAt: at, detail: broken });
    });
  }
}

/** Rows that violate invariants, by the name of the invariant. */
const BooksDetail = Type.Array(
  Type.Object({ name: Type.String(), violations: Type.Array(Type.String()) }),
);
type BooksDetail = Static<typeof BooksDetail>;

/** Committed changes that the database file no longer contains. */
const MissingDetail = Type.Object({
  transactions: Type.Integer(),
  commits: Type.Integer(),
  /** Times of the last commit in the file, and of the last commit that was made. */
  since: Type.Number(),
  until: Type.Number(),
});
type MissingDetail = Static<typeof MissingDetail>;

type Finding = { foundAt: number } & (
  | { kind: "BOOKS"; detail: BooksDetail }
  | { kind: "MISSING"; detail: MissingDetail }
);

/** Lists findings that are neither fixed nor confirmed by the owner. */
export async function listOpenFindings(db: Db | Tx): Promise<Finding[]> {
  const rows = await db
    .selectFrom("storage_findings")
    .select(["finding_id", "kind", "found_at", "detail_json"])
    .where("settled_at", "is", null)
    .orderBy("kind")
    .execute();
  return rows.map(({ finding_id: row, kind, found_at: foundAt, detail_json: text }) => {
    const where = { table: "storage_findings", column: "detail_json", row } as const;
    return kind === "BOOKS"
      ? { kind, foundAt, detail: readColumn(BooksDetail, text, where) }
      : { kind, foundAt, detail: readColumn(MissingDetail, text, where) };
  });
}

/** Replaces an open finding of the same kind. */
async function recordFinding(tx: Tx, { kind, foundAt, detail }: Finding): Promise<void> {
  await settleFinding(tx, kind, foundAt);
  await tx
    .insertInto("storage_findings")
    .values({ kind, found_at: foundAt, detail_json: JSON.stringify(detail), settled_at: null })
    .execute();
}

/** @returns whether a finding of this kind was open */
async function settleFinding(tx: Tx, kind: Finding["kind"], at: number): Promise<boolean> {
  const result = await tx
    .updateTable("storage_findings")
    .set({ settled_at: at })
    .where("kind", "=", kind)
    .where("settled_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

const PROBE_BYTES = 12_288;
const PROBE = { topic: "write probe", name: "" };

/** Writes as many bytes as a sale, to test whether a sale can be stored. */
async function probeWriting(tx: Tx): Promise<void> {
  // Random bytes, because PostgreSQL would compress repeated bytes into less space.
  const content = randomBytes(PROBE_BYTES).toString("base64");
  await tx
    .deleteFrom("shared_memory")
    .where("topic", "=", PROBE.topic)
    .where("name", "=", PROBE.name)
    .execute();
  const row = { ...PROBE, number: 0, content, expires_at: 0 };
  await tx.insertInto("shared_memory").values(row).execute();
}

interface MissingCommitsDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  dataDir: string;
}

/** Lost changes; `transactions` is undefined if their number is unknown. */
type Lost = Omit<MissingDetail, "transactions"> & Partial<Pick<MissingDetail, "transactions">>;

/**
 * Records missing sales if the database lacks committed changes (rules#fault-lost-commits). The
 * record stays open until the owner confirms it. Adds the missing commits to the stored count, so
 * that they are recorded only once. The gateway queries the provider about each open purchase
 * before it submits the purchase again.
 */
export async function noteMissing({
  db,
  transactor,
  dataDir,
  clock,
}: MissingCommitsDeps): Promise<void> {
  // Reads the witness before the count, so that another process's concurrent commit cannot seem
  // missing.
  const witness = readWitness(dataDir);
  if (!witness || witness.commits <= (await readCount(db)).commits) return;
  await transactor.transact(EVERY_ACCOUNT, async (tx) => {
    const count = await readCount(tx);
    if (witness.commits <= count.commits) return;
    const lost = {
      transactions: Math.max(0, witness.transactions - count.transactions),
      commits: witness.commits - count.commits,
      since: count.committed_at,
      until: witness.committedAt,
    };
    await recordLost(tx, lost, clock.now());
    await doubtUnfinished(tx);
    await tx
      .updateTable("commit_count")
      .set({
        commits: witness.commits,
        transactions: Math.max(witness.transactions, count.transactions),
      })
      .execute();
  });
}

export async function recordLost(
  tx: Tx,
  { transactions = 0, commits, since, until }: Lost,
  foundAt: number,
): Promise<void> {
  const before = (await listOpenFindings(tx)).find(({ kind }) => kind === "MISSING");
  const unseen = before?.detail as MissingDetail | undefined;
  await recordFinding(tx, {
    kind: "MISSING",
    foundAt,
    detail: {
      transactions: transactions + (unseen?.transactions ?? 0),
      commits: commits + (unseen?.commits ?? 0),
      since: unseen?.since ?? since,
      until,
    },
  });
}

function readCount(db: Db | Tx) {
  return db.selectFrom("commit_count").selectAll().executeTakeFirstOrThrow();
}

type StorageModuleDeps = Base & {
  background: ConstructorParameters<typeof StorageService>[0]["background"];
  health: WriteHealth;
  /** Whether each start audits the books; default is true. */
  auditAtStart?: boolean;
};

export function createStorageModule({ auditAtStart = true, ...deps }: StorageModuleDeps) {
  const storage = new StorageService(deps);
  return {
    services: { storage },
    pos: (app) => registerStorageRoutes(app, storage),
    start: () => storage.start({ audit: auditAtStart }),
    stop: () => storage.stop(),
    release: () => storage.idle(),
  } satisfies Module;
}

/**
 * Registers the storage state. Everyone sees whether sales are blocked; owners also see the
 * details.
 */
async function registerStorageRoutes(app: App, storage: StorageService): Promise<void> {
  const { storageOperations } = await import("../../../contract/pos/storage.ts");
  handle(app, storageOperations.get, async ({ actor }) =>
    toPosStorage(await storage.getState(), actor.role === "owner"),
  );

  handle(app, storageOperations.settleMissing, async ({ actor }) => {
    await storage.settleMissing(actor.accountId, actor.staffId);
    return toPosStorage(await storage.getState(), true);
  });
}

function toPosStorage({ fault, findings }: StorageState, isOwner: boolean): PosStorage {
  const answer: PosStorage = {
    ...(fault !== undefined && { fault: fault === "the disk is full" ? "FULL" : "OTHER" }),
  };
  for (const finding of isOwner ? findings : []) {
    if (finding.kind === "BOOKS") {
      answer.booksBroken = { foundAt: toTimestamp(finding.foundAt) };
    } else {
      const { transactions, commits: changes, since, until } = finding.detail;
      answer.missing = {
        transactions,
        changes,
        since: toTimestamp(since),
        until: toTimestamp(until),
      };
    }
  }
  return answer;
}
