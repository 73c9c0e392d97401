import type { PosEarlierSale, PosPhone } from "../../../contract/pos/counter.ts";
import type { Favourite } from "../../../contract/pos/favourites.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
import { canonicalNumber, type PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { SalesScope } from "../sales/index.ts";
import {
  type FavouriteRow,
  listFavourites,
  removeFavourite,
  saveCarrier,
  saveFavourite,
} from "./favourite-store.ts";

/** What the counter knows of numbers. */
export interface NumberLookup {
  describePhone(scope: SalesScope, typed: string): Promise<PosPhone>;
  /** The last top-up to each of these numbers, where it can be sold again. */
  findLastSales(
    scope: SalesScope,
    recipients: readonly string[],
  ): Promise<Map<string, PosEarlierSale>>;
}

interface FavouriteServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  phones: PhoneService;
  counter: NumberLookup;
}

/** What the shop knows of its customers' numbers: their names, and their carriers. */
export class FavouriteService {
  readonly #deps: FavouriteServiceDeps;

  constructor(deps: FavouriteServiceDeps) {
    this.#deps = deps;
  }

  /** By name, each with what was last sold to it. */
  async list(scope: SalesScope): Promise<Favourite[]> {
    const { db, counter } = this.#deps;
    const rows = await listFavourites(db, scope);
    const numbers = rows.map(({ number }) => number);
    const lastSales = await counter.findLastSales(scope, numbers);
    return rows
      .map((row) => this.#view(scope, row, lastSales.get(row.number)))
      .sort((a, b) => a.name.localeCompare(b.name) || a.number.localeCompare(b.number));
  }

  /**
   * Keeps a number under a name, in place of the one it had.
   * @throws Problem INVALID_REQUEST for a number that cannot exist
   */
  async save(scope: SalesScope, typed: string, name: string): Promise<Favourite[]> {
    const { transactor, clock } = this.#deps;
    this.#requireValid(scope, typed);
    const number = canonicalNumber(typed);
    await transactor.transact(scope.accountId, async (tx) => {
      if (typed !== number) await removeFavourite(tx, scope, typed);
      await saveFavourite(tx, scope, { number, name: tidyName(name), at: clock.now() });
    });
    return this.list(scope);
  }

  /** Removing a number that is not kept changes nothing. */
  async remove(scope: SalesScope, number: string): Promise<Favourite[]> {
    await this.#deps.transactor.transact(scope.accountId, async (tx) => {
      await removeFavourite(tx, scope, number);
      await removeFavourite(tx, scope, canonicalNumber(number));
    });
    return this.list(scope);
  }

  /**
   * Remembers which carrier a number really has.
   * @returns what is known of the number from then on
   * @throws Problem INVALID_REQUEST for a number that cannot be, or a brand that sells no top-ups in
   *   its country
   */
  async rememberCarrier(scope: SalesScope, typed: string, brand: string): Promise<PosPhone> {
    const { transactor, clock, counter } = this.#deps;
    this.#requireValid(scope, typed);
    const number = canonicalNumber(typed);
    const { brands, country } = await counter.describePhone(scope, number);
    if (!brands.some((sold) => sold.brand === brand)) {
      throw new Problem("INVALID_REQUEST", `${brand} has no top-ups in ${country}.`, {
        brand: `has no top-ups in ${country}`,
      });
    }
    await transactor.transact(scope.accountId, (tx) =>
      saveCarrier(tx, scope, { number, brand, at: clock.now() }),
    );
    return counter.describePhone(scope, number);
  }

  #requireValid(scope: SalesScope, number: string): void {
    if (this.#deps.phones.describe(number, scope.environment).valid) return;
    throw new Problem("INVALID_REQUEST", `There is no number ${number}.`, {
      number: "is not a number that can be",
    });
  }

  #view(
    scope: SalesScope,
    { number, name, created_at }: FavouriteRow,
    lastSale: PosEarlierSale | undefined,
  ): Favourite {
    const { formatted, country } = this.#deps.phones.describe(number, scope.environment);
    const createdAt = toTimestamp(created_at);
    return { number, formatted, country, name, createdAt, ...(lastSale && { lastSale }) };
  }
}
