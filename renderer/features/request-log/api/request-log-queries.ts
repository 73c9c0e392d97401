import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ENVIRONMENTS, type Environment } from "../../../../server/contract/common.ts";
import { keyOperations } from "../../../../server/contract/pos/keys.ts";
import {
  type RequestLogQuery,
  requestLogOperations,
  STATUS_GROUPS,
} from "../../../../server/contract/pos/request-log.ts";
import type { PosSession } from "../../../../server/contract/pos/staff.ts";
import { webhookOperations } from "../../../../server/contract/pos/webhooks.ts";
import { call } from "../../../lib/api-client.ts";
import { dayEnds } from "../../../lib/day-ends.ts";
import type { OfficeSearch } from "../../../lib/office-section.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";

const PAGE = 50;
const DELIVERIES_SHOWN = 20;
const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the chosen environment; the shop's by default. */
export function environmentOf(
  { environment }: OfficeSearch,
  session: Pick<PosSession, "environment">,
): Environment {
  return ENVIRONMENTS.find((one) => one === environment) ?? session.environment;
}

/** Finds by a part of the path, which has a slash, or by a whole id. */
function toTextFilter(text: string) {
  if (text === "") return {};
  if (text.includes("/")) return { path: text };
  return REQUEST_ID.test(text) ? { requestId: text } : { transactionId: text };
}

/** Reads the filters from the URL. */
function toQuery(
  search: OfficeSearch,
  session: PosSession,
): Omit<RequestLogQuery, "limit" | "before"> {
  const { key, status, find = "", day } = search;
  const group = STATUS_GROUPS.find((one) => one === status);
  return {
    environment: environmentOf(search, session),
    ...(key && { keyId: key }),
    ...(group && { status: group }),
    ...dayEnds(day),
    ...toTextFilter(find.trim()),
  };
}

export function requestsQuery(search: OfficeSearch, session: PosSession) {
  const query = toQuery(search, session);
  return infiniteQueryOptions({
    queryKey: queryKeyOf(requestLogOperations.list, { query }),
    queryFn: ({ pageParam, signal }) =>
      call(requestLogOperations.list, {
        query: { ...query, ...(pageParam && { before: pageParam }), limit: PAGE },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });
}

export function requestQuery(requestNo: string) {
  return queryOptions(operationQuery(requestLogOperations.get, { params: { requestNo } }));
}

export function keysQuery() {
  return queryOptions(operationQuery(keyOperations.list));
}

export function deliveriesOfQuery(environment: Environment, transactionId: string) {
  const query = { environment, transactionId, _limit: DELIVERIES_SHOWN, _offset: 0 };
  return queryOptions(operationQuery(webhookOperations.listDeliveries, { query }));
}
