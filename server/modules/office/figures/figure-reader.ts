import type { Scope } from "../../../db/changes.ts";
import { type Db, readSnapshot } from "../../../db/database.ts";
import { recountDay } from "../../../db/figure-sums.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { Shop, ShopService } from "../../shop/shop/index.ts";
import type { FigureScope, Span } from "./counted-rows.ts";
import { type Period, readPeriod } from "./figure-period.ts";
import { findUnsoundDays, UnsoundSums } from "./figure-sums-store.ts";

interface FigureReaderDeps {
  db: Db;
  clock: Pick<Clock, "now">;
  shop: Pick<ShopService, "get">;
  /** Access for recounting damaged sums; undefined for a read-only snapshot. */
  recounting?: { transactor: Transactor; log: Log };
}

export interface FigureRequest {
  scope: FigureScope;
  shop: Shop;
  now: number;
}

/** Reads figures from a snapshot. Sums whose checksum does not match are recounted first. */
export class FigureReader {
  readonly #deps: FigureReaderDeps;

  constructor(deps: FigureReaderDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_SET_UP */
  async readContext({ accountId, environment }: Scope): Promise<FigureRequest> {
    const shop = await this.#deps.shop.get(accountId);
    const scope = { accountId, environment, currency: shop.currency };
    return { scope, shop, now: this.#deps.clock.now() };
  }

  /** @throws Problem NOT_SET_UP, INVALID_REQUEST naming the day */
  async readRequest(
    reader: Scope,
    days: Parameters<typeof readPeriod>[0],
  ): Promise<FigureRequest & { period: Period }> {
    const request = await this.readContext(reader);
    return { ...request, period: readPeriod(days, request.shop) };
  }

  /** @param span contains the time of all sums that `work` reads */
  async read<T>(scope: Scope, span: Span, work: (snapshot: Db) => Promise<T>): Promise<T> {
    if (!this.#deps.recounting) return work(this.#deps.db);
    try {
      return await readSnapshot(this.#deps.db, work);
    } catch (error) {
      if (!(error instanceof UnsoundSums)) throw error;
      await this.#recount(scope, span);
      return readSnapshot(this.#deps.db, work);
    }
  }

  /** Recounts damaged sums that a thread without write access could not read. */
  async recount(reader: Scope, days: Parameters<typeof readPeriod>[0]): Promise<void> {
    const { scope, period } = await this.readRequest(reader, days);
    await this.#recount(scope, period);
  }

  async #recount(scope: Scope, span: Span): Promise<void> {
    const { db, recounting } = this.#deps;
    if (!recounting) throw new Error("a read-only snapshot cannot recount sums");
    const { transactor, log } = recounting;
    const days = await findUnsoundDays(db, scope, span);
    for (const day of days) {
      await transactor.transact(scope.accountId, (tx) => recountDay(tx, scope, day));
    }
    log.warn({ days: days.length }, "recounted sums of figures whose checksum did not match");
  }
}

export function viewHeading({ scope, shop, now }: FigureRequest) {
  return {
    environment: scope.environment,
    timeZone: shop.timeZone,
    dayStartsAt: shop.dayStartsAt,
    currency: shop.currency,
    currencyDivisor: shop.currencyDivisor,
    madeAt: toTimestamp(now),
  };
}
