import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Favourite, Favourites } from "../../../../server/contract/pos/favourites.ts";
import { request } from "../../../lib/api-client.ts";
import { recentsQuery } from "./counter-queries.ts";

/** Under the recents, as what was last sold to a favourite changes with them. */
export function favouritesQuery() {
  return queryOptions({
    queryKey: [...recentsQuery().queryKey, "favourites"],
    queryFn: ({ signal }) => request<Favourites>("GET", "/pos/favourites", { signal }),
    staleTime: 60_000,
  });
}

export function putFavourite(number: string, name: string): Promise<Favourites> {
  return request<Favourites>("PUT", pathOf(number), { body: { name } });
}

export function deleteFavourite(number: string): Promise<Favourites> {
  return request<Favourites>("DELETE", pathOf(number));
}

/** All of them as the gateway answered; what else shows a name is asked for again. */
export function putFavourites(queryClient: QueryClient, all: Favourites): void {
  queryClient.setQueryData(favouritesQuery().queryKey, all);
  void queryClient.invalidateQueries({ queryKey: recentsQuery().queryKey, exact: true });
  void queryClient.invalidateQueries({ queryKey: ["phone"] });
}

export function nameOf(list: readonly Favourite[] | undefined, number: string): string | undefined {
  return list?.find((one) => one.number === number)?.name;
}

function pathOf(number: string): string {
  return `/pos/favourites/${encodeURIComponent(number)}`;
}
