import { ENVIRONMENTS } from "../../contract/common.ts";
import { recordChange } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { Transactor } from "../../db/transactor.ts";
import { type Clock, MINUTE, SECOND } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import type { Shop, ShopService } from "../shop/index.ts";
import type { AlertMailer } from "./alert-mailer.ts";
import type { AlertSource } from "./alert-source.ts";
import { type Found, planSteps } from "./alert-steps.ts";
import { listOpenAlerts, pruneAlerts, type StoredAlert, saveAlert } from "./alert-store.ts";

/** The longest that nobody looks: other processes write too, and time itself makes a rate old. */
const EVERY_MS = MINUTE;
/** The soonest after a commit: a burst of sales is one look. */
const SOON_MS = 5 * SECOND;

interface Deps {
  accountId: string;
  db: Db;
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
  log: Log;
  shop: ShopService;
  mailer: AlertMailer;
  sources: readonly AlertSource[];
}

/**
 * Looks at what is the matter, and keeps it as rows: so that each thing is told once, also after the
 * power went, and that it is known when it was well again (rules#alert-once).
 */
export class AlertRounds {
  readonly #deps: Deps;
  readonly #lookedAt = new Map<AlertSource, number>();
  #cancel: () => void = () => {};
  #dueAt = Number.POSITIVE_INFINITY;
  #turn: Promise<void> = Promise.resolve();
  #isStopped = true;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.transactor.onCommit(() => this.#wakeBy(SOON_MS));
  }

  start(): void {
    this.#isStopped = false;
    this.#wakeBy(SOON_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#turn;
  }

  #wakeBy(delay_ms: number): void {
    const { clock, log } = this.#deps;
    const dueAt = clock.now() + delay_ms;
    if (this.#isStopped || dueAt >= this.#dueAt) return;
    this.#cancel();
    this.#dueAt = dueAt;
    this.#cancel = clock.wakeAt(dueAt, () => {
      this.#turn = this.look()
        .catch((error: unknown) => log.warn({ err: error }, "the alerts could not be looked after"))
        .finally(() => {
          this.#dueAt = Number.POSITIVE_INFINITY;
          this.#wakeBy(EVERY_MS);
        });
    });
  }

  /** Looks once. A shop that is not set up has nothing that could be the matter. */
  async look(): Promise<void> {
    const { accountId, db, transactor, clock, mailer } = this.#deps;
    const shop = await this.#deps.shop.find(accountId);
    if (!shop) return;
    const now = clock.now();
    const open = await listOpenAlerts(db, accountId);
    const found = await this.#findAll(shop, open, now);
    const isMailDue = await mailer.isDue(db, open, now);
    if (this.#plan(open, found, now).length === 0 && !isMailDue) return;
    await transactor.transact(accountId, async (tx) => {
      const steps = this.#plan(await listOpenAlerts(tx, accountId), found, now);
      await this.#write(tx, steps, now);
      await mailer.write(tx, shop, now);
    });
  }

  #plan(open: readonly StoredAlert[], found: Found, now: number): StoredAlert[] {
    return planSteps(open, found, { now, newId: () => this.#deps.ids.uuid() });
  }

  async #write(tx: Tx, steps: readonly StoredAlert[], now: number): Promise<void> {
    if (steps.length === 0) return;
    const { accountId } = this.#deps;
    for (const alert of steps) await saveAlert(tx, accountId, alert);
    await pruneAlerts(tx, accountId, now);
    // Some are of the whole shop, and those of live are shown in test as well.
    for (const environment of ENVIRONMENTS) {
      await recordChange(tx, { accountId, environment }, { topic: "alerts", subject: "", at: now });
    }
  }

  /** A source that fails leaves its alerts as they are. */
  async #findAll(shop: Shop, open: readonly StoredAlert[], now: number): Promise<Found> {
    const { accountId, sources, log } = this.#deps;
    const { tillEnvironment: selling } = shop;
    const watched = ENVIRONMENTS.filter((one) => one === "live" || one === selling);
    const found = new Map<AlertSource["kind"], Awaited<ReturnType<AlertSource["find"]>>>();
    for (const source of sources) {
      const { kind, every_ms = 0 } = source;
      const lookedAt = this.#lookedAt.get(source);
      if (lookedAt !== undefined && Math.abs(now - lookedAt) < every_ms) continue;
      const ofKind = open.filter((alert) => alert.kind === kind);
      try {
        const watch = { accountId, now, shop, selling, watched, open: ofKind };
        found.set(kind, await source.find(watch));
        this.#lookedAt.set(source, now);
      } catch (error) {
        log.warn({ err: error, kind }, "what an alert is made of could not be read");
      }
    }
    return found;
  }
}
