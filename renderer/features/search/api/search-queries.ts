import { queryOptions } from "@tanstack/react-query";
import type { PosSearchIndex } from "../../../../server/contract/pos/search-index.ts";
import { request } from "../../../lib/api-client.ts";

/** Everything that is sold. The browser asks with what it has, so an unchanged one costs nothing. */
export function searchIndexQuery() {
  return queryOptions({
    queryKey: ["offers", "search-index"],
    queryFn: ({ signal }) => request<PosSearchIndex>("GET", "/pos/search-index", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
