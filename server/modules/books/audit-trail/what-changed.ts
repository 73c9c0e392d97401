import type { AuditDetail } from "./audit-store.ts";

/**
 * What a change made of some values, for an entry of the audit trail: each that differs by its name
 * as it is now, and what it was as `name.was`. A value that is gone has only what it was.
 */
export function whatChanged(before: AuditDetail, after: AuditDetail): AuditDetail {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const [was, now] = [before[name], after[name]];
      if (was === now) return [];
      return [
        ...(now === undefined ? [] : [[name, now] as const]),
        ...(was === undefined ? [] : [[`${name}.was`, was] as const]),
      ];
    }),
  );
}
