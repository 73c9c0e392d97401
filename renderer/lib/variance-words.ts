import type { Translate } from "./i18n.ts";

/**
 * Describes the difference of a drawer count.
 * @param variance counted cash minus expected cash; undefined without a count
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
