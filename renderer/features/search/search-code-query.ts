import { queryOptions } from "@tanstack/react-query";

/** It comes with the program, and is no operation of the gateway. */
function codeKey() {
  return ["search-code"] as const;
}

/** What searches in it, which is no part of the first scripts. */
export function searchCodeQuery() {
  return queryOptions({
    queryKey: codeKey(),
    queryFn: async () => (await import("./search-index.ts")).SearchIndex,
    staleTime: Number.POSITIVE_INFINITY,
    retry: true,
  });
}
