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
