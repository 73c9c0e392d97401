import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type {
  CloseInput,
  CurrentShift,
  ForceCloseInput,
  Movement,
  MovementInput,
  Movements,
  OpenShifts,
  Shift,
  ShiftInput,
  XReport,
  ZReport,
  ZReports,
} from "../../../../server/contract/pos/shifts.ts";
import { request } from "../../../lib/api-client.ts";

export const shiftKey = ["shift"] as const;

/** The own open shift. Kept fresh by the `shop` event. */
export function currentShiftQuery() {
  return queryOptions({
    queryKey: [...shiftKey, "current"],
    queryFn: ({ signal }) => request<CurrentShift>("GET", "/pos/shifts/current", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** How an open shift stands; asked for again with every sale. */
export function xReportQuery(shiftId: string) {
  return queryOptions({
    queryKey: [...shiftKey, "x", shiftId],
    queryFn: ({ signal }) => request<XReport>("GET", `/pos/shifts/${shiftId}/x`, { signal }),
    staleTime: 0,
  });
}

export function movementsQuery(shiftId: string) {
  return queryOptions({
    queryKey: [...shiftKey, "movements", shiftId],
    queryFn: ({ signal }) =>
      request<Movements>("GET", `/pos/shifts/${shiftId}/movements`, { signal }),
    staleTime: 0,
  });
}

/** Everybody's open shifts; for owners. */
export function openShiftsQuery() {
  return queryOptions({
    queryKey: [...shiftKey, "open"],
    queryFn: ({ signal }) => request<OpenShifts>("GET", "/pos/shifts", { signal }),
    staleTime: 0,
  });
}

const PAGE_SIZE = 30;

/** The reports of closed shifts, newest first; for owners. */
export function zReportsQuery() {
  return infiniteQueryOptions({
    queryKey: [...shiftKey, "z"],
    queryFn: ({ pageParam, signal }) =>
      request<ZReports>("GET", "/pos/z-reports", {
        query: { limit: PAGE_SIZE, offset: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ limit, offset, total }: ZReports) =>
      offset + limit < total ? offset + limit : undefined,
    staleTime: 0,
  });
}

export function openShift(input: ShiftInput): Promise<Shift> {
  return request<Shift>("POST", "/pos/shifts", { body: input });
}

export function bookMovement(shiftId: string, input: MovementInput): Promise<Movement> {
  return request<Movement>("POST", `/pos/shifts/${shiftId}/movements`, { body: input });
}

export function closeShift(shiftId: string, input: CloseInput): Promise<ZReport> {
  return request<ZReport>("POST", `/pos/shifts/${shiftId}/close`, { body: input });
}

export function forceCloseShift(shiftId: string, input: ForceCloseInput): Promise<ZReport> {
  return request<ZReport>("POST", `/pos/shifts/${shiftId}/force-close`, { body: input });
}
