import { queryOptions } from "@tanstack/react-query";
import { walletOfficeOperations } from "../../server/contract/pos/wallet-office.ts";
import { operationQuery } from "./operation-query.ts";

const ASK_EVERY_MS = 60_000;

/** Forecast of the wallet. It sums up four weeks, so that it is queried per minute instead of per sale. */
export function walletOverviewQuery() {
  return queryOptions({
    ...operationQuery(walletOfficeOperations.viewOverview),
    staleTime: ASK_EVERY_MS,
    refetchInterval: ASK_EVERY_MS,
  });
}
