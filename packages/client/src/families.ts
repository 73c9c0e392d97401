import type {
  BillPayOffer,
  BillPayPurchase,
  BillPayPurchaseInput,
  BillPayQuote,
  EsimOffer,
  EsimPurchase,
  EsimPurchaseInput,
  EsimQuote,
  paths,
  TopupOffer,
  TopupPurchase,
  TopupPurchaseInput,
  TopupQuote,
  VoucherOffer,
  VoucherPurchase,
  VoucherPurchaseInput,
  VoucherQuote,
} from "./v1.ts";

/** Types of each family, by its name in the API's paths. */
export interface Families {
  topups: {
    offer: TopupOffer;
    input: TopupPurchaseInput;
    purchase: TopupPurchase;
    quote: TopupQuote;
  };
  vouchers: {
    offer: VoucherOffer;
    input: VoucherPurchaseInput;
    purchase: VoucherPurchase;
    quote: VoucherQuote;
  };
  esim: { offer: EsimOffer; input: EsimPurchaseInput; purchase: EsimPurchase; quote: EsimQuote };
  billpay: {
    offer: BillPayOffer;
    input: BillPayPurchaseInput;
    purchase: BillPayPurchase;
    quote: BillPayQuote;
  };
}

/** Families in the API's paths. If `Families` lacks a family, the client does not compile. */
export type Family = {
  [P in keyof paths]: P extends `/v1/${infer Name}/purchases` ? Name : never;
}[keyof paths];

/** Input of a purchase or a quote. If `transactionId` is omitted, the client generates one. */
export type PurchaseInput<F extends Family> = Omit<
  Families[F]["input"],
  "transactionId" | "validateOnly"
> & {
  readonly transactionId?: string;
};

export type Purchase<F extends Family> = Families[F]["purchase"];
export type Quote<F extends Family> = Families[F]["quote"];
