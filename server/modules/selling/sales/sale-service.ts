import type { Actor } from "../../../contract/pos/actor.ts";
import type { Need } from "../../../contract/pos/rights.ts";
import type {
  DiscountAllowed,
  DiscountInput,
  SaleLineInput,
} from "../../../contract/pos/sale-lines.ts";
import type { Sale, SaleInput, Sales } from "../../../contract/pos/sales.ts";
import type { Language } from "../../../contract/pos/setup.ts";
import type { StaffName } from "../../../contract/pos/staff.ts";
import { Problem } from "../../../contract/problem.ts";
import { businessTime } from "../../../db/business-time.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { confirmWrites } from "../../../db/write-behind.ts";
import { digestOf } from "../../../lib/digest.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { calculateLineCost, type PriceReader, sumLineCosts } from "../../catalog/prices/index.ts";
import type { Base } from "../../module.ts";
import type { PurchaseService } from "../../purchases/purchases/index.ts";
import { requirePilot } from "../../shop/pilots/index.ts";
import {
  environmentChanged,
  type RequireEnvironment,
  type ShopService,
} from "../../shop/shop/index.ts";
import { requireRights, spendApproval } from "../../shop/staff/index.ts";
import { readTill, type SoldFrom } from "../../shop/tills/index.ts";
import { checkNumbers, type IsConfirmed, recordNumberChecks } from "./number-checks.ts";
import {
  findBelowCost,
  findPriced,
  ofLine,
  type PreparedLine,
  prepareLines,
  withPresentPrices,
} from "./prepared-lines.ts";
import {
  describeLines,
  findDrawerShift,
  listSaleNeeds,
  nameProduct,
  type RequireShift,
  sumPaid,
  toDiscountPct,
} from "./sale-rights.ts";
import {
  createSale,
  findSaleById,
  findSaleRow,
  linesWithCustomerRefunds,
  listSaleRows,
  type Period,
  type SaleRow,
  type SalesScope,
  statusOrReturned,
} from "./sale-store.ts";
import {
  getListVisibility,
  getVisibility,
  isVisibleTo,
  type SaleVisibility,
  startOfToday,
  viewSales,
  WHOLE,
} from "./sale-view.ts";
import { payBy } from "./tender-split.ts";
import { requireWallet } from "./wallet-short.ts";

/** 96 bits, which differ by chance for any two requests with one id. */
const REQUEST_HASH_LENGTH = 24;

interface SaleServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  catalog: CatalogService;
  purchases: PurchaseService;
  shop: ShopService;
  prices: Pick<PriceReader, "read">;
  requireShift: RequireShift;
  requireEnvironment: RequireEnvironment;
}

interface SaleMaking {
  from?: SoldFrom;
  /** Absent without a customer display. */
  isConfirmed?: IsConfirmed;
  within?: (tx: Tx) => Promise<void>;
  /** True if the payment of an undelivered line pays for the sale. */
  isPaidBefore?: boolean;
}

export class SaleService {
  readonly #deps: SaleServiceDeps;

