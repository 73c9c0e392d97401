import type { Selectable } from "kysely";
import { Type } from "typebox";
import type { Actor } from "../../../contract/pos/actor.ts";
import { BasketLine, type HeldSale, type HeldSaleInput } from "../../../contract/pos/held-sales.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { findInScope, inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Tables } from "../../../db/tables.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { digestOf } from "../../../lib/digest.ts";
import { canonicalNumber } from "../../catalog/phone-lookup/index.ts";
import type { Base, Module } from "../../module.ts";
import { withCanonicalNumbers } from "../../purchases/purchases/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { staffNames } from "../../shop/staff/index.ts";
import type { SalesScope } from "../sales/index.ts";

type HeldSalesModuleDeps = Base & { shop: ShopService };

export function createHeldSalesModule(deps: HeldSalesModuleDeps) {
  const heldSales = new HeldSaleService(deps);
  return {
    services: { heldSales },
    pos: (app) => registerHeldSaleRoutes(app, heldSales),
  } satisfies Module;
}

async function registerHeldSaleRoutes(app: App, held: HeldSaleService): Promise<void> {
  const { heldSaleOperations } = await import("../../../contract/pos/held-sales.ts");
  handle(app, heldSaleOperations.hold, ({ actor, body }) => held.hold(actor, body));

  handle(app, heldSaleOperations.list, async ({ actor }) => ({
    list: await held.list(actor),
  }));

  handle(app, heldSaleOperations.resume, ({ actor, params, body }) =>
    held.resume(actor, params.heldSaleId, body.resumeId),
  );

  handle(app, heldSaleOperations.discard, async ({ actor, params }) => {
    await held.discard(actor, params.heldSaleId);
    return {};
  });
}

/**
 * Baskets that are put aside while the next customer is served. Any clerk may resume such a basket
 * (rules#held-sale).
 */
class HeldSaleService {
  readonly #deps: HeldSalesModuleDeps;

  constructor(deps: HeldSalesModuleDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a basket in the environment where it was started, even if the shop has changed its
   * environment. A basket of training stays in training.
   * @throws Problem ID_TAKEN
   */
  async hold(till: Actor, input: HeldSaleInput): Promise<HeldSale> {
    const { transactor, clock, shop } = this.#deps;
    const { heldSaleId } = input;
    const lines = input.lines.map(withCanonicalRecipient);
    const environment = till.training ? till.environment : (input.environment ?? till.environment);
    const seller = { ...till, environment };
    const requestHash = digestOf(input);
    const { currency, currencyDivisor } = await shop.get(seller.accountId);
    const row = await transactor.transact(seller.accountId, async (tx) => {
      const known = await findHeldSale(tx, seller, heldSaleId);
      if (known) return known;
      const held: HeldSaleRow = {
        account_id: seller.accountId,
        environment: seller.environment,
        training: seller.training ? 1 : 0,
        held_sale_id: heldSaleId,
        label: tidyName(input.label),
        staff_id: seller.staffId,
        currency,
        currency_divisor: currencyDivisor,
        total: lines.reduce((sum, { shown }) => sum + shown.price - (shown.discount ?? 0), 0),
        lines_json: JSON.stringify(lines),
        request_hash: requestHash,
        held_at: clock.now(),
        ended_at: null,
        ended_by: null,
        resume_id: null,
      };
      await createHeldSale(tx, held);
      return held;
    });
    if (row.request_hash !== requestHash) {
      throw new Problem("ID_TAKEN", "Another basket has this id.", {
        heldSaleId: "is taken",
      });
    }
    return this.#viewOne(seller, row);
  }

  async list(scope: SalesScope): Promise<HeldSale[]> {
    return this.#view(scope, await listHeldSales(this.#deps.db, scope));
  }

  /**
   * Removes the sale from the list. A repeated request with the same `resumeId` returns the sale
   * again.
   * @throws Problem NOT_FOUND if the sale is not held, or another till has resumed it
   */
  async resume(seller: Actor, heldSaleId: string, resumeId: string): Promise<HeldSale> {
    const row = await this.#end(seller, heldSaleId, resumeId);
    if (row?.resume_id !== resumeId) throw notHeld();
    return this.#viewOne(seller, row);
  }

  /**
   * A repeated request changes nothing.
   * @throws Problem NOT_FOUND, also if the sale was resumed
   */
  async discard(seller: Actor, heldSaleId: string): Promise<void> {
    const row = await this.#end(seller, heldSaleId, undefined);
    if (!row || row.resume_id !== null) throw notHeld();
  }

  async #end(
    seller: Actor,
    heldSaleId: string,
    resumeId: string | undefined,
  ): Promise<HeldSaleRow | undefined> {
    const { transactor, clock } = this.#deps;
    const { staffId } = seller;
    return transactor.transact(seller.accountId, async (tx) => {
      await endHeldSale(tx, seller, heldSaleId, { staffId, resumeId, at: clock.now() });
      return findHeldSale(tx, seller, heldSaleId);
    });
  }

