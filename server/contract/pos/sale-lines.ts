import { type Static, Type } from "typebox";
import {
  ApprovalId,
  ClientId,
  CurrencyCode,
  CurrencyDivisor,
  Input,
  MinorAmount,
  PhoneNumber,
  Timestamp,
  TransactionId,
  TransactionStatus,
} from "../common.ts";
import { BillPayRecipient, BillPaySender } from "../v1/billpay-purchases.ts";
import { Iccid } from "../v1/esim-purchases.ts";
import { PurchaseValue, VoucherField } from "../v1/purchase-record.ts";
import { EsimArea } from "./esims.ts";
import { Family } from "./families.ts";
import { NumberCheck } from "./number-check.ts";
import { Outcome } from "./outcome.ts";

const Amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/**
 * The ordered item. Fields by family: TOPUP has `recipientPhoneNumber` and, for a RANGE
 * offer, `value`. VOUCHER has `fields` and `value`. ESIM may have the `iccid` of an
 * existing eSIM that gets the plan. BILL_PAY has `fields`, `value`, `sender` and
 * `recipient`. Other fields are refused.
 */
const wanted = {
  productType: Family,
  offerId: Type.String({ minLength: 1, maxLength: 128 }),
  recipientPhoneNumber: Type.Optional(PhoneNumber),
  fields: Type.Optional(Type.Array(VoucherField, { maxItems: 64 })),
  iccid: Type.Optional(Iccid),
  value: Type.Optional(PurchaseValue),
  sender: Type.Optional(BillPaySender),
  recipient: Type.Optional(BillPayRecipient),
};

export const WantedLine = Input(wanted);
export type WantedLine = Static<typeof WantedLine>;

/**
 * A line of a sale. The customer pays `price - discount`. If `POST /pos/sales/discounts` required
 * an approval for the discount, the line contains the approval's id.
 */
export const SaleLineInput = Input({
  transactionId: TransactionId,
  ...wanted,
  price: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "Price that the customer was shown; PRICE_CHANGED if it has changed",
  }),
  discount: Type.Optional(Amount),
  discountApprovalId: ApprovalId,
  numberCheck: Type.Optional(NumberCheck),
});
export type SaleLineInput = Static<typeof SaleLineInput>;

/**
 * `POST /pos/sales/discounts`: checks before the payment whether the seller may give the discount.
 * Changes nothing. The error APPROVAL_REQUIRED contains the `requestDigest` to approve.
 */
export const DiscountInput = Input({
  saleId: ClientId,
  transactionId: TransactionId,
  offerId: wanted.offerId,
  value: wanted.value,
  price: Amount,
  discount: Amount,
});
export type DiscountInput = Static<typeof DiscountInput>;

export const DiscountAllowed = Type.Object({
  allowed: Type.Literal(true),
  belowCost: Type.Boolean({ description: "True if the price is below the wallet's cost" }),
});
export type DiscountAllowed = Static<typeof DiscountAllowed>;

/** Parts that a voucher lacks are empty texts. */
export const VoucherDetails = Type.Object({
  deliveryType: Type.String(),
  epin: Type.String(),
  serialNumber: Type.String(),
  redemptionUrl: Type.String(),
  accountId: Type.String({ description: "Credited account" }),
  expiresAt: Type.String(),
  language: Type.String({ description: "Language of instructions and terms" }),
  instructions: Type.String({
    description: "Instructions of the brand, in the shop's language or English",
  }),
  terms: Type.String(),
  providerInstructions: Type.String({
    description: "Instructions of the provider for this voucher",
  }),
  providerTerms: Type.String(),
  notes: Type.String(),
  customerService: Type.String({ description: "A phone number" }),
});
export type VoucherDetails = Static<typeof VoucherDetails>;

export const EsimDetails = Type.Object({
  iccid: Type.String(),
  smdpAddress: Type.String(),
  activationCode: Type.String(),
  qrContent: Type.String({ description: "LPA:1$… for the QR code" }),
  instructions: Type.String(),
});
export type EsimDetails = Static<typeof EsimDetails>;

