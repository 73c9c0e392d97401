import type {
  BillPayOffer,
  BillPayPurchase,
  BillPayPurchaseInput,
  EsimOffer,
  EsimPurchase,
  EsimPurchaseInput,
  paths,
  TopupOffer,
  TopupPurchase,
  TopupPurchaseInput,
  VoucherOffer,
  VoucherPurchase,
  VoucherPurchaseInput,
} from "./v1.ts";

/** Types of each family, by its name in the API's paths. */
export interface Families {
  topups: { offer: TopupOffer; input: TopupPurchaseInput; purchase: TopupPurchase };
  vouchers: { offer: VoucherOffer; input: VoucherPurchaseInput; purchase: VoucherPurchase };
  esim: { offer: EsimOffer; input: EsimPurchaseInput; purchase: EsimPurchase };
  billpay: { offer: BillPayOffer; input: BillPayPurchaseInput; purchase: BillPayPurchase };
}

/** Families in the API's paths. If `Families` lacks a family, the client does not compile. */
export type Family = {
  [P in keyof paths]: P extends `/v1/${infer Name}/purchases` ? Name : never;
}[keyof paths];

/**
 * Input of a purchase. If `transactionId` is omitted, the client generates one. For a quote, send
 * `validateOnly` with `post`.
 */
export type PurchaseInput<F extends Family> = Omit<
  Families[F]["input"],
  "transactionId" | "validateOnly"
> & {
  readonly transactionId?: string;
};

export type Purchase<F extends Family> = Families[F]["purchase"];
