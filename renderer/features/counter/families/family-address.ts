import { FAMILIES, FAMILY_FACTS, type Family } from "../../../../server/contract/pos/families.ts";

/**
 * Keys and addresses of families. The first screen needs them before the scripts of the counter,
 * and thus the families' plugins, are loaded.
 */

/** Family that the till opens for each new customer. Its phone number can be typed in any step. */
export const FIRST_FAMILY = "TOPUP" satisfies Family;

export type SellParam = (typeof FAMILY_FACTS)[Family]["sell"];

export function familyOfKey(key: string): Family | undefined {
  return FAMILIES.find((family) => FAMILY_FACTS[family].key === key);
}

export function familyOfParam(sell: unknown): Family {
  return FAMILIES.find((family) => FAMILY_FACTS[family].sell === sell) ?? FIRST_FAMILY;
}

export function paramOfFamily(family: Family): SellParam {
  return FAMILY_FACTS[family].sell;
}