  constructor(deps: SaleServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a sale, its purchases and their jobs in one transaction. The till creates the ids, so a
   * repeated request is the same sale.
   * @throws Problem SALE_ID_TAKEN, SHIFT_REQUIRED, PRICE_CHANGED, TENDER_SHORT, TENDER_OVER,
   * TENDER_RETIRED, WALLET_SHORT, NUMBER_NOT_CONFIRMED, PILOT_LIMIT, APPROVAL_REQUIRED, and the
   * errors of a purchase, naming the line
   */
  async sell(seller: Actor, input: SaleInput, making: SaleMaking = {}): Promise<Sale> {
    const { transactor, clock, shop } = this.#deps;
    const { saleId, approvalId } = input;
    const requestHash = digestOf(input).slice(0, REQUEST_HASH_LENGTH);
    const earlier = await this.#findSame(seller, input, requestHash);
    if (earlier) return earlier;
    requireWhereItWasMade(seller, input);

    const day = await shop.get(seller.accountId);
    const { currency, currencyDivisor, cashStep } = day;
    const prepare = () => prepareLines(this.#deps, seller, input.lines);
    const prepared = await prepare();
    const lines = prepared.map(({ sold }) => sold);
    const isPaid = making.from === "FILE";
    const { cashRounding, tenders } = payBy(sumPaid(lines), input, { shop: day, isPaid });
    const products = new Map(
      prepared.map(({ purchase, sold }) => [sold.transactionId, nameProduct(purchase)]),
    );
    const write = async (tx: Tx) => {
      // A simultaneous request stored the sale.
      if (await findSaleById(tx, seller, saleId)) return;
      await this.#deps.requireEnvironment(tx, seller);
      const shiftId = await findDrawerShift(this.#deps.requireShift, tx, seller);
      const at = await businessTime(tx, seller, clock.now());
      const { from } = making;
      const unit = { currency, currencyDivisor };
      await requirePilot(tx, seller, { paid: sumPaid(lines), unit, from, at });
      const prices = await this.#deps.prices.read(tx, seller, at);
      const belowCost = findBelowCost(prepared, prices);
      const asked = { ...input, products, belowCost, at: clock.now() };
      const discounts = await spendDiscountApprovals(tx, seller, asked);
      const approved = new Set(discounts.keys());
      const { isPaidBefore = false } = making;
      const judged = { at, day, approved, belowCost, isPaidBefore };
      const needs = await listSaleNeeds(tx, seller, lines, judged);
      const facts = describeLines(prepared);
      const right = { needs, subject: saleId, request: input, approvalId, facts };
      const approver = await requireRights(tx, seller, { ...right, at: clock.now() });
      const wanted = isPaid ? "NEVER" : day.confirmNumber;
      const checked = await checkNumbers(tx, seller, input.lines, { wanted, ...making });
      if (!seller.training) await requireWallet(tx, seller, sumLineCosts(prepared));
      await this.#createPurchases(tx, seller, prepared, from);
      const { accountId, environment, training, staffId } = seller;
      await createSale(tx, {
        accountId,
        environment,
        training,
        saleId,
        staffId,
        shiftId,
        // The sale stores only the first approver. The audit trail contains all approvers.
        approvedBy: (approver ?? [...discounts.values()][0])?.staffId,
        currency,
        currencyDivisor,
        requestHash,
        lines: prepared.map(({ purchase, sold }) => ({
          ...sold,
          ...calculateLineCost(purchase, { paid: sold.price - sold.discount, prices }),
          checkedBy: checked.find(({ transactionId }) => transactionId === sold.transactionId)?.by,
        })),
        tenders,
        cashRounding,
        cashStep,
        till: await readTill(tx, seller, from, at),
        at,
      });
      await recordDiscount(tx, seller, { saleId, lines: prepared, unit, belowCost, at });
      await recordNumberChecks(tx, seller, { saleId, checked, at });
      await making.within?.(tx);
    };
    await withPresentPrices(prepare, () => transactor.transact(seller.accountId, write));
    return (await this.#findSame(seller, input, requestHash)) ?? this.get(seller, saleId);
  }

  /** @throws Problem the errors of a purchase, naming the line */
  async #createPurchases(
    tx: Tx,
    { training }: Actor,
    lines: readonly PreparedLine[],
    from: SoldFrom | undefined,
  ): Promise<void> {
    const channel = from === "FILE" ? "BULK" : "TILL";
    for (const [index, { purchase }] of lines.entries()) {
      await ofLine(index, async () => {
        await this.#deps.purchases.create(tx, purchase, { training, channel });
        // A refused write must name its line.
        await confirmWrites(tx);
      });
    }
  }

  /**
   * Checks a discount before payment, when the seller enters it.
   * @throws Problem APPROVAL_REQUIRED
   */
  async checkDiscount(seller: Actor, input: DiscountInput): Promise<DiscountAllowed> {
    const { transactor, clock } = this.#deps;
    const purchase = await findPriced(this.#deps.catalog, seller, input);
    const paid = input.price - input.discount;
    return transactor.transact(seller.accountId, async (tx) => {
      const prices = await this.#deps.prices.read(tx, seller, clock.now());
      const belowCost =
        input.discount > 0 && purchase !== undefined && prices.isUnderFloor(paid, purchase);
      const product = purchase ? nameProduct(purchase) : input.offerId;
      await requireDiscount(tx, seller, { ...input, product, belowCost }, clock.now());
      return { allowed: true, belowCost };
    });
  }

  /**
   * Returns a sale. The seller sees redeemable details for a limited time.
   * @throws Problem NOT_FOUND
   */
  async get(reader: Actor, saleId: string): Promise<Sale> {
    return required(await this.#find(reader, saleId));
  }

  /**
   * Returns all printed details. The caller must have checked the print permission.
   * @param language of a voucher's instructions
   * @throws Problem NOT_FOUND
   */
  async getForPrint(scope: SalesScope, saleId: string, language: Language): Promise<Sale> {
    const row = await findSaleRow(this.#deps.db, scope, saleId);
    return required(row && (await this.#view(scope, [row], WHOLE, language))[0]);
  }

  /**
   * Returns all details, also in training, for a customer who has the link.
   * @throws Problem NOT_FOUND
   */
  async getForCustomer(scope: Scope, saleId: string, language: Language): Promise<Sale> {
    const row = await findSaleById(this.#deps.db, scope, saleId);
    return required(row && (await this.#view(scope, [row], WHOLE, language))[0]);
  }

  /**
   * Like `getForPrint`, without PINs and codes that were hidden from the reader at `at`. Details
   * that were delivered after `at` need the reveal permission.
   * @throws Problem NOT_FOUND
   */
  async getSeenForPrint(
    reader: Actor,
    saleId: string,
    { language, at }: { language: Language; at: number },
  ): Promise<Sale> {
    const row = await findSaleRow(this.#deps.db, reader, saleId);
    const today = startOfToday(at, await this.#deps.shop.get(reader.accountId));
    const { detailsUntil } = getVisibility(reader, { now: at, today });
    // Printed details have no time limit.
    const onPaper: SaleVisibility = {
      ...WHOLE,
      detailsUntil: (...sold) => (detailsUntil(...sold) === "never" ? "never" : "always"),
    };
    return required(row && (await this.#view(reader, [row], onPaper, language))[0]);
  }

  /**
   * Lists sales with sums, newest first. Without the permission for expected cash, a reader gets
   * other people's sales before today only by sale number.
   */
  async list(reader: Actor, period: Period): Promise<Sales> {
    const { db, clock, shop } = this.#deps;
    const settings = await shop.get(reader.accountId);
    const { currency, currencyDivisor } = settings;
    const { since, limit, offset } = period;
    const today = startOfToday(clock.now(), settings);
    const seesAll = reader.rights.seeExpectedCash;
    const only = seesAll ? undefined : { staffId: reader.staffId, today };
    const { total, rows } = await listSaleRows(db, reader, { ...period, only });
    const figures = seesAll ? await sumLines(db, reader, { since, currency }) : undefined;
    return {
      limit,
      offset,
      total,
      ...(figures && { figures: { currency, currencyDivisor, ...figures } }),
      list: await this.#view(reader, rows, getListVisibility(reader, today)),
    };
  }

  async needsToSee(reader: Actor, { saleId }: Pick<Sale, "saleId">): Promise<Need[]> {
    const { db, clock, shop } = this.#deps;
    const row = await findSaleRow(db, reader, saleId);
    const today = startOfToday(clock.now(), await shop.get(reader.accountId));
    return row && !isVisibleTo(reader, row, today) ? [{ right: "seeExpectedCash" }] : [];
  }

  async #find(reader: Actor, saleId: string): Promise<Sale | undefined> {
    const row = await findSaleRow(this.#deps.db, reader, saleId);
    if (!row) return undefined;
    const now = this.#deps.clock.now();
    const today = startOfToday(now, await this.#deps.shop.get(reader.accountId));
    return (await this.#view(reader, [row], getVisibility(reader, { now, today })))[0];
  }

  async #view(
    scope: Scope,
    rows: SaleRow[],
    sight: SaleVisibility,
    language?: Language,
  ): Promise<Sale[]> {
    const { db, clock, catalog, shop } = this.#deps;
    const words = language ?? (await shop.get(scope.accountId)).language;
    return viewSales(db, scope, rows, { catalog, language: words, now: clock.now(), sight });
  }

  /** Finds a repeated sale in its own environment, even if the shop's environment has changed. */
  async #findSame(
    reader: Actor,
    { saleId, environment = reader.environment }: SaleInput,
    requestHash: string,
  ): Promise<Sale | undefined> {
    const row = await findSaleById(this.#deps.db, { ...reader, environment }, saleId);
    if (!row) return undefined;
    // Earlier versions stored the whole digest.
    if (!row.request_hash.startsWith(requestHash)) {
      throw new Problem("SALE_ID_TAKEN", "Another sale has this id.", { saleId: "is taken" });
    }
    return this.#find({ ...reader, environment, training: row.training === 1 }, saleId);
  }
}

/** @throws Problem NOT_FOUND */
function required(sale: Sale | undefined): Sale {
  if (!sale) throw new Problem("NOT_FOUND", "There is no such sale.");
  return sale;
}

type CheckedDiscount = DiscountInput & { product: string; belowCost: boolean };

function toAction({ product, belowCost, ...discount }: CheckedDiscount, at: number) {
  const { saleId, transactionId, offerId, value, price } = discount;
  const asked = toDiscountPct(discount);
  const needs: Need[] = [
    { right: "discountPct", asked },
    ...(belowCost ? [{ right: "belowCost" as const }] : []),
  ];
  return {
    needs,
    subject: saleId,
    request: { saleId, transactionId, offerId, value, price, discount: discount.discount },
    facts: { product, price, discount: discount.discount },
    at,
  };
}

/** @throws Problem APPROVAL_REQUIRED */
async function requireDiscount(
  tx: Tx,
  seller: Actor,
  judged: CheckedDiscount,
  at: number,
): Promise<void> {
  await requireRights(tx, seller, { ...toAction(judged, at), approvalId: undefined });
}

/**
 * Uses the approvals of single discounts. A discount without its own approval needs the seller's
 * permission, or an approval of the whole sale.
 * @param belowCost transaction ids of lines below their floor
 * @returns approvers by transaction id
 */
async function spendDiscountApprovals(
  tx: Tx,
  seller: Actor,
  sale: {
    saleId: string;
    lines: readonly SaleLineInput[];
    products: ReadonlyMap<string, string>;
    belowCost: ReadonlySet<string>;
    at: number;
  },
): Promise<ReadonlyMap<string, StaffName>> {
  const approved = new Map<string, StaffName>();
  for (const line of sale.lines) {
    const { transactionId, offerId, value, price, discount = 0, discountApprovalId } = line;
    if (discount === 0 || discountApprovalId === undefined) continue;
    const given = { saleId: sale.saleId, transactionId, offerId, price, discount };
    const belowCost = sale.belowCost.has(transactionId);
    const product = sale.products.get(transactionId) ?? offerId;
    const judged = { ...given, ...(value && { value }), product, belowCost };
    const action = { ...toAction(judged, sale.at), approvalId: discountApprovalId };
    const approver = await spendApproval(tx, seller, action);
    if (approver) approved.set(transactionId, approver);
  }
  return approved;
}

interface DiscountsGiven {
  saleId: string;
  lines: readonly PreparedLine[];
  unit: { currency: string; currencyDivisor: number };
  belowCost: ReadonlySet<string>;
  at: number;
}

async function recordDiscount(
  tx: Tx,
  { accountId, environment, staffId }: Actor,
  { saleId: subject, lines, unit, belowCost, at }: DiscountsGiven,
): Promise<void> {
  const discounted = lines.filter(({ sold }) => sold.discount > 0);
  if (discounted.length === 0) return;
  const below = belowCost.size > 0 ? { linesBelowCost: belowCost.size } : {};
  const detail = { ...describeLines(discounted), ...unit, ...below, environment };
  await recordAudit(tx, { accountId, staffId, action: "sale.discount", subject, detail, at });
}

/**
 * A basket is sold in the environment and the mode (training or not) in which it was started.
 * @throws Problem ENVIRONMENT_CHANGED naming `environment` or `training`
 */
function requireWhereItWasMade(seller: Actor, input: SaleInput): void {
  const { environment, training } = seller;
  if ((input.environment ?? environment) !== environment) throw environmentChanged(environment);
  if ((input.training ?? training) === training) return;
  throw new Problem(
    "ENVIRONMENT_CHANGED",
    training
      ? "You are training now: nothing was sold and nothing was charged."
      : "You are not training any more: nothing was sold and nothing was charged.",
    { training: `must be ${training}` },
  );
}

export interface SaleFigures {
  sold: number;
  sending: number;
  refundDue: number;
  refunded: number;
  discount: number;
  unfinished: number;
}

async function sumLines(
  db: Db | Tx,
  scope: SalesScope,
  period: { since: number; currency: string },
): Promise<SaleFigures> {
  const status = statusOrReturned();
  const rows = await linesWithCustomerRefunds(db, scope)
    .select((eb) => [
      status.as("status"),
      eb.fn.countAll<number>().as("lines"),
      eb.fn.sum<number>("l.price").as("price"),
      eb.fn.sum<number>("l.discount").as("discount"),
      eb.fn.coalesce(eb.fn.sum<number>("g.amount"), eb.lit(0)).as("refunded"),
    ])
    .where("l.created_at", ">=", period.since)
    .where("s.currency", "=", period.currency)
    .groupBy(status)
    .execute();
  const figures = { sold: 0, sending: 0, refundDue: 0, refunded: 0, discount: 0, unfinished: 0 };
  for (const row of rows) {
    const paid = row.price - row.discount;
    figures.refunded += row.refunded;
    if (row.status === "FAILED") {
      figures.refundDue += paid - row.refunded;
      continue;
    }
    figures.discount += row.discount;
    if (row.status === "DONE") figures.sold += paid;
    else {
      figures.sending += paid;
      figures.unfinished += row.lines;
    }
  }
  return figures;
}
