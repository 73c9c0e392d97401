import type { CatalogMessage } from "../../../contract/pos/webhooks.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { decodeSubject, encodeSubject } from "../../../jobs/job-subject.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
import type { CatalogChange } from "./catalog-store.ts";
import type { PromoService } from "./promo-service.ts";

export const MESSAGE_JOB = "catalog.message";

/** Webhooks, which the catalog does not import. */
export interface Messages {
  takesMessages(db: Db | Tx, scope: Scope, kind: "PROMOTION"): Promise<boolean>;
  sendMessage(
    tx: Tx,
    message: Scope & { kind: "CATALOG" | "PROMOTION"; subject: string; at: number },
    render: () => Promise<object | undefined>,
  ): Promise<void>;
}

interface CatalogMessagesDeps extends Messages {
  transactor: Transactor;
  clock: Clock;
  promos: PromoService;
}

/** A catalog that comes into force. */
interface CatalogNews {
  change: CatalogChange;
  /** Numbers of offers of all families. */
  offers: CatalogMessage["offers"];
  version: number;
  at: number;
}

const SEPARATOR = ":";

/**
 * Sends new and changed promotions to the webhooks as GET returns them, and a summary of changed
 * offers. Each promotion is a job, because the catalog in force can be read only after the import.
 */
export class CatalogMessages {
  readonly #deps: CatalogMessagesDeps;

  constructor(deps: CatalogMessagesDeps) {
    this.#deps = deps;
  }

  /** Runs in the transaction that puts the catalog in force. */
  async enqueue(
    tx: Tx,
    { accountId, environment }: Scope,
    { change, offers, version, at }: CatalogNews,
  ): Promise<void> {
    const scope = { accountId, environment };
    if (offers.added + offers.changed + offers.removed > 0) {
      const message: CatalogMessage = { version, updatedAt: toTimestamp(at), offers };
      const subject = ["catalog", version].join(SEPARATOR);
      await this.#deps.sendMessage(
        tx,
        { ...scope, kind: "CATALOG", subject, at },
        async () => message,
      );
    }
    const ids = change.promos.put.map((row) => row.promo_id);
    if (ids.length === 0 || !(await this.#deps.takesMessages(tx, scope, "PROMOTION"))) return;
    for (const id of ids) {
      const subject = encodeSubject(scope, [version, id].join(SEPARATOR));
      await enqueueJob(tx, { kind: MESSAGE_JOB, subject, runAt: at });
    }
  }

  /** A promotion that is gone again has no GET response, and sends nothing. */
  async send(jobSubject: string): Promise<void> {
    const { transactor, clock, promos, sendMessage } = this.#deps;
    const { scope, id: subject } = decodeSubject(jobSubject);
    const promoId = subject.slice(subject.indexOf(SEPARATOR) + 1);
    const promo = await promos.find(scope, promoId);
    const message = { ...scope, kind: "PROMOTION", subject, at: clock.now() } as const;
    await transactor.transact(scope.accountId, (tx) => sendMessage(tx, message, async () => promo));
  }
}
