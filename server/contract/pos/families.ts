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

/** What names whom a line is for: a phone number, an eSIM, or what the customer says in fields. */
export type RecipientKind = "number" | "esim" | "fields";

export const RECIPIENT_KINDS: Readonly<Record<Family, RecipientKind>> = {
  TOPUP: "number",
  VOUCHER: "fields",
  ESIM: "esim",
  BILL_PAY: "fields",
};

/** Whether an amount of money is delivered, as a price in a currency; an eSIM delivers none. */
export const DELIVERS_MONEY: Readonly<Record<Family, boolean>> = {
  TOPUP: true,
  VOUCHER: true,
  ESIM: false,
  BILL_PAY: true,
};
