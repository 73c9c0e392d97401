import type { Actor } from "../../../contract/pos/actor.ts";
import type { Need } from "../../../contract/pos/rights.ts";
import type { PrintQuery, Receipt, RevealInput, Sale } from "../../../contract/pos/sales.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { PriceReader } from "../../catalog/prices/index.ts";
import type { Base, Module } from "../../module.ts";
import type { PurchaseService } from "../../purchases/purchases/index.ts";
import type { RequireEnvironment, ShopService } from "../../shop/shop/index.ts";
import { requireRights } from "../../shop/staff/index.ts";
import { type DisplayBoard, getDisplayOwner } from "../displays/index.ts";
import { noteGranted, recordPrint } from "../print-records/index.ts";
import { describeSale, type RequireShift } from "./sale-rights.ts";
import { SaleService } from "./sale-service.ts";
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
class SaleFinder {
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

interface ReceiptServiceDeps extends Pick<Base, "transactor" | "clock"> {
  shop: ShopService;
  sales: SaleService;
}

/** Prints sales, and reveals their hidden details. */
class ReceiptService {
  readonly #deps: ReceiptServiceDeps;

  constructor(deps: ReceiptServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Prints a sale; a reprint is a COPY (rules#receipt-copies). The seller's first print of a sale
   * without hidden details needs no permission. All other prints need the reprint permission, and
   * the reveal permission if details are hidden. A print with a `printId` counts as soon as it
   * starts (rules#receipt-print-outcome).
   * @throws Problem NOT_FOUND, APPROVAL_REQUIRED, ID_TAKEN
   */
  async print(seller: Actor, saleId: string, query: PrintQuery = {}): Promise<Receipt> {
    const { clock, sales, shop } = this.#deps;
    const at = clock.now();
    const sale = await sales.get(seller, saleId);
    const needs: Need[] = [{ right: "reprint" }];
    if (isHiddenFrom(sale)) needs.push({ right: "reveal" });
    needs.push(...(await sales.needsToSee(seller, sale)));
    const copyNumber = await this.#record(seller, { sale, needs }, query, at);
    const { name, language: ofShop, timeZone, receipt, logo } = await shop.get(seller.accountId);
    const language = query.language ?? ofShop;
    return {
      shopName: name,
      ...(logo && { logo }),
      shopAddress: receipt.address,
      support: receipt.support,
      language,
      timeZone,
      copy: copyNumber > 0,
      copyNumber,
      printedAt: toTimestamp(at),
      printedBy: seller.name,
      training: sale.training,
      sale: isHiddenFrom(sale)
        ? await sales.getForPrint(seller, saleId, language)
        : await sales.getSeenForPrint(seller, saleId, { language, at }),
    };
  }

  /**
   * Returns the sale with its hidden details, and records it in the audit trail
   * (rules#redemption-shown-to-seller). Records nothing if no details were hidden.
   * @throws Problem NOT_FOUND, APPROVAL_REQUIRED
   */
  async reveal(seller: Actor, saleId: string, input: RevealInput): Promise<Sale> {
    const { transactor, clock, sales, shop } = this.#deps;
    const sale = await sales.get(seller, saleId);
    const hidden = sale.lines.filter(({ details }) => details === "HIDDEN");
    if (hidden.length === 0) return sale;
    const facts = describeSale({ ...sale, lines: hidden });
    const { language } = await shop.get(seller.accountId);
    const needs = [{ right: "reveal" as const }, ...(await sales.needsToSee(seller, sale))];
    await transactor.transact(seller.accountId, async (tx) => {
      const at = clock.now();
      const { accountId, staffId, environment } = seller;
      await requireRights(tx, seller, {
        needs,
        subject: saleId,
        request: { reveal: saleId },
        approvalId: input.approvalId,
        facts,
        at,
      });
      const detail = { ...facts, environment };
      const action = "sale.reveal";
      await recordAudit(tx, { accountId, staffId, action, subject: saleId, detail, at });
    });
    return sales.getForPrint(seller, saleId, language);
  }

  /** @returns number of the copy; 0 for the original */
  #record(
    seller: Actor,
    { sale, needs }: { sale: Sale; needs: Need[] },
    query: PrintQuery,
    at: number,
  ): Promise<number> {
    return this.#deps.transactor.transact(seller.accountId, async (tx) => {
      const { saleId, staff } = sale;
      const { accountId, staffId, environment } = seller;
      const { approvalId, printId } = query;
      const print = { kind: "SALE", subject: saleId, printId, staffId, at } as const;
      const { copyNumber: number, granted } = await recordPrint(tx, seller, print);
      if (number === 0 && staff.staffId === staffId && !isHiddenFrom(sale)) return number;
      if (needs.every(({ right }) => granted.includes(right))) return number;
      const request = { saleId, ...query };
      const facts = describeSale(sale);
      await requireRights(tx, seller, { needs, subject: saleId, request, approvalId, facts, at });
      await noteGranted(tx, seller, print, needs);
      const action = number === 0 ? "receipt.print" : "receipt.reprint";
      const detail = { copy: number, ...facts, environment };
      await recordAudit(tx, { accountId, staffId, action, subject: saleId, detail, at });
      return number;
    });
  }
}

function isHiddenFrom({ lines }: Sale): boolean {
  return lines.some(({ details }) => details === "HIDDEN");
}

export { asksNumber } from "./number-checks.ts";
export { getRecipient, type PreparedPurchase, prepareLine } from "./prepared-lines.ts";
export {
  beyondWhatCame,
  customerRefundsWithTenders,
  findGivenBack,
  listGoneBack,
  namedTender,
  readRoundingBack,
  splitAsItCame,
  splitByKind,
} from "./refunded-money-store.ts";
export {
  describeSale,
  findDrawerShift,
  getTitle,
  joined,
  type RequireShift,
} from "./sale-rights.ts";
export { SaleService } from "./sale-service.ts";
export {
  findDrawerSale,
  findSaleIds,
  findSaleNumbers,
  findSalesByTransaction,
  linesWithClerks,
  linesWithSales,
  linesWithTransactions,
  type SaleOfTransaction,
  type SalesScope,
  statusOrReturned,
} from "./sale-store.ts";
export { getOutcome, startOfToday } from "./sale-view.ts";
export { requireTender } from "./tender-split.ts";
export { aboutInShop, findShort, requireWallet } from "./wallet-short.ts";

type SalesModuleDeps = Base & {
  catalog: CatalogService;
  displays: DisplayBoard;
  phones: PhoneService;
  prices: PriceReader;
  purchases: PurchaseService;
  shop: ShopService;
  requireShift: RequireShift;
  requireEnvironment: RequireEnvironment;
};

export function createSalesModule(deps: SalesModuleDeps) {
  const sales = new SaleService(deps);
  const services = {
    sales,
    receipts: new ReceiptService({ ...deps, sales }),
    saleFinder: new SaleFinder(deps),
  };
  return {
    services,
    pos: (app) => registerSaleRoutes(app, { ...deps, ...services }),
  } satisfies Module;
}

type SaleRoutesDeps = SalesModuleDeps & {
  sales: SaleService;
  receipts: ReceiptService;
  saleFinder: SaleFinder;
};

/** Maximum period of a list, because a list adds up every sale of its period. */
const LISTED_DAYS = 31;

async function registerSaleRoutes(
  app: App,
  { clock, sales, receipts, saleFinder: finder, displays }: SaleRoutesDeps,
): Promise<void> {
  const { saleOperations } = await import("../../../contract/pos/sales.ts");
  handle(app, saleOperations.sell, async ({ actor, body, request }) => {
    const isSaid = body.lines.some(({ numberCheck }) => numberCheck === "CUSTOMER");
    return sales.sell(actor, body, {
      from: placeOf(request),
      // Read before the transaction, which must wait only for the database.
      ...(isSaid && { isConfirmed: await displays.findConfirmed(getDisplayOwner(actor, request)) }),
    });
  });

  handle(app, saleOperations.checkDiscount, ({ actor, body }) => sales.checkDiscount(actor, body));

  handle(app, saleOperations.list, ({ actor, query }) => {
    const { since } = query;
    const earliest = clock.now() - LISTED_DAYS * DAY;
    const start = since === undefined ? earliest : Date.parse(since);
    if (start < earliest) {
      const fault = `is more than ${LISTED_DAYS} days ago`;
      throw new Problem("INVALID_REQUEST", `since ${fault}.`, { since: fault });
    }
    return sales.list(actor, { ...query, since: start });
  });

  handle(app, saleOperations.find, async ({ actor, query }) => ({
    list: await finder.find(actor, query.typed),
  }));

  handle(app, saleOperations.get, ({ actor, params }) => sales.get(actor, params.saleId));

  handle(app, saleOperations.print, ({ actor, params, query }) =>
    receipts.print(actor, params.saleId, query),
  );

  handle(app, saleOperations.reveal, ({ actor, params, body }) =>
    receipts.reveal(actor, params.saleId, body),
  );
}