  async #viewOne(scope: Scope, row: HeldSaleRow): Promise<HeldSale> {
    const { db } = this.#deps;
    return viewHeldSale(row, await staffNames(db, scope.accountId, [row.staff_id]));
  }

  async #view(scope: Scope, rows: readonly HeldSaleRow[]): Promise<HeldSale[]> {
    const staffIds = rows.map((row) => row.staff_id);
    const names = await staffNames(this.#deps.db, scope.accountId, staffIds);
    return rows.map((row) => viewHeldSale(row, names));
  }
}

/** rules#topup-canonical-number */
function withCanonicalRecipient(line: BasketLine): BasketLine {
  const { recipientPhoneNumber: number, fields } = line.input;
  return {
    ...line,
    input: {
      ...line.input,
      ...(number !== undefined && { recipientPhoneNumber: canonicalNumber(number) }),
      ...(fields && { fields: withCanonicalNumbers(fields) }),
    },
  };
}

const BasketLines = Type.Array(BasketLine);

/** @throws JsonMisfit */
function viewHeldSale(row: HeldSaleRow, names: ReadonlyMap<string, string>): HeldSale {
  return {
    heldSaleId: row.held_sale_id,
    label: row.label,
    heldAt: toTimestamp(row.held_at),
    staff: { staffId: row.staff_id, name: names.get(row.staff_id) ?? "" },
    currency: row.currency,
    currencyDivisor: row.currency_divisor,
    total: row.total,
    lines: readColumn(BasketLines, row.lines_json, {
      table: "held_sales",
      column: "lines_json",
      row: row.held_sale_id,
    }),
  };
}

function notHeld(): Problem {
  return new Problem("NOT_FOUND", "There is no such basket, or somebody has taken it up.");
}

type HeldSaleRow = Omit<Selectable<Tables["held_sales"]>, "checksum">;

async function createHeldSale(tx: Tx, row: HeldSaleRow): Promise<void> {
  await tx.insertInto("held_sales").values(row).execute();
}

async function findHeldSale(
  db: Db | Tx,
  scope: Scope,
  heldSaleId: string,
): Promise<HeldSaleRow | undefined> {
  return findInScope(db, "held_sales", scope, { held_sale_id: heldSaleId });
}

async function listHeldSales(db: Db | Tx, scope: SalesScope): Promise<HeldSaleRow[]> {
  return db
    .selectFrom("held_sales")
    .selectAll()
    .where(inScope(scope))
    .where("training", "=", scope.training ? 1 : 0)
    .where("ended_at", "is", null)
    .orderBy("held_at", "desc")
    .execute();
}

async function endHeldSale(
  tx: Tx,
  scope: SalesScope,
  heldSaleId: string,
  end: { staffId: string; resumeId: string | undefined; at: number },
): Promise<void> {
  await tx
    .updateTable("held_sales")
    .set({ ended_at: end.at, ended_by: end.staffId, resume_id: end.resumeId ?? null })
    .where(inScope(scope))
    .where("held_sale_id", "=", heldSaleId)
    .where("training", "=", scope.training ? 1 : 0)
    .where("ended_at", "is", null)
    .execute();
}
