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

/** Maximum age of a write that proves that the database is writable. */
const PROOF_MS = 10 * SECOND;
/** Interval of test writes while writing fails. */
const TRY_AGAIN_MS = 5 * SECOND;
/** Delay of the audit after the start, when the gateway is busy. */
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
