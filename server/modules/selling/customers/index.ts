import type { Selectable } from "kysely";
import type { PosEarlierSale, PosPhone } from "../../../contract/pos/counter.ts";
import type { Favourite } from "../../../contract/pos/favourites.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { canonicalNumber, type PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base, Module } from "../../module.ts";
import type { SalesScope } from "../sales/index.ts";
import { NumberErasure } from "./number-erasure.ts";

interface NumberLookup {
  describePhone(scope: SalesScope, typed: string): Promise<PosPhone>;
  findLastSales(
    scope: SalesScope,
    recipients: readonly string[],
  ): Promise<Map<string, PosEarlierSale>>;
}

interface FavouriteServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  phones: PhoneService;
  counter: NumberLookup;
}

class FavouriteService {
  readonly #deps: FavouriteServiceDeps;

  constructor(deps: FavouriteServiceDeps) {
    this.#deps = deps;
  }

  async list(scope: SalesScope): Promise<Favourite[]> {
    const { db, counter } = this.#deps;
    const rows = await listFavourites(db, scope);
    const numbers = rows.map(({ number }) => number);
    const lastSales = await counter.findLastSales(scope, numbers);
    return rows
      .map((row) => this.#view(scope, row, lastSales.get(row.number)))
      .sort((a, b) => a.name.localeCompare(b.name) || a.number.localeCompare(b.number));
  }

  /** @throws Problem INVALID_REQUEST for an impossible number */
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

  /** Removing an unknown number changes nothing. */
  async remove(scope: SalesScope, number: string): Promise<Favourite[]> {
    await this.#deps.transactor.transact(scope.accountId, async (tx) => {
      await removeFavourite(tx, scope, number);
      await removeFavourite(tx, scope, canonicalNumber(number));
    });
    return this.list(scope);
  }

  /**
   * Stores the actual carrier of a number.
   * @throws Problem INVALID_REQUEST for an impossible number, or a brand without top-ups in its
   * country
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

type FavouriteRow = Selectable<Tables["favourites"]>;

export async function saveFavourite(
  tx: Tx,
  scope: Scope,
  favourite: { number: string; name: string; at: number },
): Promise<void> {
  const { number, name, at } = favourite;
  await tx
    .insertInto("favourites")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      number,
      name,
      created_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "environment", "number"]).doUpdateSet({ name }),
    )
    .execute();
}

async function removeFavourite(tx: Tx, scope: Scope, number: string): Promise<void> {
  await tx.deleteFrom("favourites").where(inScope(scope)).where("number", "=", number).execute();
}

export async function listFavourites(db: Db | Tx, scope: Scope): Promise<FavouriteRow[]> {
  return db.selectFrom("favourites").selectAll().where(inScope(scope)).execute();
}

export async function findFavouriteNames(
  db: Db | Tx,
  scope: Scope,
  numbers: readonly string[],
): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .selectFrom("favourites")
    .select(["number", "name"])
    .where(inScope(scope))
    .where("number", "in", numbers)
    .execute();
  return new Map(rows.map(({ number, name }) => [number, name]));
}

async function saveCarrier(
  tx: Tx,
  scope: Scope,
  carrier: { number: string; brand: string; at: number },
): Promise<void> {
  const change = { brand: carrier.brand, updated_at: carrier.at };
  await tx
    .insertInto("remembered_carriers")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      number: carrier.number,
      ...change,
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "environment", "number"]).doUpdateSet(change),
    )
    .execute();
}

export async function findCarrier(
  db: Db | Tx,
  scope: Scope,
  number: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("remembered_carriers")
    .select("brand")
    .where(inScope(scope))
    .where("number", "=", number)
    .executeTakeFirst();
  return row?.brand;
}

export { eraseOldNumbers } from "./number-erasure.ts";

type CustomersModuleDeps = Base & { phones: PhoneService; counter: NumberLookup };

export function createCustomersModule(deps: CustomersModuleDeps) {
  const favourites = new FavouriteService(deps);
  const erasure = new NumberErasure(deps);
  return {
    services: { favourites },
    pos: (app) => registerFavouriteRoutes(app, { favourites, erasure }),
  } satisfies Module;
}

async function registerFavouriteRoutes(
  app: App,
  { favourites, erasure }: { favourites: FavouriteService; erasure: NumberErasure },
): Promise<void> {
  const { favouriteOperations } = await import("../../../contract/pos/favourites.ts");
  handle(app, favouriteOperations.list, async ({ actor }) => ({
    list: await favourites.list(actor),
  }));

  handle(app, favouriteOperations.save, async ({ actor, params, body }) => ({
    list: await favourites.save(actor, params.number, body.name),
  }));

  handle(app, favouriteOperations.remove, async ({ actor, params }) => ({
    list: await favourites.remove(actor, params.number),
  }));

  handle(app, favouriteOperations.rememberCarrier, ({ actor, params, body }) =>
    favourites.rememberCarrier(actor, params.number, body.brand),
  );

  handle(app, favouriteOperations.erase, async ({ actor: { accountId, staffId }, body }) => ({
    lines: await erasure.erase({ accountId, staffId }, body.number),
  }));
}
