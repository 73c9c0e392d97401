import { type Static, Type } from "typebox";

/**
 * Product families in display order. This is the only list: other code uses `Record<Family, …>`, so
 * that the compiler reports every place that lacks a new family.
 */
export const FAMILIES = ["TOPUP", "VOUCHER", "ESIM", "BILL_PAY"] as const;
export const Family = Type.Enum(FAMILIES);
export type Family = Static<typeof Family>;

export function perFamily<Value>(value: Value): Record<Family, Value> {
  return { TOPUP: value, VOUCHER: value, ESIM: value, BILL_PAY: value };
}

interface FamilyFacts {
  /** Path segment in `/v1`, and section of a catalog file. */
  readonly path: string;
  /** Tag of the family's operations in the description of `/v1`. */
  readonly tag: string;
  readonly about: string;
  /** Part of the names of operations and records, as in `listTopupOffers` and `TopupPurchase`. */
  readonly name: string;
  /** Name in a sentence: "a top-up offer". */
  readonly words: string;
  /** True if promotions of a brand apply to the family; they never apply to bills. */
  readonly isPromoted: boolean;
  /** Kind of recipient of a line: a phone number, an eSIM, or values of fields. */
  readonly recipientKind: "number" | "esim" | "fields";
  /** True if the family delivers an amount of money; eSIMs deliver none. */
  readonly deliversMoney: boolean;
  /**
   * How the customer uses a delivery: by a code or link, by an eSIM profile,
   * or without a further step.
   */
  readonly redeemedBy: "code" | "profile" | "nothing";
  /** Function key that opens the family at the counter. */
  readonly key: string;
  /** The family in the counter's address, as in `/?sell=topup`. */
  readonly sell: string;
}

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
    key: "F1",
    sell: "topup",
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
    key: "F2",
    sell: "voucher",
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
    key: "F3",
    sell: "esim",
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
    key: "F4",
    sell: "bill",
  },
} as const satisfies Record<Family, FamilyFacts>;

/** Returns a family's name without its article: "top-up". */
export function wordsOf(family: Family): string {
  return FAMILY_FACTS[family].words.replace(/^an? /, "");
}

export const PROMOTED_FAMILIES = FAMILIES.filter((family) => FAMILY_FACTS[family].isPromoted);
