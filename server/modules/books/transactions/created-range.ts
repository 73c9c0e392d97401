import type { CreatedAtCondition } from "../../../contract/created-at-filter.ts";

/** Instants from the first on, before the second; undefined where there is no bound. */
export interface CreatedRange {
  from: number | undefined;
  until: number | undefined;
}

/**
 * The whole milliseconds that fit: a filter may name a moment between two of them, which is none of ours and which
 * PostgreSQL refuses to compare with.
 */
export function rangeOf(createdAt: CreatedAtCondition | undefined): CreatedRange {
  if (!createdAt) return { from: undefined, until: undefined };
  const { comparison, instant } = createdAt;
  const after = Math.floor(instant) + 1;
  const atOrAfter = Math.ceil(instant);
  return {
    from: { ">": after, ">=": atOrAfter, "=": atOrAfter }[comparison as string],
    until: { "<=": after, "<": atOrAfter, "=": after }[comparison as string],
  };
}
