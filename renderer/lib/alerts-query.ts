import { queryOptions } from "@tanstack/react-query";
import {
  type AlertList,
  alertKindsFor,
  alertOperations,
} from "../../server/contract/pos/alerts.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { operationQuery } from "./operation-query.ts";

/** Interval of requests until the gateway has completed its first check. */
const CHECKING_MS = 2_000;

export function alertsQuery() {
  return queryOptions({
    ...operationQuery(alertOperations.list),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.isChecking ? CHECKING_MS : false),
  });
}

/** Returns whether a person receives any alerts; always false in training. */
export function hasAlerts({ staff, rights, training }: PosSession): boolean {
  return !training && alertKindsFor({ role: staff.role, rights }).length > 0;
}

export function countAlerts(list: AlertList | undefined): { count: number; isUrgent: boolean } {
  const heard = list?.open.filter(({ silenced }) => silenced === undefined) ?? [];
  return { count: heard.length, isUrgent: heard.some(({ level }) => level === "URGENT") };
}
