import { walletOfficeOperations } from "../../server/contract/pos/wallet-office.ts";
import { operationQuery } from "./operation-query.ts";

const ASK_EVERY_MS = 60_000;

/**
 * Forecast of the wallet, which sums up four weeks: queried every minute instead of after each
 * sale.
 */
export function walletOverviewQuery() {
  return {
    ...operationQuery(walletOfficeOperations.viewOverview),
    staleTime: ASK_EVERY_MS,
    refetchInterval: ASK_EVERY_MS,
  };
}
