/** What the counter sells, each with the function key that begins it and its place in the address. */
export const FAMILIES = [
  { family: "TOPUP", key: "F1", sell: "topup" },
  { family: "VOUCHER", key: "F2", sell: "voucher" },
  { family: "ESIM", key: "F3", sell: "esim" },
  { family: "BILL_PAY", key: "F4", sell: "bill" },
] as const;

export type Family = (typeof FAMILIES)[number]["family"];
/** How an address names a family. */
export type SellParam = (typeof FAMILIES)[number]["sell"];

export function familyOfKey(key: string): Family | undefined {
  return FAMILIES.find((one) => one.key === key)?.family;
}

/** The family an address names; a top-up when it names none. */
export function familyOfParam(sell: unknown): Family {
  return FAMILIES.find((one) => one.sell === sell)?.family ?? "TOPUP";
}

export function paramOfFamily(family: Family): SellParam {
  return FAMILIES.find((one) => one.family === family)?.sell ?? "topup";
}
