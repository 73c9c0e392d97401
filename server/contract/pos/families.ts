import { type Static, Type } from "typebox";

/**
 * Families that the till sells, in display order. This is the only list: code that needs all families uses
 * `Record<Family, …>`, so that the compiler reports every place that a new family needs.
 */
export const FAMILIES = ["TOPUP", "VOUCHER", "ESIM", "BILL_PAY"] as const;
export const Family = Type.Enum(FAMILIES);
export type Family = Static<typeof Family>;

/** Returns a record with the same value for each family. */
export function perFamily<Value>(value: Value): Record<Family, Value> {
  return { TOPUP: value, VOUCHER: value, ESIM: value, BILL_PAY: value };
}

interface FamilyFacts {
  /** Path segment in `/v1`, and section of a catalog file. */
  readonly path: string;
  /** Tag of its operations in the description of `/v1`. */
  readonly tag: string;
  /** Description of that tag. */
  readonly about: string;
  /** Part of its operation and record names, as in `listTopupOffers` and `TopupPurchase`. */
  readonly name: string;
  /** Its name in a sentence: "a top-up offer". */
  readonly words: string;
  /** True if promotions of a brand apply to it; bills of the same brand are not promoted. */
  readonly isPromoted: boolean;
  /** Kind of a line's recipient: a phone number, an eSIM, or values of fields. */
  readonly recipientKind: "number" | "esim" | "fields";
  /** True if it delivers money, as an amount in a currency; an eSIM delivers none. */
  readonly deliversMoney: boolean;
  /** The means by which the customer uses a delivery: a code or link, an eSIM profile, or no further step. */
  readonly redeemedBy: "code" | "profile" | "nothing";
}

/** Public facts of each family, for `/v1`, the catalog and the till. */
export const FAMILY_FACTS = {
  TOPUP: {
    path: "topups",
    tag: "Topups",
    about: "Mobile top-ups, bundles and data",
    name: "Topup",
    words: "a top-up",
    isPromoted: true,
    recipientKind: "number",
    deliversMoney: true,
    redeemedBy: "nothing",
  },
  VOUCHER: {
    path: "vouchers",
    tag: "Vouchers",
    about: "Digital gift cards and utility payments",
    name: "Voucher",
    words: "a voucher",
    isPromoted: true,
    recipientKind: "fields",
    deliversMoney: true,
    redeemedBy: "code",
  },
  ESIM: {
    path: "esim",
    tag: "eSIM",
    about: "Data plans on an eSIM",
    name: "Esim",
    words: "an eSIM",
    isPromoted: true,
    recipientKind: "esim",
    deliversMoney: false,
    redeemedBy: "profile",
  },
  BILL_PAY: {
    path: "billpay",
    tag: "BillPay",
    about: "Bills of utilities and others",
    name: "BillPay",
    words: "a bill-pay",
    isPromoted: false,
    recipientKind: "fields",
    deliversMoney: true,
    redeemedBy: "nothing",
  },
} as const satisfies Record<Family, FamilyFacts>;

/** Returns a family's name without its article: "top-up". */
export function wordsOf(family: Family): string {
  return FAMILY_FACTS[family].words.replace(/^an? /, "");
}

/** Families to which promotions of their brand apply. */
export const PROMOTED_FAMILIES = FAMILIES.filter((family) => FAMILY_FACTS[family].isPromoted);
