import type { QueryClient } from "@tanstack/react-query";
import { counterOperations } from "../../../../server/contract/pos/counter.ts";
import {
  type Favourite,
  type Favourites,
  favouriteOperations,
} from "../../../../server/contract/pos/favourites.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";

export function favouritesQuery() {
  return { ...operationQuery(favouriteOperations.list), staleTime: 60_000 };
}

/** Caches the favourites, and invalidates other cached answers that contain their names. */
export function putFavourites(queryClient: QueryClient, all: Favourites): void {
  queryClient.setQueryData(favouritesQuery().queryKey, all);
  void invalidateAnswers(queryClient, [
    counterOperations.listRecents,
    counterOperations.describePhone,
  ]);
}

export function nameOf(list: readonly Favourite[] | undefined, number: string): string | undefined {
  return list?.find((one) => one.number === number)?.name;
}
