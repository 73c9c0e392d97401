import { queryOptions } from "@tanstack/react-query";
import { shopReportOperations } from "../../../../server/contract/pos/shop-reports.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

const SHOWN = 50;
const ASK_EVERY_MS = 1_000;

/** Polls while a report is being created. */
export function reportsQuery() {
  return queryOptions({
    ...operationQuery(shopReportOperations.list, { query: { _limit: SHOWN, _offset: 0 } }),
    refetchInterval: ({ state }) =>
      state.data?.list.some((report) => report.state === "REQUESTED") ? ASK_EVERY_MS : false,
  });
}

export function accountingQuery() {
  return operationQuery(shopReportOperations.getAccounting);
}
