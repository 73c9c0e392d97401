import type {
  BillPayOffer,
  BillPayPurchase,
  BillPayPurchaseInput,
  EsimOffer,
  EsimPurchase,
  EsimPurchaseInput,
  TopupOffer,
  TopupPurchase,
  TopupPurchaseInput,
  VoucherOffer,
  VoucherPurchase,
  VoucherPurchaseInput,
} from "./v1.ts";

/** The product families, by their names in the API's paths. */
export interface Families {
  topups: { offer: TopupOffer; input: TopupPurchaseInput; purchase: TopupPurchase };
  vouchers: { offer: VoucherOffer; input: VoucherPurchaseInput; purchase: VoucherPurchase };
  esim: { offer: EsimOffer; input: EsimPurchaseInput; purchase: EsimPurchase };
  billpay: { offer: BillPayOffer; input: BillPayPurchaseInput; purchase: BillPayPurchase };
}

export type Family = keyof Families;

/** A purchase as the caller states it. A `transactionId` is generated when it is left out. */
export type PurchaseInput<F extends Family> = Omit<Families[F]["input"], "transactionId"> & {
  readonly transactionId?: string;
};

export type Purchase<F extends Family> = Families[F]["purchase"];
