import type { CatalogRefused } from "../catalog/index.ts";
import type { UpstreamCatalog } from "./catalog-reading.ts";

/** What is left out may leave others without their brand: so many times in all. */
export const ROUNDS = 4;
/** How many of what was left out are named. */
export const LEFT_OUT_SHOWN = 20;

/**
 * Takes what cannot be sold out of a catalog: one odd offer does not keep all others old.
 * @returns what was taken out, and why
 */
export function leaveOut(catalog: UpstreamCatalog, faults: CatalogRefused["faults"]): string[] {
  const why = new Map<string, string>();
  for (const { path, message } of faults) {
    const [section, index, ...field] = path;
    const key = `${section} ${index}`;
    if (!why.has(key)) why.set(key, `${field.join(".")} ${message}`);
  }
  return Object.entries(catalog).flatMap(([section, items]: [string, unknown[]]) => {
    const bad = items.flatMap((item, index) => {
      const reason = why.get(`${section} ${index}`);
      return reason === undefined ? [] : [`${section} ${nameOf(item)}: ${reason}`];
    });
    const kept = items.filter((_item, index) => !why.has(`${section} ${index}`));
    items.splice(0, items.length, ...kept);
    return bad;
  });
}

function nameOf(item: unknown): string {
  const { offerId, brand, id } = (item ?? {}) as Record<string, unknown>;
  return String(offerId ?? id ?? brand).slice(0, 128);
}
