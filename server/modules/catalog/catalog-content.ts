import type { BrandDetail, RedemptionInstructions } from "../../contract/v1/brands.ts";
import type {
  BillPayOffer,
  EsimOffer,
  ProductFamily,
  TopupOffer,
  VoucherOffer,
} from "../../contract/v1/offers.ts";
import type { Promo, PromoDescription } from "../../contract/v1/promos.ts";

/** A brand as the catalog states it, with the texts of its redemption instructions. */
export interface CatalogBrand extends BrandDetail {
  redemptionInstructionInfos: RedemptionInstructions[];
}

/**
 * A promotion as the catalog states it: its status follows from its dates, the currency of its values
 * from the offers that it is on.
 */
export interface CatalogPromo extends Omit<Promo, "status" | "currency" | "currencyDivisor"> {
  /** The languages it exists in besides English. */
  descriptions: PromoDescription[];
}

/** The shape `/v1` serves, as in a catalog file. */
export interface CatalogContent {
  brands: CatalogBrand[];
  topups: TopupOffer[];
  vouchers: VoucherOffer[];
  esim: EsimOffer[];
  billpay: BillPayOffer[];
  promos: CatalogPromo[];
}

/** The sections of a catalog, in the order of a catalog file. */
export const SECTIONS = ["brands", "topups", "vouchers", "esim", "billpay", "promos"] as const;
export type Section = (typeof SECTIONS)[number];

/** One item of each section. */
export type CatalogItems = { [Name in Section]: CatalogContent[Name][number] };

/** Which section a family's offers are in. */
export const SECTION_OF: Record<ProductFamily, Section> = {
  TOPUP: "topups",
  VOUCHER: "vouchers",
  ESIM: "esim",
  BILL_PAY: "billpay",
};
