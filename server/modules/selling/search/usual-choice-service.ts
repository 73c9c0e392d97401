import type { UsualChoice, UsualChoices } from "../../../contract/pos/search-index.ts";
import type { Db } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { type Clock, DAY, HOUR } from "../../../lib/clock.ts";
import type { SalesScope } from "../sales/index.ts";

const DEPTH = 1_000;
const MAX_LISTED = 40;
const HALF_LIFE_MS = 7 * DAY;
const AT_THIS_HOUR = 3;
const NEAR_THIS_HOUR = 2;

type Line = Pick<UsualChoice, "productType" | "brand" | "country" | "offerId"> & {
  readonly soldAt: number;
};

/**
 * Ranks offers by frequency, age and time of day. Reads only the newest lines, so that the cost
 * does not grow over the years. Training has its own ranking.
 */
export class UsualChoiceService {
  readonly #db: Db;
  readonly #clock: Clock;

  constructor({ db, clock }: { db: Db; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  async list(scope: SalesScope): Promise<UsualChoices> {
    // Limits the lines before it filters by training. Otherwise, the query would scan all lines to
    // find enough lines of the rarer mode.
    const newest = this.#db
      .selectFrom("sale_lines")
      .select(["account_id", "environment", "sale_id", "transaction_id"])
      .select(["product_type", "created_at"])
      .where(inScope(scope))
      .orderBy("created_at", "desc")
      .limit(DEPTH);
    const lines = await this.#db
      .selectFrom(newest.as("l"))
      .innerJoin("sales as s", inSameScope("s", "l", "sale_id"))
      .innerJoin("purchases as p", inSameScope("p", "l", "transaction_id"))
      .where("s.training", "=", scope.training ? 1 : 0)
      .select([
        "l.product_type as productType",
        "p.brand as brand",
        "p.country as country",
        "p.offer_id as offerId",
        "l.created_at as soldAt",
      ])
      .execute();
    return { list: rankUsual(lines, this.#clock.now()) };
  }
}

/** Ranks offers, the most usual first. Weights are relative to the first offer. */
export function rankUsual(lines: readonly Line[], now: number): UsualChoice[] {
  const weights = new Map<string, { line: Line; weight: number }>();
  for (const line of lines) {
    const known = weights.get(line.offerId);
    const weight = (known?.weight ?? 0) + toWeight(line.soldAt, now);
    weights.set(line.offerId, { line: known?.line ?? line, weight });
  }
  const ranked = [...weights.values()].sort(
    (a, b) => b.weight - a.weight || a.line.offerId.localeCompare(b.line.offerId),
  );
  const most = ranked[0]?.weight ?? 1;
  return ranked.slice(0, MAX_LISTED).map(({ line, weight }) => {
    const { productType, brand, country, offerId } = line;
    return { productType, brand, country, offerId, share: Math.round((weight / most) * 1e4) / 1e4 };
  });
}

function toWeight(soldAt: number, now: number): number {
  const recency = 0.5 ** (Math.max(0, now - soldAt) / HALF_LIFE_MS);
  const apart = Math.abs(now - soldAt) % DAY;
  const hours = Math.min(apart, DAY - apart) / HOUR;
  if (hours <= 1) return AT_THIS_HOUR * recency;
  return hours <= 3 ? NEAR_THIS_HOUR * recency : recency;
}
