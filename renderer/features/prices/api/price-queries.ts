import { queryOptions } from "@tanstack/react-query";
import type { Environment } from "../../../../server/contract/common.ts";
import {
  type CatalogSwitch,
  officeCatalogOperations,
} from "../../../../server/contract/pos/office-catalog.ts";
import {
  type PricePreviewInput,
  priceOperations,
} from "../../../../server/contract/pos/price-lists.ts";
import { providerOperations } from "../../../../server/contract/pos/providers.ts";
import { searchOperations } from "../../../../server/contract/pos/search-index.ts";
import { tillEnvironmentOperations } from "../../../../server/contract/pos/till-environment.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";

/** Long, because the gateway prices every offer twice, in between other work. */
const PREVIEW_TIMEOUT_MS = 60_000;

/** Queries to invalidate after a list or rate is saved. */
export const PRICE_ANSWERS = [
  priceOperations.get,
  priceOperations.listVersions,
  priceOperations.getRate,
  priceOperations.explain,
  priceOperations.preview,
  priceOperations.listOffers,
  priceOperations.listBlocked,
  searchOperations.getIndex,
];

export function priceListQuery(environment: Environment) {
  return queryOptions(operationQuery(priceOperations.get, { params: { environment } }));
}

export const VERSIONS_PAGE = 20;

export function priceVersionsQuery(environment: Environment, page: number) {
  const query = { _limit: VERSIONS_PAGE, _offset: page * VERSIONS_PAGE };
  return queryOptions(
    operationQuery(priceOperations.listVersions, { params: { environment }, query }),
  );
}

/** Query of a saved version, which never changes. */
export function priceVersionQuery(environment: Environment, version: number) {
  const params = { environment, version: String(version) };
  return queryOptions({
    ...operationQuery(priceOperations.getVersion, { params }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Query of a draft's effect on prices, which is never cached. */
export function pricePreviewQuery(environment: Environment, body: PricePreviewInput) {
  const input = { params: { environment }, body };
  return queryOptions({
    queryKey: queryKeyOf(priceOperations.preview, input),
    queryFn: ({ signal }) =>
      call(priceOperations.preview, { ...input, signal, timeoutMs: PREVIEW_TIMEOUT_MS }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

export function priceRateQuery(environment: Environment) {
  return queryOptions({
    queryKey: queryKeyOf(priceOperations.getRate, { params: { environment } }),
    queryFn: ({ signal }) =>
      call(priceOperations.getRate, {
        params: { environment },
        signal,
        timeoutMs: PREVIEW_TIMEOUT_MS,
      }),
  });
}

/** Offers that are not for sale because of their price. */
export function blockedOffersQuery(environment: Environment) {
  return queryOptions(operationQuery(priceOperations.listBlocked, { params: { environment } }));
}

export function undoHiding(environment: Environment, { sequence }: CatalogSwitch) {
  const params = { environment, sequence: String(sequence) };
  return call(officeCatalogOperations.undoSwitch, { params });
}

export function soldOffersQuery(environment: Environment) {
  return queryOptions(operationQuery(priceOperations.listOffers, { params: { environment } }));
}

export function setRate(rate: string): Promise<{ rate: string }> {
  return call(tillEnvironmentOperations.setRate, { body: { rate } });
}

/** Costs of a live product at the providers that state it; empty if only one does. */
export function productCostsQuery(offerId: string) {
  return queryOptions(operationQuery(providerOperations.getCosts, { query: { offerId } }));
}
