import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { type AuditAction, auditOperations } from "../../../../server/contract/pos/audit-trail.ts";
import { staffOperations } from "../../../../server/contract/pos/staff.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";

const PAGE = 50;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Filter of the audit trail. `day` is a day of this till's clock, as YYYY-MM-DD. */
export interface AuditFilter {
  readonly staffId?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly day?: string | undefined;
}

export function auditQuery({ staffId, action, day }: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: queryKeyOf(auditOperations.list, { query: { staffId, action, ...endsOf(day) } }),
    queryFn: ({ pageParam, signal }) =>
      call(auditOperations.list, {
        query: { staffId, action, ...endsOf(day), before: pageParam, limit: PAGE },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.more ? page.list.at(-1)?.entryId : undefined),
    staleTime: 0,
  });
}

export function peopleQuery() {
  return queryOptions({
    ...operationQuery(staffOperations.list),
    staleTime: 10_000,
  });
}

/** Returns start and end of a local day, which may have 23 or 25 hours. */
function endsOf(day: string | undefined): { since?: string; until?: string } {
  if (!day) {
    return {};
  }
  const since = new Date(`${day}T00:00`);
  const next = new Date(since.getTime() + DAY_MS * 1.5);
  next.setHours(0, 0, 0, 0);
  return { since: since.toISOString(), until: next.toISOString() };
}
