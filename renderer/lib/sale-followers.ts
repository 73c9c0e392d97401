import type { QueryClient } from "@tanstack/react-query";

/**
 * The `meta` of queries that summarize many sales: visible queries are repeated while sales are
 * made, but not for each sale.
 */
export const FOLLOWS_SALES = { followsSales: true } as const;

/** Time in milliseconds within which several sales cause a single query. */
const TOGETHER_MS = 2_000;

interface SaleFollowers {
  readonly notice: () => void;
  readonly stop: () => void;
}

/** Repeats the queries at most once every two seconds, and always after the last change. */
export function createSaleFollowers(queryClient: QueryClient): SaleFollowers {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    notice: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries({
          predicate: ({ meta }) => meta?.followsSales === true,
        });
      }, TOGETHER_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
