import type { Translate } from "./i18n.ts";

/**
 * Whether a drawer was right, in plain words.
 * @param variance what was counted beyond what should be there; undefined when nobody counted
 */
export function varianceWords(
  variance: number | undefined,
  t: Translate,
  money: (minor: number) => string,
): string {
  if (variance === undefined) {
    return t("shift.z.notCounted");
  }
  if (variance === 0) {
    return t("shift.z.right");
  }
  return t(variance < 0 ? "shift.z.short" : "shift.z.over", { amount: money(Math.abs(variance)) });
}
