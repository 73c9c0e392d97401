import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ENVIRONMENTS, type Environment } from "../../../../server/contract/common.ts";
import { keyOperations } from "../../../../server/contract/pos/keys.ts";
import {
  requestLogOperations,
  type SandboxRequestQuery,
  STATUS_GROUPS,
} from "../../../../server/contract/pos/request-log.ts";
import { sandboxOperations } from "../../../../server/contract/pos/sandboxes.ts";
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

const SANDBOX_KEY = "sandbox:";

/** Returns the choice of a sandbox's key. No id of a key has a colon. */
export function toSandboxChoice(name: string): string {
  return SANDBOX_KEY + name;
}

/** Returns the name of the chosen sandbox; undefined if the shop's requests are shown. */
export function sandboxOf({ key }: OfficeSearch): string | undefined {
  return key?.startsWith(SANDBOX_KEY) ? key.slice(SANDBOX_KEY.length) : undefined;
}

/** Reads the filters from the URL. */
function toFilters(search: OfficeSearch): Omit<SandboxRequestQuery, "limit" | "before"> {
  const { status, find = "", day } = search;
  const group = STATUS_GROUPS.find((one) => one === status);
  return {
    ...(group && { status: group }),
    ...dayEnds(day),
    ...toTextFilter(find.trim()),
  };
}

export function requestsQuery(search: OfficeSearch, session: PosSession) {
  const name = sandboxOf(search);
  const filters = toFilters(search);
  const { key } = search;
  const query = {
    environment: environmentOf(search, session),
    ...(key && { keyId: key }),
    ...filters,
  };
  return infiniteQueryOptions({
    queryKey:
      name === undefined
        ? queryKeyOf(requestLogOperations.list, { query })
        : queryKeyOf(sandboxOperations.listRequests, { params: { name }, query: filters }),
    queryFn: ({ pageParam, signal }) => {
      const page = { ...(pageParam && { before: pageParam }), limit: PAGE };
      if (name === undefined) {
        return call(requestLogOperations.list, { query: { ...query, ...page }, signal });
      }
      const ofSandbox = { params: { name }, query: { ...filters, ...page }, signal };
      return call(sandboxOperations.listRequests, ofSandbox);
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

export function sandboxRequestQuery(name: string, requestNo: string) {
  const params = { name, requestNo };
  return operationQuery(sandboxOperations.getRequest, { params });
}

export function keysQuery() {
  return operationQuery(keyOperations.list);
}

/** @param sandbox name of the purchase's sandbox; undefined for a purchase of the shop */
export function deliveriesOfQuery(
  environment: Environment,
  sandbox: string | undefined,
  transactionId: string,
) {
  const query = { transactionId, _limit: DELIVERIES_SHOWN, _offset: 0 };
  return queryOptions(
    sandbox === undefined
      ? operationQuery(webhookOperations.listDeliveries, { query: { environment, ...query } })
      : operationQuery(sandboxOperations.listDeliveries, { params: { name: sandbox }, query }),
  );
}
