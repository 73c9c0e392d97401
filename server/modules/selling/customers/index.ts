import type { Selectable } from "kysely";
import { ENVIRONMENTS } from "../../../contract/common.ts";
import type { Author } from "../../../contract/pos/actor.ts";
import type { PosEarlierSale, PosPhone } from "../../../contract/pos/counter.ts";
import type { Favourite } from "../../../contract/pos/favourites.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { type Clock, DAY, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { canonicalNumber, type PhoneService } from "../../catalog/phone-lookup/index.ts";
import { forgetDeliveriesOf } from "../../messages/webhooks/index.ts";
import type { Base, Module } from "../../module.ts";
import { readExtras } from "../../purchases/purchases/index.ts";
import { readShopCountry } from "../../shop/shop/index.ts";
import { eraseSendings } from "../receipt-pages/index.ts";
import type { SalesScope } from "../sales/index.ts";

const AT_ONCE = 200;
const MIN_DIGITS = 6;

type EraserDeps = Pick<Base, "db" | "transactor">;

interface NumberErasureDeps extends EraserDeps {
  clock: Clock;
  phones: PhoneService;
}

/** Erases customers' numbers. Sales, money and figures stay (rules#customer-erased). */
class NumberErasure {
  readonly #deps: NumberErasureDeps;

  constructor(deps: NumberErasureDeps) {
    this.#deps = deps;
  }

  /**
   * Erases one number from all finished records of both environments. Unfinished sales keep the
   * number.
   * @returns number of sold lines with the number
   * @throws Problem INVALID_REQUEST naming `number`
   */
  async erase({ accountId, staffId }: Author, typed: string): Promise<number> {
    const { db, transactor, clock } = this.#deps;
    const digits = typed.replace(/\D/g, "");
    if (digits.length < MIN_DIGITS) {
      throw new Problem("INVALID_REQUEST", "Type the whole number.", {
        number: `must have ${MIN_DIGITS} digits or more`,
      });
    }
    const home = await readShopCountry(db, accountId);
    const { international, local } = this.#deps.phones.read(typed, home, "test");
    const forms = [
      ...new Set([typed, digits, `+${digits}`, international.number, local?.number ?? digits]),
    ];
    return transactor.transact(accountId, async (tx) => {
      let lines = 0;
      for (const environment of ENVIRONMENTS) {
        const scope = { accountId, environment };
        const found = await tx
          .selectFrom("purchases as p")
          .innerJoin("transactions as t", inSameScope("t", "p", "transaction_id"))
          .select("p.transaction_id")
          .where(inScope(scope, "p"))
          .where("p.recipient", "in", forms)
          .where("t.finished_at", "is not", null)
          .execute();
        lines += found.length;
        await erasePurchaseNumbers(
          tx,
          scope,
          found.map((row) => row.transaction_id),
        );
        await eraseBeside(tx, scope, forms);
      }
      const entry = { accountId, staffId, action: "customer.erase", subject: accountId } as const;
      await recordAudit(tx, { ...entry, detail: { lines }, at: clock.now() });
      return lines;
    });
  }
}

/**
 * Erases numbers whose retention period has expired, oldest first.
 * @returns whether more may remain
 */
export async function eraseOldNumbers(
  { db, transactor }: EraserDeps,
  now: number,
): Promise<boolean> {
  for (const { since, keptDays, ...scope } of await findPlaces(db)) {
    const before = now - keptDays * DAY;
    if (since >= before) continue;
    const ended = db
      .selectFrom("transactions")
      .where(inScope(scope))
      .where("finished_at", ">=", since)
      .where("finished_at", "<", before);
    const last = await ended
      .select("finished_at")
      .orderBy("finished_at")
      .offset(AT_ONCE - 1)
      .limit(1)
      .executeTakeFirst();
    const until = last?.finished_at ?? before - 1;
    const rows = await ended.select("transaction_id").where("finished_at", "<=", until).execute();
    await transactor.transact(scope.accountId, async (tx) => {
      await erasePurchaseNumbers(
        tx,
        scope,
        rows.map((row) => row.transaction_id),
      );
      if (last === undefined) await eraseOldBeside(tx, scope, before);
      await tx
        .updateTable("environment_settings")
        .set({ numbers_erased_until: until + 1 })
        .where(inScope(scope))
        .execute();
    });
    return true;
  }
  return false;
}

