import { Problem } from "../../contract/problem.ts";
import type { BillPayPurchaseInput } from "../../contract/v1/billpay-purchases.ts";
import type { EsimPurchaseInput } from "../../contract/v1/esim-purchases.ts";
import type { PurchaseExtras } from "../../contract/v1/fulfilment.ts";
import type { Offer, ProductFamily } from "../../contract/v1/offers.ts";
import type { PurchaseAccepted, PurchaseValue } from "../../contract/v1/purchase-record.ts";
import type { TopupPurchaseInput } from "../../contract/v1/topup-purchases.ts";
import type { VoucherPurchaseInput } from "../../contract/v1/voucher-purchases.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { Transactor } from "../../db/transactor.ts";
import { enqueueJob } from "../../jobs/job-store.ts";
import type { Clock } from "../../lib/clock.ts";
import type { BillService } from "../billpay/index.ts";
import { type CatalogService, quoteOffer } from "../catalog/index.ts";
import {
  createTransaction,
  type Page,
  subjectOf,
  type TransactionFilter,
} from "../transactions/index.ts";
import { billAccountOf, checkBuyerFields, recipientOf } from "./buyer-fields.ts";
import {
  createPurchase,
  findPurchase,
  isOf,
  listPurchases,
  type NewPurchase,
  type PurchaseOf,
} from "./purchase-store.ts";
import { ADVANCE_JOB } from "./purchase-transitions.ts";

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  catalog: CatalogService;
  bills: BillService;
}

/** Accepts purchases and finds them again; the engine carries them out. */
export class PurchaseService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Checks a top-up against the catalog and works out its amounts. Writes nothing.
   * @throws Problem OFFER_NOT_FOUND, OFFER_DISABLED, VALUE_REQUIRED, VALUE_NOT_ALLOWED,
   *   VALUE_OUT_OF_RANGE
   */
  async prepareTopup(scope: Scope, input: TopupPurchaseInput): Promise<NewPurchase> {
    const offer = await this.#deps.catalog.getOfferForSale(scope, "TOPUP", input.offerId);
    const extras = input.sender ? { sender: input.sender } : {};
    return prepared(scope, offer, input, input.recipientPhoneNumber, extras);
  }

  /**
   * Checks a voucher purchase in the same way.
   * @throws Problem those of a top-up, and REQUIRED_FIELD_MISSING
   */
  async prepareVoucher(scope: Scope, input: VoucherPurchaseInput): Promise<NewPurchase> {
    const offer = await this.#deps.catalog.getOfferForSale(scope, "VOUCHER", input.offerId);
    const { fields } = input;
    checkBuyerFields(offer.requiredFields, fields);
    return prepared(scope, offer, input, recipientOf(fields), { fields });
  }

  /**
   * Checks an eSIM purchase in the same way. Whether the eSIM it names exists is checked later.
   * @throws Problem those of a top-up
   */
  async prepareEsim(scope: Scope, input: EsimPurchaseInput): Promise<NewPurchase> {
    const offer = await this.#deps.catalog.getOfferForSale(scope, "ESIM", input.offerId);
    const { offerId: _, transactionId, ...extras } = input;
    return prepared(scope, offer, { transactionId }, "", extras);
  }

  /**
   * Checks a bill payment in the same way, and against the bill that was retrieved for it.
   * @throws Problem those of a voucher
   */
  async prepareBillPay(scope: Scope, input: BillPayPurchaseInput): Promise<NewPurchase> {
    const offer = await this.#deps.catalog.getOfferForSale(scope, "BILL_PAY", input.offerId);
    const { fields, value, sender, recipient } = input;
    checkBuyerFields(offer.requiredFields, fields);
    const purchase = prepared(scope, offer, input, billAccountOf(fields), {
      fields,
      ...(sender && { billSender: sender }),
      ...(recipient && { billRecipient: recipient }),
    });
    const values = Object.fromEntries(fields.map((field) => [field.key, field.value]));
    const { quote } = purchase;
    await this.#deps.bills.checkPayment(scope, offer, { fields: values, value, quote });
    return purchase;
  }

  /**
   * Writes a prepared purchase as ACCEPTED, with the job that carries it out (rules#purchase-accepted).
   * @param options `training`: it is carried out like any other, and moves no money
   * @throws Problem DUPLICATE_TRANSACTION_ID
   */
  async create(tx: Tx, purchase: NewPurchase, { training = false } = {}): Promise<void> {
    const at = this.#deps.clock.now();
    await createTransaction(tx, {
      accountId: purchase.accountId,
      environment: purchase.environment,
      transactionId: purchase.transactionId,
      type: "DEBIT",
      productType: purchase.offer.productType,
      amount: purchase.quote.costBase + purchase.quote.costFee,
      unit: purchase.offer.cost,
      training,
      at,
    });
    await createPurchase(tx, purchase);
    await enqueueJob(tx, { kind: ADVANCE_JOB, subject: subjectOf(purchase), runAt: at });
  }

  /** `POST /topups/purchases`. */
  async buyTopup(scope: Scope, input: TopupPurchaseInput): Promise<PurchaseAccepted> {
    return this.#accept(await this.prepareTopup(scope, input));
  }

  /** `POST /vouchers/purchases`. */
  async buyVoucher(scope: Scope, input: VoucherPurchaseInput): Promise<PurchaseAccepted> {
    return this.#accept(await this.prepareVoucher(scope, input));
  }

  /** `POST /esim/purchases`. */
  async buyEsim(scope: Scope, input: EsimPurchaseInput): Promise<PurchaseAccepted> {
    return this.#accept(await this.prepareEsim(scope, input));
  }

  /** `POST /billpay/purchases`. */
  async payBill(scope: Scope, input: BillPayPurchaseInput): Promise<PurchaseAccepted> {
    return this.#accept(await this.prepareBillPay(scope, input));
  }

  /** @throws Problem NOT_FOUND, for a purchase of another family too */
  async get<Family extends ProductFamily>(
    scope: Scope,
    family: Family,
    transactionId: string,
  ): Promise<PurchaseOf<Family>> {
    const purchase = await findPurchase(this.#deps.db, { ...scope, transactionId });
    // What was sold in training is visible at the till only.
    if (!isOf(family, purchase) || purchase.transaction.training) {
      throw new Problem("NOT_FOUND", `There is no such purchase: ${transactionId}.`);
    }
    return purchase;
  }

  /** Purchases of a family, newest first, then by id; `total` is exact. */
  async list<Family extends ProductFamily>(
    scope: Scope,
    family: Family,
    filter: Pick<TransactionFilter, "createdAt" | "status">,
    page: Page,
  ): Promise<{ total: number; list: PurchaseOf<Family>[] }> {
    const productTypes = [family];
    const found = await listPurchases(this.#deps.db, scope, { ...filter, productTypes }, page);
    return { total: found.total, list: found.list.filter((purchase) => isOf(family, purchase)) };
  }

  /** One database transaction: the purchase is accepted or there is no trace of it. */
  async #accept(purchase: NewPurchase): Promise<PurchaseAccepted> {
    await this.#deps.transactor.transact((tx) => this.create(tx, purchase));
    return { status: "ACCEPTED", transactionId: purchase.transactionId };
  }
}

function prepared(
  scope: Scope,
  offer: Offer,
  input: { transactionId: string; value?: PurchaseValue },
  recipient: string,
  extras: PurchaseExtras,
): NewPurchase {
  return {
    accountId: scope.accountId,
    environment: scope.environment,
    transactionId: input.transactionId,
    offer,
    recipient,
    value: input.value,
    extras,
    quote: quoteOffer(offer, input.value),
  };
}
