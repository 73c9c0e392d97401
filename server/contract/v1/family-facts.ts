import { FAMILIES, type Family } from "../pos/families.ts";

interface FamilyFacts {
  /** Its part of the paths of `/v1`, and the section of a catalog file that its offers are in. */
  readonly path: string;
  /** Under which its operations stand in the description of `/v1`. */
  readonly tag: string;
  /** Part of its operations' names, as in `listTopupOffers`. */
  readonly name: string;
  /** What one of it is called in a sentence: "a top-up offer". */
  readonly words: string;
  /** Whether promotions of a brand are on it: bills of the same brand are not promoted. */
  readonly isPromoted: boolean;
}

/** What `/v1` and the catalog know each family by. */
export const FAMILY_FACTS = {
  TOPUP: { path: "topups", tag: "Topups", name: "Topup", words: "a top-up", isPromoted: true },
  VOUCHER: {
    path: "vouchers",
    tag: "Vouchers",
    name: "Voucher",
    words: "a voucher",
    isPromoted: true,
  },
  ESIM: { path: "esim", tag: "eSIM", name: "Esim", words: "an eSIM", isPromoted: true },
  BILL_PAY: {
    path: "billpay",
    tag: "BillPay",
    name: "BillPay",
    words: "a bill-pay",
    isPromoted: false,
  },
} as const satisfies Record<Family, FamilyFacts>;

/** What one of a family is called without its article: "top-up". */
export function wordsOf(family: Family): string {
  return FAMILY_FACTS[family].words.replace(/^an? /, "");
}

/** Those that promotions of their brand are on. */
export const PROMOTED_FAMILIES = FAMILIES.filter((family) => FAMILY_FACTS[family].isPromoted);