/** Numbers of sales before `since` are already erased. */
async function findPlaces(db: Db): Promise<(Scope & { since: number; keptDays: number })[]> {
  const accounts = await db
    .selectFrom("accounts")
    .select(["account_id", "keep_numbers_days"])
    .where("keep_numbers_days", ">", 0)
    .execute();
  const places = [];
  for (const { account_id: accountId, keep_numbers_days: keptDays } of accounts) {
    const rows = await db
      .selectFrom("environment_settings")
      .select(["environment", "numbers_erased_until"])
      .where("account_id", "=", accountId)
      .execute();
    for (const { environment, numbers_erased_until: since } of rows) {
      places.push({ accountId, environment, since, keptDays });
    }
  }
  return places;
}

/** Keeps an eSIM's ICCID: refunds need it, and it identifies no person. */
async function erasePurchaseNumbers(tx: Tx, scope: Scope, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await forgetDeliveriesOf(tx, scope, ids);
  for (const transactionId of ids) {
    const row = await tx
      .selectFrom("purchases")
      .select("input_json")
      .where(inScope(scope))
      .where("transaction_id", "=", transactionId)
      .executeTakeFirst();
    if (!row) continue;
    const { iccid, billDue } = readExtras(transactionId, row.input_json);
    const kept = {
      ...(iccid !== undefined && { iccid }),
      ...(billDue !== undefined && { billDue }),
    };
    await tx
      .updateTable("purchases")
      .set({ recipient: "", input_json: JSON.stringify(kept), answer_sealed: null })
      .where(inScope(scope))
      .where("transaction_id", "=", transactionId)
      .execute();
    await tx
      .updateTable("sale_lines")
      .set({ recipient: "" })
      .where(inScope(scope))
      .where("transaction_id", "=", transactionId)
      .execute();
    await tx
      .updateTable("bulk_lines")
      .set({ recipient: "", cells_json: "{}", input_json: null, note: "" })
      .where(inScope(scope))
      .where("transaction_id", "=", transactionId)
      .where("sold_at", "is not", null)
      .execute();
  }
}

async function eraseBeside(tx: Tx, scope: Scope, forms: readonly string[]): Promise<void> {
  await tx.deleteFrom("favourites").where(inScope(scope)).where("number", "in", forms).execute();
  await tx
    .deleteFrom("remembered_carriers")
    .where(inScope(scope))
    .where("number", "in", forms)
    .execute();
  await tx
    .updateTable("bulk_lines")
    .set({ recipient: "", cells_json: "{}", input_json: null, note: "" })
    .where(inScope(scope))
    .where("recipient", "in", forms)
    .where("state", "in", ["REFUSED", "LEFT"])
    .execute();
  const held = await tx
    .selectFrom("held_sales")
    .select(["held_sale_id", "lines_json"])
    .where(inScope(scope))
    .where("ended_at", "is not", null)
    .where("lines_json", "<>", "[]")
    .execute();
  for (const { held_sale_id, lines_json } of held) {
    if (!forms.some((form) => lines_json.includes(`"${form}"`))) continue;
    await tx
      .updateTable("held_sales")
      .set({ lines_json: "[]" })
      .where(inScope(scope))
      .where("held_sale_id", "=", held_sale_id)
      .execute();
  }
  await eraseSendings(tx, scope, forms);
}

async function eraseOldBeside(tx: Tx, scope: Scope, before: number): Promise<void> {
  await tx
    .deleteFrom("remembered_carriers")
    .where(inScope(scope))
    .where("updated_at", "<", before)
    .execute();
  await tx
    .updateTable("held_sales")
    .set({ lines_json: "[]" })
    .where(inScope(scope))
    .where("ended_at", "<", before)
    .where("lines_json", "<>", "[]")
    .execute();
  await tx
    .updateTable("bulk_lines")
    .set({ recipient: "", cells_json: "{}", input_json: null, note: "" })
    .where(inScope(scope))
    .where("state", "in", ["REFUSED", "LEFT"])
    .where("recipient", "<>", "")
    .where("run_id", "in", (runs) =>
      runs
        .selectFrom("bulk_runs")
        .select("run_id")
        .where(inScope(scope))
        .where("ended_at", "<", before),
    )
    .execute();
}

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
