import type { CatalogBrand } from "../../../contract/catalog-content.ts";
import type { Actor } from "../../../contract/pos/actor.ts";
import { splitBill } from "../../../contract/pos/bill-amounts.ts";
import { FAMILY_FACTS } from "../../../contract/pos/families.ts";
import type { NumberCheck } from "../../../contract/pos/number-check.ts";
import type { Outcome } from "../../../contract/pos/outcome.ts";
import type { EsimDetails, SaleLine, VoucherDetails } from "../../../contract/pos/sale-lines.ts";
import type { Sale } from "../../../contract/pos/sales.ts";
import { type DayClock, startOfDay } from "../../../contract/pos/shop-day.ts";
import type { SaleTax } from "../../../contract/pos/taxes.ts";
import { changeOf, type Tender } from "../../../contract/pos/tenders.ts";
import type { NoTill } from "../../../contract/pos/tills.ts";
import type { Fulfilment } from "../../../contract/v1/fulfilment.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { MINUTE, SECOND, toTimestamp } from "../../../lib/clock.ts";
import { toLpaCode } from "../../../lib/esim-profile.ts";
import { isRedeemable } from "../../../providers/redeemable.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";
import { type CatalogService, pickInstructions, sendUnitOf } from "../../catalog/catalog/index.ts";
import { getArea } from "../../catalog/counter-catalog/index.ts";
import { formatPhoneNumber } from "../../catalog/phone-lookup/index.ts";
import { providerNames } from "../../providers/upstream/index.ts";
import {
  findPurchases,
  isBeingFoundOut,
  isShortAtProvider,
  openUntil,
  type StoredPurchase,
} from "../../purchases/purchases/index.ts";
import { staffNames } from "../../shop/staff/index.ts";
import { countReceiptPrints } from "../print-records/index.ts";
import {
  findGivenBack,
  type LineRefund,
  listGoneBack,
  namedTender,
  roundingBack,
  splitAsItCame,
} from "./refunded-money-store.ts";
import {
  listLineRows,
  listTenderRows,
  type SaleLineRow,
  type SaleRow,
  type SaleTenderRow,
} from "./sale-store.ts";

/** For this time after the delivery, the seller sees redeemable details without a reveal. */
const SELLER_SEES_MS = 10 * MINUTE;

const OF_A_FILE: NoTill = "FILE";

export interface SaleVisibility {
  /** Returns the time until which details are visible; "always" on paper and after a reveal. */
  detailsUntil(row: SaleRow, purchase: StoredPurchase): number | "always" | "never";
  showsRecipients(row: SaleRow): boolean;
}

/** Shows the whole sale. Only for use after a permission check. */
export const WHOLE: SaleVisibility = { detailsUntil: () => "always", showsRecipients: () => true };

/**
 * Only the seller sees PINs and codes, for a limited time (rules#redemption-shown-to-seller).
 * Recipients of other people's earlier sales need the permission to see figures
 * (rules#sale-figures-hidden).
 */
export function getVisibility(
  reader: Actor,
  { now, today }: { now: number; today: number },
): SaleVisibility {
  return {
    detailsUntil(row, { transaction: { finishedAt } }) {
      if (row.staff_id !== reader.staffId || finishedAt === undefined) return "never";
      // Uses the absolute difference, because the machine's clock may have been set back.
      return Math.abs(now - finishedAt) < SELLER_SEES_MS ? finishedAt + SELLER_SEES_MS : "never";
    },
    showsRecipients: (row) => isVisibleTo(reader, row, today),
  };
}

export function getListVisibility(reader: Actor, today: number): SaleVisibility {
  return { detailsUntil: () => "never", showsRecipients: (row) => isVisibleTo(reader, row, today) };
}

/**
 * Returns whether the reader may see the recipients: in their own sales, in the counter's sales of
 * today, or in all sales with the permission. A file that another person sold is excluded, because
 * its customers were not served at the counter.
 */
export function isVisibleTo(
  { staffId, rights }: Actor,
  row: Pick<SaleRow, "staff_id" | "created_at" | "till">,
  today: number,
): boolean {
  if (rights.seeExpectedCash || row.staff_id === staffId) return true;
  return row.created_at >= today && row.till !== OF_A_FILE;
}

/** The start of the shop's day (rules#sale-day). */
export function startOfToday(now: number, day: DayClock): number {
  return startOfDay(now, day);
}

interface SaleViewDeps {
  catalog: CatalogService;
  language: string;
  sight: SaleVisibility;
  now: number;
}

/**
 * Returns sales in the order of `rows`. The number of queries does not grow with the number of
 * sales.
 */
