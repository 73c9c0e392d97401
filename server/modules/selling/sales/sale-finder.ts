import type { Actor } from "../../../contract/pos/actor.ts";
import type { Sale } from "../../../contract/pos/sales.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import type { SaleRow, SalesScope } from "./sale-store.ts";
import { getListVisibility, isVisibleTo, startOfToday, viewSales } from "./sale-view.ts";

const DEPTH = 50;

interface SaleFinderDeps extends Pick<Base, "db" | "clock"> {
  catalog: CatalogService;
  phones: PhoneService;
  shop: ShopService;
}

const MAX_FOUND = 10;
const MAX_SALE_NUMBER_DIGITS = 12;
const MIN_PHONE_DIGITS = 6;

/** Finds sales of any age, for returning customers. All queries use an index. */
export class SaleFinder {
  readonly #deps: SaleFinderDeps;

  constructor(deps: SaleFinderDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the sale with exactly this number, and then the sales to exactly this recipient, newest
   * first. Without the permission for expected cash, a reader finds other people's sales before
   * today only by sale number, without the recipient (rules#sale-found-by-whole-number,
   * rules#sale-figures-hidden).
   * @param typed digits of a phone number with or without country code, in any grouping
   * @throws Problem INVALID_REQUEST naming `typed`
   */
  async find(reader: Actor, typed: string): Promise<Sale[]> {
    const { db, clock, catalog, shop } = this.#deps;
    const settings = await shop.get(reader.accountId);
    const now = clock.now();
    const today = startOfToday(now, settings);
    const digits = typed.replace(/\D/g, "");
    if (digits === "") {
      throw new Problem("INVALID_REQUEST", "There is nothing to look for.", {
        typed: "must hold digits",
      });
    }
    const numbered =
      digits.length <= MAX_SALE_NUMBER_DIGITS
        ? await findByNumber(db, reader, Number(digits))
        : undefined;
    const sold = await this.#listSoldTo(reader, { typed, digits, home: settings.country, today });
    const rows = [...(numbered ? [numbered] : []), ...sold];
    const found = [...new Map(rows.map((row) => [row.sale_id, row])).values()];
    const sight = getListVisibility(reader, today);
    const { language } = settings;
    return viewSales(db, reader, found.slice(0, MAX_FOUND), { catalog, language, now, sight });
  }

  async #listSoldTo(
    reader: Actor,
    { typed, digits, home, today }: { typed: string; digits: string; home: string; today: number },
  ): Promise<SaleRow[]> {
    if (digits.length < MIN_PHONE_DIGITS) return [];
    const { db, phones } = this.#deps;
    const { international, local } = phones.read(typed, home, reader.environment);
    // eSIMs and biller accounts are stored as plain digits.
    const recipients = new Set([international.number, digits, ...(local ? [local.number] : [])]);
    const rows: SaleRow[] = [];
    for (const recipient of recipients) rows.push(...(await listSoldTo(db, reader, recipient)));
    return rows
      .filter((row) => isVisibleTo(reader, row, today))
      .sort((a, b) => b.created_at - a.created_at || b.sale_number - a.sale_number);
  }
}

async function findByNumber(
  db: Db | Tx,
  scope: SalesScope,
  saleNumber: number,
): Promise<SaleRow | undefined> {
  return db
    .selectFrom("sales")
    .selectAll()
    .where(inScope(scope))
    .where("sale_number", "=", saleNumber)
    .where("training", "=", scope.training ? 1 : 0)
    .executeTakeFirst();
}

/** Lists each sale once, newest first. The recipient must equal the stored text. */
async function listSoldTo(db: Db | Tx, scope: SalesScope, recipient: string): Promise<SaleRow[]> {
  const lines = await db
    .selectFrom("sale_lines")
    .select("sale_id")
    .where(inScope(scope))
    .where("recipient", "=", recipient)
    .orderBy("created_at", "desc")
    .limit(DEPTH)
    .execute();
  if (lines.length === 0) return [];
  return db
    .selectFrom("sales")
    .selectAll()
    .where(inScope(scope))
    .where("sale_id", "in", [...new Set(lines.map((line) => line.sale_id))])
    .where("training", "=", scope.training ? 1 : 0)
    .execute();
}
