import { type Static, Type } from "typebox";
import {
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
import { ApprovalId, ClientId } from "./client-id.ts";
import { EsimArea } from "./esims.ts";
import { Family } from "./families.ts";
import { NumberCheck } from "./number-check.ts";
import { Outcome } from "./outcome.ts";

const Amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/**
 * What is wanted, by family: TOPUP takes `recipientPhoneNumber` and, of a RANGE offer, `value`;
 * VOUCHER takes `fields` and `value`; ESIM takes the `iccid` of an eSIM to add the plan to, or
 * nothing; BILL_PAY takes `fields`, `value`, `sender` and `recipient`. Anything else is refused.
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

/** One thing a customer wants, before it is sold. */
export const WantedLine = Input(wanted);
export type WantedLine = Static<typeof WantedLine>;

/**
 * One line of a sale. It costs the customer `price - discount`. A discount that was approved when it
 * was given, as `POST /pos/sales/discounts` asks for it, names its approval.
 */
export const SaleLineInput = Input({
  transactionId: TransactionId,
  ...wanted,
  price: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "What the customer was told; PRICE_CHANGED when it is another by now",
  }),
  discount: Type.Optional(Amount),
  discountApprovalId: ApprovalId,
  numberCheck: Type.Optional(NumberCheck),
});
export type SaleLineInput = Static<typeof SaleLineInput>;

/**
 * `POST /pos/sales/discounts`: whether the seller may give this discount, before there is a payment.
 * Changes nothing; APPROVAL_REQUIRED has the digest (`requestDigest`) of an approval that the line then names.
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
  belowCost: Type.Boolean({ description: "The line is sold for less than the wallet pays for it" }),
});
export type DiscountAllowed = Static<typeof DiscountAllowed>;

/** What the customer needs to use a voucher. Empty text for a part that this voucher does not have. */
export const VoucherDetails = Type.Object({
  deliveryType: Type.String(),
  epin: Type.String(),
  serialNumber: Type.String(),
  redemptionUrl: Type.String(),
  accountId: Type.String({ description: "The account that was credited" }),
  expiresAt: Type.String(),
  language: Type.String({ description: "Of the instructions and terms" }),
  instructions: Type.String({ description: "The brand's, in the shop's language or English" }),
  terms: Type.String(),
  providerInstructions: Type.String({ description: "What the provider says of this very voucher" }),
  providerTerms: Type.String(),
  notes: Type.String(),
  customerService: Type.String({ description: "A phone number" }),
});
export type VoucherDetails = Static<typeof VoucherDetails>;

/** What a phone needs to install an eSIM. */
export const EsimDetails = Type.Object({
  iccid: Type.String(),
  smdpAddress: Type.String(),
  activationCode: Type.String(),
  qrContent: Type.String({ description: "LPA:1$… for the QR code" }),
  instructions: Type.String(),
});
export type EsimDetails = Static<typeof EsimDetails>;

/**
 * What is shown of what the customer redeems, a voucher's PIN or an eSIM's code: NONE where there is
 * nothing, SHOWN in `voucher` or `esim` (to its seller until `detailsUntil`), HIDDEN otherwise: a print or
 * `POST /pos/sales/{saleId}/reveal` shows it to people with the right. ERASED: the shop no longer keeps
 * it; UNREADABLE: the key it is encrypted with is missing. MISSING: it was delivered, and the provider's
 * answer has no code that can be used: only the provider can give it.
 */
const DETAILS_STATES = ["NONE", "SHOWN", "HIDDEN", "ERASED", "UNREADABLE", "MISSING"] as const;
const DetailsState = Type.Enum(DETAILS_STATES);
export type DetailsState = Static<typeof DetailsState>;

/** A line of a sale as the till shows it. `price` is before the discount. */
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
    Type.String({ description: "What a bill is for, as the catalog says it: Electricity" }),
  ),
  area: Type.Optional(EsimArea),
  recipientPhoneNumber: Type.Optional(Type.String({ description: "Of a top-up" })),
  recipientFormatted: Type.String({
    description: "Whom or what it is for: a number, account or eSIM; empty when it is for nobody",
  }),
  fields: Type.Optional(Type.Array(VoucherField)),
  iccid: Type.Optional(Type.String({ description: "The eSIM that the plan is added to" })),
  value: Type.Optional(PurchaseValue),
  numberCheck: Type.Optional(NumberCheck),
  price: MinorAmount,
  discount: MinorAmount,
  fee: Type.Optional(
    Type.Integer({
      description: "Of a bill: what of `price` is for paying it; absent where nothing is",
    }),
  ),
  send: MinorAmount,
  sendCurrency: CurrencyCode,
  sendCurrencyDivisor: CurrencyDivisor,
  due: Type.Optional(
    Type.Integer({
      description: "Of a bill: what was due when it was paid, in the unit of `send`",
    }),
  ),
  status: TransactionStatus,
  outcome: Outcome,
  slowAfter: Timestamp,
  keepTryingUntil: Timestamp,
  beingFoundOut: Type.Optional(
    Type.Boolean({
      description:
        "Its 24 hours are over and nobody knows its outcome: the provider is being asked",
    }),
  ),
  nextAttemptAt: Type.Optional(Timestamp),
  finishedAt: Type.Optional(Timestamp),
  confirmationNumber: Type.Optional(Type.String()),
  referenceNumber: Type.Optional(Type.String({ description: "The provider's own" })),
  noConfirmation: Type.Optional(
    Type.Boolean({ description: "It was delivered, and the provider sent no confirmation number" }),
  ),
  details: DetailsState,
  detailsUntil: Type.Optional(Timestamp),
  voucher: Type.Optional(VoucherDetails),
  esim: Type.Optional(EsimDetails),
  refunded: Type.Boolean({ description: "Its money was handed back" }),
  failure: Type.Optional(
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      shortBy: Type.Optional(MinorAmount),
      available: Type.Optional(MinorAmount),
      currency: Type.Optional(CurrencyCode),
      currencyDivisor: Type.Optional(CurrencyDivisor),
    }),
  ),
});
export type SaleLine = Static<typeof SaleLine>;