export async function viewSales(
  db: Db | Tx,
  scope: Scope,
  rows: SaleRow[],
  deps: SaleViewDeps,
): Promise<Sale[]> {
  const saleIds = rows.map((row) => row.sale_id);
  const lines = Map.groupBy(await listLineRows(db, scope, saleIds), (line) => line.sale_id);
  const ids = [...lines.values()].flat().map((line) => line.transaction_id);
  const purchases = new Map(
    (await findPurchases(db, scope, ids)).map((p) => [p.transaction.transactionId, p]),
  );
  const tenders = Map.groupBy(await listTenderRows(db, scope, saleIds), (row) => row.sale_id);
  const refunds = await findGivenBack(db, scope, saleIds);
  const goneBack = await listGoneBack(db, scope, saleIds);
  const prints = await countReceiptPrints(db, scope, saleIds);
  const staffIds = rows.flatMap(({ staff_id, approved_by }) =>
    approved_by === null ? [staff_id] : [staff_id, approved_by],
  );
  const names = await staffNames(db, scope.accountId, staffIds);
  const { brands } = await deps.catalog.getSnapshot(scope);
  const providers = await namesOfShort(db, scope, [...purchases.values()]);

  function viewLines(row: SaleRow): SaleLine[] {
    return (lines.get(row.sale_id) ?? []).flatMap((line) => {
      const purchase = purchases.get(line.transaction_id);
      if (!purchase) return [];
      return viewLine(line, purchase, {
        brand: brands.get(purchase.offer.brand),
        refund: refunds.get(line.transaction_id),
        numberCheck: line.checked_by ?? undefined,
        provider: providers.get(purchase.supply?.providerId ?? FIRST_PROVIDER),
        language: deps.language,
        detailsUntil: deps.sight.detailsUntil(row, purchase),
        showsRecipient: deps.sight.showsRecipients(row),
        now: deps.now,
      });
    });
  }
  const isKept = (line: SaleLineRow) => !refunds.has(line.transaction_id);
  const personOf = (staffId: string) => ({ staffId, name: names.get(staffId) ?? "" });

  return rows.map((row) => {
    const viewed = viewLines(row);
    const paidWith = (tenders.get(row.sale_id) ?? []).map(toTender);
    const { refundDue, refunded: wentBack } = sumRefunds(row, viewed, paidWith);
    const gone = goneBack.get(row.sale_id) ?? [];
    return {
      saleId: row.sale_id,
      saleNumber: row.sale_number,
      environment: row.environment,
      training: row.training === 1,
      createdAt: toTimestamp(row.created_at),
      staff: personOf(row.staff_id),
      ...(row.approved_by !== null && { approvedBy: personOf(row.approved_by) }),
      ...(row.shift_id !== null && { shiftId: row.shift_id }),
      currency: row.currency,
      currencyDivisor: row.currency_divisor,
      total: row.total,
      discount: row.discount,
      taxes: sumTaxes((lines.get(row.sale_id) ?? []).filter(isKept)),
      cashRounding: row.cash_rounding,
      tenders: paidWith,
      change: changeOf(paidWith),
      refundDue,
      refundTenders: splitAsItCame(refundDue, { paid: paidWith, gone }),
      refunded: wentBack,
      receiptsPrinted: prints.get(row.sale_id) ?? 0,
      lines: viewed,
    };
  });
}

/** Returns the names of the providers if a purchase failed because of a balance there. */
async function namesOfShort(
  db: Db | Tx,
  scope: Scope,
  purchases: readonly StoredPurchase[],
): Promise<ReadonlyMap<string, string>> {
  const isShort = purchases.some(({ transaction }) => isShortAtProvider(transaction));
  return isShort ? providerNames(db, scope) : new Map();
}

function sumPaid(lines: readonly SaleLine[]): number {
  return lines.reduce((sum, { price, discount }) => sum + price - discount, 0);
}

function sumRefunds(
  { cash_rounding: cashRounding, cash_step: cashStep }: SaleRow,
  lines: readonly SaleLine[],
  paid: readonly Tender[],
): Pick<Sale, "refundDue" | "refunded"> {
  const failed = lines.filter(({ outcome }) => outcome === "NOT_DELIVERED");
  const back = sumPaid(failed.filter(({ refunded }) => refunded));
  const due = sumPaid(failed.filter(({ refunded }) => !refunded));
  const sale = { cashRounding, cashStep, paid };
  return {
    refundDue: due + roundingBack(sale, back, due),
    refunded: back + roundingBack(sale, 0, back),
  };
}

