import type en from "../locales/en.json";
import type { Translate } from "./i18n.ts";

/**
 * What a brand sells, in the clerk's language: "Groceries", "Electricity". A kind that the till does
 * not know stands as the catalog says it.
 */
export function kindWords(kind: string, t: Translate): string {
  return kind === "" ? "" : t(`kind.${kind as keyof typeof en.kind}`, { defaultValue: kind });
}