/**
 * Visibility of redeemable details: a voucher's PIN, or an eSIM's code. NONE: the line has none.
 * SHOWN: `voucher` or `esim` contains them, for the seller until `detailsUntil`. HIDDEN: people
 * with the permission see them in a print or by `POST /pos/sales/{saleId}/reveal`. ERASED: the shop
 * deleted them. UNREADABLE: their encryption key is missing. MISSING: the line was delivered, but
 * the provider's response has no usable code, which only the provider can supply.
 */
const DETAILS_STATES = ["NONE", "SHOWN", "HIDDEN", "ERASED", "UNREADABLE", "MISSING"] as const;
const DetailsState = Type.Enum(DETAILS_STATES);
export type DetailsState = Static<typeof DetailsState>;

/** `price` is the price before the discount. */
export const SaleLine = Type.Object({
  position: Type.Integer(),
  transactionId: TransactionId,
  productType: Family,
  offerId: Type.String(),
  brand: Type.String(),
  brandName: Type.String(),
  brandColor: Type.String(),
  country: Type.String(),
  title: Type.String(),
  service: Type.Optional(
    Type.String({ description: "Kind of bill in the catalog, such as Electricity" }),
  ),
  area: Type.Optional(EsimArea),
  recipientPhoneNumber: Type.Optional(Type.String({ description: "Of a top-up" })),
  recipientFormatted: Type.String({
    description: "Recipient: a number, account or eSIM; empty without one",
  }),
  fields: Type.Optional(Type.Array(VoucherField)),
  iccid: Type.Optional(Type.String({ description: "eSIM that gets the plan" })),
  value: Type.Optional(PurchaseValue),
  numberCheck: Type.Optional(NumberCheck),
  price: MinorAmount,
  discount: MinorAmount,
  fee: Type.Optional(
    Type.Integer({
      description:
        "Of a bill: service fee in `price`, everything above the amount paid to the biller (rules#bill-adds-up)",
    }),
  ),
  send: MinorAmount,
  sendCurrency: CurrencyCode,
  sendCurrencyDivisor: CurrencyDivisor,
  due: Type.Optional(
    Type.Integer({
      description: "Of a bill: amount due at the payment, in the unit of `send`",
    }),
  ),
  status: TransactionStatus,
  outcome: Outcome,
  slowAfter: Timestamp,
  keepTryingUntil: Timestamp,
  beingFoundOut: Type.Optional(
    Type.Boolean({
      description: "Its 24 hours have passed and its outcome is unknown: status inquiries continue",
    }),
  ),
  nextAttemptAt: Type.Optional(Timestamp),
  finishedAt: Type.Optional(Timestamp),
  confirmationNumber: Type.Optional(Type.String()),
  referenceNumber: Type.Optional(Type.String({ description: "Reference of the provider" })),
  noConfirmation: Type.Optional(
    Type.Boolean({
      description: "True if it was delivered and the provider sent no confirmation number",
    }),
  ),
  details: DetailsState,
  detailsUntil: Type.Optional(Timestamp),
  voucher: Type.Optional(VoucherDetails),
  esim: Type.Optional(EsimDetails),
  canceled: Type.Optional(
    Type.Boolean({
      description:
        "True if it was delivered and the provider refunded its cost, such as an unused eSIM: its `outcome` is NOT_DELIVERED",
    }),
  ),
  refunded: Type.Boolean({ description: "True if its money was refunded to the customer" }),
  sentAgainAs: Type.Optional(
    Type.Integer({ description: "Number of the sale that its refunded money paid instead" }),
  ),
  failure: Type.Optional(
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      shortBy: Type.Optional(MinorAmount),
      available: Type.Optional(MinorAmount),
      provider: Type.Optional(
        Type.String({ description: "Name of the provider at which the shop's balance is short" }),
      ),
      currency: Type.Optional(CurrencyCode),
      currencyDivisor: Type.Optional(CurrencyDivisor),
    }),
  ),
});
export type SaleLine = Static<typeof SaleLine>;
