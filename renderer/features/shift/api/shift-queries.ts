import { queryOptions } from "@tanstack/react-query";
import type { CurrentShift, Shift, ShiftInput } from "../../../../server/contract/pos/shifts.ts";
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

export function openShift(input: ShiftInput): Promise<Shift> {
  return request<Shift>("POST", "/pos/shifts", { body: input });
}
