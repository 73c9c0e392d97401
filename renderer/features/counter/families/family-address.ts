import { FAMILIES, FAMILY_FACTS, type Family } from "../../../../server/contract/pos/families.ts";

/** Family that the till opens for each new customer. Its phone number can be typed in any step. */
export const FIRST_FAMILY = "TOPUP" satisfies Family;

export type SellParam = (typeof FAMILY_FACTS)[Family]["sell"];

// Apart from the plugins: the first screen needs these before the counter's scripts are loaded.
export function familyOfKey(key: string): Family | undefined {
  return FAMILIES.find((family) => FAMILY_FACTS[family].key === key);
}

export function familyOfParam(sell: unknown): Family {
  return FAMILIES.find((family) => FAMILY_FACTS[family].sell === sell) ?? FIRST_FAMILY;
}

export function paramOfFamily(family: Family): SellParam {
  return FAMILY_FACTS[family].sell;
}
