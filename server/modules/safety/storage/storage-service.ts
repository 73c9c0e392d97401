import { Problem } from "../../../contract/problem.ts";
import { NO_ACCOUNT } from "../../../db/account-lock.ts";
import type { Db } from "../../../db/database.ts";
import { placeOfDatabase } from "../../../db/database-place.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { WriteHealth } from "../../../db/write-health.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { describeStorageFault } from "../../../lib/storage-fault.ts";
import type { AuditReport } from "../../books/audit/index.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import {
  type BooksDetail,
  type Finding,
  listOpenFindings,
  probeWriting,
  recordFinding,
  settleFinding,
} from "./storage-store.ts";

/** A write this recent is proof enough. */
const PROOF_MS = 10 * SECOND;
/** How often a write is tried, once writing does not work. */
const TRY_AGAIN_MS = 5 * SECOND;
/** How long after a start the audit begins; a start has enough to do. */
const AUDIT_DELAY_MS = 20 * SECOND;

interface StorageServiceDeps {
  db: Db;
  transactor: Transactor;
  health: WriteHealth;
  clock: Clock;
  log: Log;
  config: { dataDir: string; database?: string | undefined };
  background: { run(task: "audit", input: { database: string }): Promise<AuditReport> };
}

export type BooksState = "not checked yet" | "in order" | "not in order";

export interface StorageState {
  /** Why nothing can be written, in words; undefined where something can. */
  fault: string | undefined;
  books: BooksState;
  findings: Finding[];
}

/** Knows whether the database can be written, and whether its content is what was written. */
export class StorageService {
  readonly #deps: StorageServiceDeps;
  #books: BooksState = "not checked yet";
  #probe: Promise<void> | undefined;
  #audit: Promise<void> | undefined;
  #cancel: () => void = () => {};
  /** Ends the wait for the next try, while nothing can be written. */
  #cancelTry: (() => void) | undefined;
  #isStopped = false;

  constructor(deps: StorageServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Reports at once what is missing, and has the books audited soon. From now on the services that wait
   * for the disk are notified when it is well, even if nothing else is written.
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

  /** Begins no audit any more; one that is under way ends with the thread that it runs on. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel();
    this.#cancelTry?.();
  }

  /** Resolves when neither an audit nor a try to write is under way any more. */
  async idle(): Promise<void> {
    await this.#audit;
    await this.#probe;
  }

  /** Where nothing was written lately, something is written now: once for all callers. */
  async getState(): Promise<StorageState> {
    if (!this.#deps.health.hasWritten(PROOF_MS)) await this.#tryToWrite();
    return this.readState();
  }

  /** As far as it is known without writing anything. */
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

  /**
   * The owner has confirmed what is missing: it is no longer shown.
   * @throws Problem NOT_FOUND where nothing is.
   */
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

  /** What cannot be read counts as not in order. */
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
      // A try that fails is a fault like any other, and leads to the next.
      if (health.fault !== undefined) void this.#tryToWrite();
    });
  }

  #tryToWrite(): Promise<void> {
    const { transactor, health } = this.#deps;
    // What fails is noted by the writer.
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