function toTender({ amount, tendered, reference, ...row }: SaleTenderRow): Tender {
  return {
    ...namedTender(row),
    amount,
    ...(tendered !== null && { tendered }),
    ...(reference !== null && { reference }),
  };
}

/** Sums taxes by rate, lowest first (rules#receipt-tax). */
function sumTaxes(
  lines: readonly Pick<SaleLineRow, "tax" | "tax_kind" | "tax_percent">[],
): SaleTax[] {
  const onPrice = lines.filter(({ tax, tax_kind }) => tax_kind === "ON_PRICE" && tax > 0);
  const byRate = Map.groupBy(onPrice, ({ tax_percent }) => tax_percent);
  return [...byRate]
    .map(([percent, of]) => ({ percent, amount: of.reduce((sum, { tax }) => sum + tax, 0) }))
    .toSorted((a, b) => Number(a.percent) - Number(b.percent));
}

const SLOW_AFTER_MS = 30 * SECOND;

const PROOF_FIELDS = ["confirmation", "confirmation.confirmationNumber"];

interface LineSurroundings {
  brand: CatalogBrand | undefined;
  refund: LineRefund | undefined;
  numberCheck: NumberCheck | undefined;
  /** Name of the line's provider; undefined if no line failed because of a balance there. */
  provider: string | undefined;
  language: string;
  detailsUntil: number | "always" | "never";
  showsRecipient: boolean;
  now: number;
}

/** Returns the biller's fee, which is part of the price before the discount. */
function getBillFee({ price }: SaleLineRow, { offer, quote }: StoredPurchase): number {
  const send = sendUnitOf(offer);
  return splitBill({
    price,
    priceFee: quote.priceFee,
    priceCurrency: offer.price.currency,
    priceCurrencyDivisor: offer.price.currencyDivisor,
    send: quote.send,
    sendCurrency: send.currency,
    sendCurrencyDivisor: send.currencyDivisor,
  }).fee;
}

function viewLine(line: SaleLineRow, purchase: StoredPurchase, around: LineSurroundings): SaleLine {
  const { transaction, offer, quote, value, extras, fulfilment, nextAttemptAt } = purchase;
  const { currency: sendCurrency, currencyDivisor: sendCurrencyDivisor } = sendUnitOf(offer);
  const area = getArea(offer);
  const isCanceled = line.returned_at !== null && transaction.status === "DONE";
  return {
    position: line.position,
    transactionId: line.transaction_id,
    productType: line.product_type,
    offerId: offer.offerId,
    brand: offer.brand,
    brandName: offer.brandName,
    brandColor: around.brand?.brandColor ?? "",
    country: offer.country,
    title: offer.shortNotes,
    ...pickService(offer),
    ...(area && { area }),
    ...(around.showsRecipient ? pickRecipient(line, purchase) : { recipientFormatted: "" }),
    ...(value && { value }),
    ...(around.numberCheck && { numberCheck: around.numberCheck }),
    price: line.price,
    discount: line.discount,
    ...(line.product_type === "BILL_PAY" && { fee: getBillFee(line, purchase) }),
    send: quote.send,
    sendCurrency,
    sendCurrencyDivisor,
    ...(extras.billDue !== undefined && { due: extras.billDue }),
    status: transaction.status,
    outcome: isCanceled ? "NOT_DELIVERED" : getOutcome(purchase, around.now),
    ...(isCanceled && { canceled: true }),
    slowAfter: toTimestamp(getSlowAt(purchase)),
    keepTryingUntil: toTimestamp(openUntil(purchase)),
    ...(isBeingFoundOut(purchase) && { beingFoundOut: true }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: toTimestamp(nextAttemptAt) }),
    ...(transaction.finishedAt !== undefined && {
      finishedAt: toTimestamp(transaction.finishedAt),
    }),
    ...(fulfilment && {
      confirmationNumber: fulfilment.confirmation.confirmationNumber,
      referenceNumber: fulfilment.confirmation.externalReferenceId,
      ...(isWithoutConfirmation(purchase) && { noConfirmation: true }),
    }),
    ...(isCanceled ? { details: "NONE" as const } : pickDetails(purchase, around)),
    refunded: around.refund !== undefined,
    ...around.refund,
    ...(transaction.error && { failure: viewFailure(transaction, around.provider) }),
  };
}

function viewFailure(
  transaction: StoredPurchase["transaction"],
  provider: string | undefined,
): NonNullable<SaleLine["failure"]> {
  const { error, errorFigures, currency, currencyDivisor } = transaction;
  const { shortBy, available } = errorFigures;
  return {
    code: error?.code ?? "",
    message: error?.message ?? "",
    ...(shortBy !== undefined && { shortBy }),
    ...(available !== undefined && { available }),
    ...(isShortAtProvider(transaction) && provider !== undefined && { provider }),
    currency,
    currencyDivisor,
  };
}

