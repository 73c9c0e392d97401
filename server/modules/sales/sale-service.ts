import { createHash } from "node:crypto";
import type { PrintQuery, Receipt, Sale, SaleInput, Sales } from "../../contract/pos/sales.ts";
import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import { type Db, isDuplicate, type Transactor, type Tx } from "../../db/database.ts";
import { type Clock, toTimestamp } from "../../lib/clock.ts";
import { describeAmount } from "../../lib/money.ts";
import { recordAudit } from "../audit-trail/index.ts";
import type { CatalogService } from "../catalog/index.ts";
import type { PurchaseService } from "../purchases/index.ts";
import type { ShopService } from "../shop/index.ts";
import { requireRights } from "../staff/index.ts";
import { getBalances } from "../wallet/index.ts";
import {
  createSale,
  findSaleIdOf,
  findSaleRow,
  listSaleRows,
  recordPrint,
  sumLines,
} from "./sale-store.ts";
import { viewSales } from "./sale-view.ts";

interface Parts {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  catalog: CatalogService;
  purchases: PurchaseService;
  shop: ShopService;
}

/** Somebody at the till, and where it sells. */
export interface Seller extends Scope {
  staffId: string;
  name: string;
  /** Nothing real is sold, and the paper says so. */
  training: boolean;
}

type PreparedPurchase = Awaited<ReturnType<PurchaseService["prepareTopup"]>>;

