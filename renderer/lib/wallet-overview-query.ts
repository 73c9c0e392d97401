import { queryOptions } from "@tanstack/react-query";
import { walletOfficeOperations } from "../../server/contract/pos/wallet-office.ts";
import { operationQuery } from "./operation-query.ts";

const ASK_EVERY_MS = 60_000;

/** How far the wallet goes. It adds up four weeks, so it is asked for by the minute, not by the sale. */
export function walletOverviewQuery() {
  return queryOptions({
    ...operationQuery(walletOfficeOperations.viewOverview),
    staleTime: ASK_EVERY_MS,
    refetchInterval: ASK_EVERY_MS,
  });
}
