import type { UpstreamSyncReport } from "../../../contract/pos/upstream.ts";
import type { CatalogRefused } from "../../catalog/catalog/index.ts";
import type { UpstreamCatalog } from "./catalog-reading.ts";

/** What is left out may leave others without their brand: so many times in all. */
export const ROUNDS = 4;
/** Maximum number of left-out items that are named. */
const LEFT_OUT_SHOWN = 20;
/** Maximum number of reasons and deviations that are named. */
const REASONS_SHOWN = 500;

/** An item that cannot be sold correctly, and why. */
export interface LeftOutItem {
  section: string;
  id: string;
  reason: string;
}

/** Facts of a sync that its owner sees: items left out, parts that could not be read, deviations. */
export type SyncNotes = Omit<UpstreamSyncReport, "sections">;

export function describeNotes(
  leftOut: readonly LeftOutItem[],
  { unread, deviations }: Pick<Required<SyncNotes>, "unread" | "deviations">,
): SyncNotes {
  const reasons = new Map<string, number>();
  for (const { section, reason } of leftOut) {
    const text = `${section}: ${reason}`;
    reasons.set(text, (reasons.get(text) ?? 0) + 1);
  }
  return {
    leftOut: leftOut
      .slice(0, LEFT_OUT_SHOWN)
      .map(({ section, id, reason }) => `${section} ${id}: ${reason}`),
    leftOutCount: leftOut.length,
    leftOutReasons: largestFirst([...reasons].map(([reason, count]) => ({ reason, count }))),
    unread: unread.slice(0, LEFT_OUT_SHOWN),
    deviations: largestFirst(deviations),
  };
}

function largestFirst<Counted extends { count: number }>(all: readonly Counted[]): Counted[] {
  return all.toSorted((a, b) => b.count - a.count).slice(0, REASONS_SHOWN);
}

/** Removes the items that cannot be sold from a catalog, so that the others can be taken in. */
export function leaveOut(
  catalog: UpstreamCatalog,
  faults: CatalogRefused["faults"],
): LeftOutItem[] {
  const why = new Map<string, string>();
  for (const { path, message } of faults) {
    const [section, index, ...field] = path;
    const key = `${section} ${index}`;
    if (!why.has(key)) why.set(key, `${field.join(".")} ${message}`.trim());
  }
  return Object.entries(catalog).flatMap(([section, items]) => {
    const bad = items.flatMap((item, index) => {
      const reason = why.get(`${section} ${index}`);
      return reason === undefined ? [] : [{ section, id: nameOf(item), reason }];
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
