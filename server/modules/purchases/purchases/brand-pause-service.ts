import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { accountOfSubject } from "../../../jobs/job-subject.ts";
import type { Clock } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import {
  type BrandState,
  listPausedBrands,
  pauseByHand,
  probe,
  resumeByHand,
} from "./brand-breaker.ts";

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  catalog: CatalogService;
}

/** Brands that are paused, automatically or by hand. */
export class BrandPauseService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(scope: Scope): Promise<(BrandState & { pausedSince: number })[]> {
    return listPausedBrands(this.#deps.db, scope);
  }

  /** @throws Problem NOT_FOUND for a brand that is not in the catalog */
  async pause({ staffId, ...scope }: ScopedAuthor, brand: string): Promise<void> {
    const { transactor, clock, catalog } = this.#deps;
    const { brands } = await catalog.getSnapshot(scope);
    if (!brands.has(brand)) throw new Problem("NOT_FOUND", `There is no brand ${brand}.`);
    const { accountId, environment } = scope;
    const at = clock.now();
    await transactor.transact(accountId, async (tx) => {
      await pauseByHand(tx, { accountId, environment, brand }, at);
      const entry = { action: "brand.pause", subject: brand, detail: { environment } } as const;
      await recordAudit(tx, { accountId, staffId, ...entry, at });
    });
  }

  /** @throws Problem NOT_FOUND for a brand that is not paused */
  async resume({ staffId, accountId, environment }: ScopedAuthor, brand: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    const at = clock.now();
    await transactor.transact(accountId, async (tx) => {
      if (!(await resumeByHand(tx, { accountId, environment, brand }, at))) {
        throw new Problem("NOT_FOUND", `The brand ${brand} is not paused.`);
      }
      const entry = { action: "brand.resume", subject: brand, detail: { environment } } as const;
      await recordAudit(tx, { accountId, staffId, ...entry, at });
    });
  }

  /** The handler of the job that lets one purchase through. */
  async runProbe(subject: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    await transactor.transact(accountOfSubject(subject), (tx) => probe(tx, subject, clock.now()));
  }
}
