import { type Static, Type } from "typebox";

/**
 * The families that the till sells, in the order in which people are shown them. This is the one
 * list: what has to know each of them is a `Record<Family, …>`, so that the compiler names every
 * place which a new family needs.
 */
export const FAMILIES = ["TOPUP", "VOUCHER", "ESIM", "BILL_PAY"] as const;
export const Family = Type.Enum(FAMILIES);
export type Family = Static<typeof Family>;

/** The same for each family. */
export function perFamily<Value>(value: Value): Record<Family, Value> {
  return { TOPUP: value, VOUCHER: value, ESIM: value, BILL_PAY: value };
}

interface FamilyFacts {
  /** Its part of the paths of `/v1`, and the section of a catalog file that its offers are in. */
  readonly path: string;
  /** Under which its operations stand in the description of `/v1`. */
  readonly tag: string;
  /** What stands beside that tag. */
  readonly about: string;
  /** Part of the names of its operations and records, as in `listTopupOffers` and `TopupPurchase`. */
  readonly name: string;
  /** What one of it is called in a sentence: "a top-up offer". */
  readonly words: string;
  /** Whether promotions of a brand are on it: bills of the same brand are not promoted. */
  readonly isPromoted: boolean;
  /** What names whom a line is for: a phone number, an eSIM, or what the customer says in fields. */
  readonly recipientKind: "number" | "esim" | "fields";
  /** Whether an amount of money is delivered, as a price in a currency; an eSIM delivers none. */
  readonly deliversMoney: boolean;
  /** The means by which the customer uses a delivery: a code or link, an eSIM profile, or no further step. */
  readonly redeemedBy: "code" | "profile" | "nothing";
}

/** What everybody may know of each family: `/v1`, the catalog and the till. */
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

/** What one of a family is called without its article: "top-up". */
export function wordsOf(family: Family): string {
  return FAMILY_FACTS[family].words.replace(/^an? /, "");
}

/** Those that promotions of their brand are on. */
export const PROMOTED_FAMILIES = FAMILIES.filter((family) => FAMILY_FACTS[family].isPromoted);
