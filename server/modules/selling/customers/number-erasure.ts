import { ENVIRONMENTS } from "../../../contract/common.ts";
import type { Author } from "../../../contract/pos/actor.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { type Clock, DAY } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import { forgetDeliveriesOf } from "../../messages/webhooks/index.ts";
import type { Base } from "../../module.ts";
import { readExtras } from "../../purchases/purchases/index.ts";
import { readShopCountry } from "../../shop/shop/index.ts";
import { eraseSendings } from "../receipt-pages/index.ts";

const AT_ONCE = 200;
const MIN_DIGITS = 6;

type EraserDeps = Pick<Base, "db" | "transactor">;

interface NumberErasureDeps extends EraserDeps {
  clock: Clock;
  phones: PhoneService;
}

/** Erases customers' numbers. Sales, money and figures stay (rules#customer-erased). */
export class NumberErasure {
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
          .innerJoin("transactions as t", (join) =>
            join
              .onRef("t.account_id", "=", "p.account_id")
              .onRef("t.environment", "=", "p.environment")
              .onRef("t.transaction_id", "=", "p.transaction_id"),
          )
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