/** What the till sells: a sale is one or more purchases and the cash taken for them. */
export class SaleService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Sells: the sale, its purchases and their jobs in one database transaction. The till makes the
   * ids before it sends them, so a sale that arrives twice is the same sale.
   * @throws Problem SALE_ID_TAKEN, PRICE_CHANGED, TENDER_SHORT, WALLET_SHORT, and those of a purchase
   */
  async sell(seller: Seller, input: SaleInput): Promise<Sale> {
    const { transactor, clock, shop } = this.#parts;
    const requestHash = digestOf(input);
    const earlier = await this.#findSame(seller, input.saleId, requestHash);
    if (earlier) return earlier;

    const { currency, currencyDivisor } = await shop.get(seller.accountId);
    const purchases = await this.#prepare(seller, input);
    const total = purchases.reduce((sum, { quote }) => sum + quote.priceBase + quote.priceFee, 0);
    if (input.tender.tendered < total) {
      throw new Problem("TENDER_SHORT", "The cash does not cover the price.", {
        "tender.tendered": `must be at least ${total}`,
      });
    }
    try {
      await transactor.transact(async (tx) => {
        await this.#requireWallet(tx, seller, purchases);
        for (const purchase of purchases) await this.#parts.purchases.create(tx, purchase);
        await createSale(tx, {
          ...scopeOf(seller),
          saleId: input.saleId,
          staffId: seller.staffId,
          currency,
          currencyDivisor,
          total,
          tendered: input.tender.tendered,
          requestHash,
          lines: purchases.map(({ transactionId, recipient }) => ({ transactionId, recipient })),
          at: clock.now(),
        });
      });
    } catch (error) {
      // The same sale sent twice at once: the second finds what the first has written.
      const taken = error instanceof Problem && error.errorCode === "DUPLICATE_TRANSACTION_ID";
      const same =
        taken || isDuplicate(error)
          ? await this.#findSame(seller, input.saleId, requestHash)
          : undefined;
      if (!same) throw error;
      return same;
    }
    return this.get(seller, input.saleId);
  }

  /** @throws Problem NOT_FOUND */
  async get(scope: Scope, saleId: string): Promise<Sale> {
    const sale = await this.#find(scope, saleId);
    if (!sale) throw new Problem("NOT_FOUND", "There is no such sale.");
    return sale;
  }

  /** The sale a transaction belongs to, if the till made it. */
  async findByTransaction(scope: Scope, transactionId: string): Promise<Sale | undefined> {
    const saleId = await findSaleIdOf(this.#parts.db, scope, transactionId);
    return saleId === undefined ? undefined : this.#find(scope, saleId);
  }

  /** Sales since an instant, newest first, with what they came to. */
  async list(
    scope: Scope,
    period: { since: number; search: string | undefined; limit: number; offset: number },
  ): Promise<Sales> {
    const { db, clock, catalog, shop } = this.#parts;
    const { currency, currencyDivisor } = await shop.get(scope.accountId);
    const { total, rows } = await listSaleRows(db, scope, period);
    const figures = await sumLines(db, scope, { since: period.since, currency });
    return {
      limit: period.limit,
      offset: period.offset,
      total,
      figures: { currency, currencyDivisor, ...figures },
      list: await viewSales(db, scope, rows, { catalog, now: clock.now() }),
    };
  }

  /**
   * Records a print of the receipt and answers with what is on it; a reprint is a COPY.
   * @throws Problem NOT_FOUND, APPROVAL_REQUIRED for a copy without the right
   */
  async print(seller: Seller, saleId: string, query: PrintQuery = {}): Promise<Receipt> {
    const { transactor, clock, shop } = this.#parts;
    const at = clock.now();
    await this.get(seller, saleId);
    const copyNumber = await transactor.transact(async (tx) => {
      const number = await recordPrint(tx, seller, { saleId, staffId: seller.staffId, at });
      if (number > 0) {
        const { approvalId } = query;
        const deed = { needs: [{ right: "reprint" as const }], subject: saleId, approvalId, at };
        await requireRights(tx, seller, deed);
        await recordAudit(tx, {
          accountId: seller.accountId,
          staffId: seller.staffId,
          action: "receipt.reprint",
          subject: saleId,
          detail: { copy: number, environment: seller.environment },
          at,
        });
      }
      return number;
    });
    const { name, language } = await shop.get(seller.accountId);
    return {
      shopName: name,
      language,
      copy: copyNumber > 0,
      copyNumber,
      printedAt: toTimestamp(at),
      printedBy: seller.name,
      training: seller.training,
      sale: await this.get(seller, saleId),
    };
  }

  async #find(scope: Scope, saleId: string): Promise<Sale | undefined> {
    const { db, clock, catalog } = this.#parts;
    const row = await findSaleRow(db, scope, saleId);
    if (!row) return undefined;
    return (await viewSales(db, scope, [row], { catalog, now: clock.now() }))[0];
  }

  async #findSame(scope: Scope, saleId: string, requestHash: string): Promise<Sale | undefined> {
    const row = await findSaleRow(this.#parts.db, scope, saleId);
    if (!row) return undefined;
    if (row.request_hash !== requestHash) {
      throw new Problem("SALE_ID_TAKEN", "Another sale has this id.", { saleId: "is taken" });
    }
    return this.#find(scope, saleId);
  }

  async #prepare(scope: Scope, input: SaleInput): Promise<PreparedPurchase[]> {
    const prepared: PreparedPurchase[] = [];
    for (const [index, { price, ...line }] of input.lines.entries()) {
      const purchase = await this.#parts.purchases.prepareTopup(scopeOf(scope), line);
      const current = purchase.quote.priceBase + purchase.quote.priceFee;
      if (current !== price) {
        throw new Problem("PRICE_CHANGED", "The price has changed since it was shown.", {
          [`lines.${index}.price`]: `is ${current} now`,
          price: String(current),
        });
      }
      prepared.push(purchase);
    }
    return prepared;
  }

  /** Refuses before any cash is taken what the wallet could not pay (product lesson 7). */
  async #requireWallet(tx: Tx, scope: Scope, purchases: PreparedPurchase[]): Promise<void> {
    const balances = await getBalances(tx, scope);
    const cost = purchases.reduce((sum, { quote }) => sum + quote.costBase + quote.costFee, 0);
    if (cost <= balances.available) return;
    const shortBy = cost - balances.available;
    throw new Problem(
      "WALLET_SHORT",
      `The shop's wallet is short by ${describeAmount(shortBy, balances)}. Nothing was charged.`,
      {
        shortBy: String(shortBy),
        available: String(balances.available),
        currency: balances.currency,
        currencyDivisor: String(balances.currencyDivisor),
      },
    );
  }
}

/** What was asked for, however its JSON was written: a sale that arrives twice has the same. */
function digestOf({ saleId, lines, tender }: SaleInput): string {
  const asked = lines.map((line) => [
    line.transactionId,
    line.offerId,
    line.recipientPhoneNumber,
    line.value?.type,
    line.value?.value,
    line.price,
  ]);
  const text = JSON.stringify([saleId, asked, tender.kind, tender.tendered]);
  return createHash("sha256").update(text).digest("hex");
}

function scopeOf({ accountId, environment }: Scope): Scope {
  return { accountId, environment };
}