function pickService({
  productType,
  subTypes,
}: StoredPurchase["offer"]): Pick<SaleLine, "service"> {
  const [service] = subTypes;
  return productType === "BILL_PAY" && service !== undefined ? { service } : {};
}

function pickRecipient(
  { recipient }: SaleLineRow,
  { offer, extras }: StoredPurchase,
): Pick<SaleLine, "recipientPhoneNumber" | "recipientFormatted" | "fields" | "iccid"> {
  return {
    // `recipient` is empty after the number was erased.
    ...(FAMILY_FACTS[offer.productType].recipientKind === "number" &&
      recipient !== "" && { recipientPhoneNumber: recipient }),
    recipientFormatted: formatPhoneNumber(recipient),
    ...(extras.fields && { fields: extras.fields }),
    ...(extras.iccid !== undefined && { iccid: extras.iccid }),
  };
}

function hasDetails({ fulfilment }: Pick<StoredPurchase, "fulfilment">): boolean {
  return fulfilment?.receipt !== undefined || fulfilment?.esim !== undefined;
}

/** Returns whether a delivery has neither a confirmation number nor another proof. */
function isWithoutConfirmation({ offer, deviations }: StoredPurchase): boolean {
  const isProved = FAMILY_FACTS[offer.productType].redeemedBy !== "nothing";
  return !isProved && deviations.some(({ field }) => PROOF_FIELDS.includes(field));
}

function pickDetails(
  { offer, extras, fulfilment, withheld }: StoredPurchase,
  { detailsUntil, brand, language }: LineSurroundings,
): Pick<SaleLine, "details" | "detailsUntil" | "voucher" | "esim"> {
  if (!fulfilment || !hasDetails({ fulfilment })) return { details: "NONE" };
  if (withheld !== undefined) return { details: withheld };
  if (!isRedeemable({ offer, extras }, fulfilment)) return { details: "MISSING" };
  if (detailsUntil === "never") return { details: "HIDDEN" };
  const { receipt, esim } = fulfilment;
  const { country } = offer;
  return {
    details: "SHOWN",
    ...(detailsUntil !== "always" && { detailsUntil: toTimestamp(detailsUntil) }),
    ...(receipt && { voucher: toVoucherDetails(receipt, { brand, country, language }) }),
    ...(esim && { esim: toEsimDetails(esim) }),
  };
}

function getSlowAt({ transaction }: StoredPurchase): number {
  return transaction.createdAt + SLOW_AFTER_MS;
}

/** SENDING changes to STILL_SENDING after a delay or a failed attempt (rules#sale-outcomes). */
export function getOutcome(purchase: StoredPurchase, now: number): Outcome {
  switch (purchase.transaction.status) {
    case "DONE":
      return "DELIVERED";
    case "FAILED":
      return "NOT_DELIVERED";
    case "PENDING":
      return "STILL_SENDING";
    default: {
      const retried = purchase.attempts > 1 || purchase.attemptState === "FAILED";
      return retried || now >= getSlowAt(purchase) ? "STILL_SENDING" : "SENDING";
    }
  }
}

/**
 * Returns a voucher with the brand's instructions in the given language or in English, and with the
 * provider's own instructions.
 */
function toVoucherDetails(
  receipt: NonNullable<Fulfilment["receipt"]>,
  {
    brand,
    country,
    language,
  }: { brand: CatalogBrand | undefined; country: string; language: string },
): VoucherDetails {
  const { deliveryType } = receipt;
  const text = brand && pickInstructions(brand, { country, deliveryType, language });
  return {
    deliveryType,
    epin: receipt.epin,
    serialNumber: receipt.voucherId,
    redemptionUrl: receipt.redemptionUrl,
    accountId: receipt.accountId,
    expiresAt: receipt.expiresAt,
    language: text?.language ?? "",
    instructions: text?.redemptionInstructions ?? "",
    terms: text?.terms ?? "",
    providerInstructions: receipt.instructions,
    providerTerms: receipt.terms,
    notes: receipt.notes,
    customerService: receipt.recipientCustomerServiceNumber,
  };
}

function toEsimDetails(esim: NonNullable<Fulfilment["esim"]>): EsimDetails {
  const { iccid, smdpAddress, activationCode, redemptionInstructions } = esim;
  return {
    iccid,
    smdpAddress,
    activationCode,
    qrContent: toLpaCode(esim) ?? "",
    instructions: redemptionInstructions,
  };
}
