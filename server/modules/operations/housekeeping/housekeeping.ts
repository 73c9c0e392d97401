import { NO_ACCOUNT } from "../../../db/account-lock.ts";
import { pruneChanges } from "../../../db/changes.ts";
import { DAY, HOUR } from "../../../lib/clock.ts";
import { listReadyFiles, type ReportFiles } from "../../books/reports/index.ts";
import { pruneDeliveries } from "../../messages/webhooks/index.ts";
import type { Base } from "../../module.ts";
import { listReadyShopReportFiles } from "../../office/shop-reports/index.ts";
import { pruneUploads } from "../../providers/catalog-imports/index.ts";
import { eraseDetails, sealDetails } from "../../purchases/purchases/index.ts";
import { eraseOldNumbers } from "../../selling/customers/index.ts";
import { prunePrintRecords } from "../../selling/print-records/index.ts";
import { eraseAddresses, pruneLinks } from "../../selling/receipt-pages/index.ts";
import { pruneDevices } from "../../shop/devices/index.ts";

const CHANGES_KEPT_MS = 7 * DAY;
const DELIVERIES_KEPT_MS = 90 * DAY;
const REPORT_FILES_KEPT_MS = 90 * DAY;

/** Of the processes on one database one at a time clears away. */
const TOPIC = "housekeeping";
const NAME = "turn";
/** It may be longer at it: then another helps. */
const TURN_MS = HOUR;

interface Turn {
  owner: string;
}

type HousekeepingDeps = Pick<
  Base,
  "db" | "transactor" | "memory" | "claimant" | "clock" | "log"
> & {
  files: ReportFiles;
};

/**
 * Clears away what is over, at each start and then once a day: events of tills, webhook deliveries with
 * their attempts, the files of reports, PINs, codes, numbers and addresses of customers that the shop no longer
 * keeps, links to receipts that ended long ago, codes for devices that ended and devices that were revoked 90
 * days ago, catalog files that nobody went on sending, how prints of a month ago went. Never a transaction, an
 * entry of the books or of the audit trail. Details that an earlier version left in clear are encrypted first.
 */
export class Housekeeping {
  readonly #deps: HousekeepingDeps;
  #cancel: () => void = () => {};
  #turn: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: HousekeepingDeps) {
    this.#deps = deps;
  }

  /** Clears away now and every day from now on. */
  start(): void {
    const { clock, log } = this.#deps;
    if (this.#stopped) return;
    this.#cancel = clock.wakeAt(clock.now() + DAY, () => this.start());
    this.#turn = this.#turn
      .then(() => this.#takeTurn(() => this.clearAway()))
      .catch((error: unknown) => log.warn({ err: error }, "not everything could be cleared away"));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#turn;
  }

  async clearAway(): Promise<void> {
    const { db, transactor, clock, files } = this.#deps;
    const now = clock.now();
    // A few at a time: sales do not wait for a year's changes and deliveries.
    let isMore = true;
    while (isMore && !this.#stopped) {
      isMore = await transactor.transact(NO_ACCOUNT, (tx) =>
        pruneChanges(tx, now - CHANGES_KEPT_MS),
      );
    }
    const books = { db, transactor };
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
    ]) {
      while (!this.#stopped && (await step(books, now)));
    }
    const readyBefore = now - REPORT_FILES_KEPT_MS;
    await files.remove(await listReadyFiles(db, readyBefore));
    await files.remove(await listReadyShopReportFiles(db, readyBefore));
  }

  /**
   * Does something unless another process is at it: what that one does not get done it does tomorrow, or who starts next.
   * One that ended in the middle keeps others away for a while, and not its own next start.
   */
  async #takeTurn(work: () => Promise<void>): Promise<void> {
    const { memory, claimant } = this.#deps;
    if (!claimant) return work();
    const { owner, place } = claimant;
    const turn = await memory.change<Turn>(
      TOPIC,
      NAME,
      (before) => (before && !before.owner.startsWith(place) ? before : { owner }),
      TURN_MS,
    );
    if (turn?.owner !== owner) return;
    try {
      await work();
    } finally {
      const end = (before?: Turn) => (before?.owner === owner ? undefined : before);
      await memory.change<Turn>(TOPIC, NAME, end, TURN_MS);
    }
  }
}
