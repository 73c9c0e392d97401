import type { QueryClient } from "@tanstack/react-query";

/**
 * The `meta` of queries whose answer is made of many sales: while sales are made, those on the screen
 * are asked for again, and not for each sale.
 */
export const FOLLOWS_SALES = { followsSales: true } as const;

/** Sales of so long are asked for once. */
const TOGETHER_MS = 2_000;

interface SaleFollowers {
  /** A sale, the wallet or a shift changed. */
  readonly notice: () => void;
  readonly stop: () => void;
}

/** Asks for what follows sales again, at most once every two seconds, and always after the last. */
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
