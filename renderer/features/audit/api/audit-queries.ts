import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { type AuditAction, auditOperations } from "../../../../server/contract/pos/audit-trail.ts";
import { staffOperations } from "../../../../server/contract/pos/staff.ts";
import { call } from "../../../lib/api-client.ts";
import { dayEnds } from "../../../lib/day-ends.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";

const PAGE = 50;

/** Filter of the audit trail. `day` is a day of this till's clock, as YYYY-MM-DD. */
export interface AuditFilter {
  readonly staffId?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly day?: string | undefined;
}

export function auditQuery({ staffId, action, day }: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: queryKeyOf(auditOperations.list, { query: { staffId, action, ...dayEnds(day) } }),
    queryFn: ({ pageParam, signal }) =>
      call(auditOperations.list, {
        query: { staffId, action, ...dayEnds(day), before: pageParam, limit: PAGE },
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
