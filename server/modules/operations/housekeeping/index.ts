import { NO_ACCOUNT } from "../../../db/account-lock.ts";
import { pruneChanges } from "../../../db/changes.ts";
import { DAY, HOUR } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { listReadyFiles, type ReportFiles } from "../../books/reports/index.ts";
import { pruneDeliveries, removeAbandonedListener } from "../../messages/webhooks/index.ts";
import type { Base, Module } from "../../module.ts";
import { listReadyShopReportFiles } from "../../office/shop-reports/index.ts";
import { pruneUploads } from "../../providers/catalog-imports/index.ts";
import { eraseDetails, sealDetails } from "../../purchases/purchases/index.ts";
import { eraseOldNumbers } from "../../selling/customers/index.ts";
import { prunePrintRecords } from "../../selling/print-records/index.ts";
import { eraseAddresses, pruneLinks } from "../../selling/receipt-pages/index.ts";
import { pruneDevices } from "../../shop/devices/index.ts";

type HousekeepingModuleDeps = Base & { reportFiles: ReportFiles };

export function createHousekeepingModule({ reportFiles, ...base }: HousekeepingModuleDeps) {
  const housekeeping = new Housekeeping({ ...base, files: reportFiles });
  return {
    services: { housekeeping },
    start: () => housekeeping.start(),
    stop: () => housekeeping.stop(),
  } satisfies Module;
}

const CHANGES_KEPT_MS = 7 * DAY;
const DELIVERIES_KEPT_MS = 90 * DAY;
const REPORT_FILES_KEPT_MS = 90 * DAY;

/** Key of the stored turn. Only the process that holds the turn purges. */
const TOPIC = "housekeeping";
const NAME = "turn";
/** Duration of a turn. If a purge takes longer, another process may purge too. */
const TURN_MS = HOUR;

interface PurgeTurn {
  owner: string;
}

type HousekeepingDeps = Pick<
  Base,
  "db" | "transactor" | "memory" | "claimant" | "clock" | "log"
> & {
  files: ReportFiles;
};

/**
 * Purges expired data at each start and once a day:
 * - events of tills
 * - webhook deliveries with their attempts
 * - report files
 * - PINs, codes, phone numbers and addresses of customers past their retention
 * - links to receipts that expired long ago
 * - expired device codes, and devices revoked 90 days ago
 * - abandoned catalog uploads
 * - print outcomes older than a month
 * - listeners for webhooks that have not run for a week
 *
 * Transactions, ledger entries and audit entries are never deleted. Details that an earlier version
 * stored unencrypted are encrypted first.
 */
class Housekeeping {
  readonly #deps: HousekeepingDeps;
  #cancel: () => void = () => {};
  #turn: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: HousekeepingDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { clock, log } = this.#deps;
    if (this.#stopped) return;
    this.#cancel = clock.wakeAt(clock.now() + DAY, () => this.start());
    this.#turn = this.#turn
      .then(() => this.#takeTurn(() => this.clearAway()))
      .catch((error: unknown) => log.warn({ err: error }, "could not purge all expired data"));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#turn;
  }

  async clearAway(): Promise<void> {
    const { db, transactor, clock, files } = this.#deps;
    const now = clock.now();
    // Small batches, so that sales do not wait.
    let isMore = true;
    while (isMore && !this.#stopped) {
      isMore = await transactor.transact(NO_ACCOUNT, (tx) =>
        pruneChanges(tx, now - CHANGES_KEPT_MS),
      );
    }
    const books = { db, transactor, recordAudit };
    const before = now - DELIVERIES_KEPT_MS;
    for (let after: number | undefined = 0; after !== undefined && !this.#stopped; ) {
      after = await pruneDeliveries(books, { before, after });
    }
    for (const step of [
      sealDetails,
      eraseDetails,
      eraseAddresses,
      eraseOldNumbers,
      pruneLinks,
      pruneDevices,
      pruneUploads,
      prunePrintRecords,
      removeAbandonedListener,
    ]) {
      while (!this.#stopped && (await step(books, now)));
    }
    const readyBefore = now - REPORT_FILES_KEPT_MS;
    await files.remove(await listReadyFiles(db, readyBefore));
    await files.remove(await listReadyShopReportFiles(db, readyBefore));
  }

  /**
   * Runs the work unless another process holds the turn. The next turn continues unfinished work. A
   * crashed process holds its turn until it expires or the process restarts.
   */
  async #takeTurn(work: () => Promise<void>): Promise<void> {
    const { memory, claimant } = this.#deps;
    if (!claimant) return work();
    const { owner, place } = claimant;
    const turn = await memory.change<PurgeTurn>(
      TOPIC,
      NAME,
      (before) => (before && !before.owner.startsWith(place) ? before : { owner }),
      TURN_MS,
    );
    if (turn?.owner !== owner) return;
    try {
      await work();
    } finally {
      const end = (before?: PurgeTurn) => (before?.owner === owner ? undefined : before);
      await memory.change<PurgeTurn>(TOPIC, NAME, end, TURN_MS);
    }
  }
}
