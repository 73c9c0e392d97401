import { queryOptions } from "@tanstack/react-query";
import { mailOperations } from "../../../../server/contract/pos/mail.ts";
import { addressOf } from "../../../../server/contract/pos/operation.ts";
import { shopReportOperations } from "../../../../server/contract/pos/shop-reports.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** So many of the newest reports and mails are shown. */
const SHOWN = 50;
/** How often what is on its way is asked about. */
const ASK_EVERY_MS = 1_000;

/** The newest reports; asked for again while one of them is being made. */
export function reportsQuery() {
  return queryOptions({
    ...operationQuery(shopReportOperations.list, { query: { _limit: SHOWN, _offset: 0 } }),
    refetchInterval: ({ state }) =>
      state.data?.list.some((report) => report.state === "REQUESTED") ? ASK_EVERY_MS : false,
  });
}

export function schedulesQuery() {
  return queryOptions(operationQuery(shopReportOperations.listSchedules));
}

export function accountingQuery() {
  return queryOptions(operationQuery(shopReportOperations.getAccounting));
}

/** The mail server and the newest mails; asked for again while one of them waits. */
export function mailQuery() {
  return queryOptions({
    ...operationQuery(mailOperations.get),
    refetchInterval: ({ state }) =>
      state.data?.list.some((mail) => mail.state === "WAITING") ? 5 * ASK_EVERY_MS : false,
  });
}

/** Where a report's file is downloaded. */
export function fileAddress(reportId: string): string {
  return addressOf(shopReportOperations.download, { reportId });
}
