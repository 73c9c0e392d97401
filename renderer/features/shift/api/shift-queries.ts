import { infiniteQueryOptions } from "@tanstack/react-query";
import {
  type Movement,
  type MovementInput,
  type Shift,
  type ShiftInput,
  shiftOperations,
  type ZReports,
} from "../../../../server/contract/pos/shifts.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";

/** Queries to invalidate after each action on a shift. */
export const SHIFT_ANSWERS = [
  shiftOperations.getCurrent,
  shiftOperations.readX,
  shiftOperations.listMovements,
  shiftOperations.listOpen,
  shiftOperations.listZReports,
];

/** Query of the person's shift, which a `shop` event refreshes. */
export function currentShiftQuery() {
  return { ...operationQuery(shiftOperations.getCurrent), staleTime: Number.POSITIVE_INFINITY };
}

/** Query of the X report, which is refreshed after every sale. */
export function xReportQuery(shiftId: string) {
  return operationQuery(shiftOperations.readX, { params: { shiftId } });
}

export function movementsQuery(shiftId: string) {
  return operationQuery(shiftOperations.listMovements, { params: { shiftId } });
}

/** Query of the open shifts, for owners only. */
export function openShiftsQuery() {
  return operationQuery(shiftOperations.listOpen);
}

const PAGE_SIZE = 30;

/** Query of the Z reports, newest first, for owners only. */
export function zReportsQuery() {
  return infiniteQueryOptions({
    queryKey: queryKeyOf(shiftOperations.listZReports),
    queryFn: ({ pageParam, signal }) =>
      call(shiftOperations.listZReports, {
        query: { limit: PAGE_SIZE, offset: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ limit, offset, total }: ZReports) =>
      offset + limit < total ? offset + limit : undefined,
  });
}

export function openShift(input: ShiftInput): Promise<Shift> {
  return call(shiftOperations.open, { body: input });
}

export function bookMovement(shiftId: string, input: MovementInput): Promise<Movement> {
  return call(shiftOperations.bookMovement, { params: { shiftId }, body: input });
}
