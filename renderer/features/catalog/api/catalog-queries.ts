import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Environment } from "../../../../server/contract/common.ts";
import {
  type CatalogQuery,
  officeCatalogOperations,
  type SwitchInput,
} from "../../../../server/contract/pos/office-catalog.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";

const OFFERS_PER_PAGE = 200;

/** Queries to invalidate after a switch, a pin or an import. */
export const CATALOG_ANSWERS = [
  officeCatalogOperations.summarize,
  officeCatalogOperations.listOffers,
  officeCatalogOperations.listSwitches,
  officeCatalogOperations.listPins,
  officeCatalogOperations.listUpdates,
];

export type CatalogFilter = Omit<CatalogQuery, "after" | "limit">;

export function summaryQuery(environment: Environment) {
  return operationQuery(officeCatalogOperations.summarize, { params: { environment } });
}

export function offersQuery(environment: Environment, filter: CatalogFilter) {
  const query = { ...filter, limit: OFFERS_PER_PAGE };
  const params = { environment };
  return infiniteQueryOptions({
    queryKey: queryKeyOf(officeCatalogOperations.listOffers, { params, query }),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      call(officeCatalogOperations.listOffers, {
        params,
        query: { ...query, ...(after !== undefined && { after }) },
        signal,
      }),
    getNextPageParam: ({ list, more }) => (more ? list.at(-1)?.offerId : undefined),
  });
}

export function switchesQuery(environment: Environment) {
  return operationQuery(officeCatalogOperations.listSwitches, { params: { environment } });
}

export function switchPreviewQuery(environment: Environment, body: SwitchInput) {
  return operationQuery(officeCatalogOperations.previewSwitch, { params: { environment }, body });
}

export function pinsQuery(environment: Environment) {
  return operationQuery(officeCatalogOperations.listPins, { params: { environment } });
}

export function updatesQuery(environment: Environment) {
  return operationQuery(officeCatalogOperations.listUpdates, { params: { environment } });
}
