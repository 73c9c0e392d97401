import { queryOptions } from "@tanstack/react-query";
import type {
  StaffChange,
  StaffInput,
  StaffList,
  StaffMember,
} from "../../../../server/contract/pos/staff.ts";
import { request } from "../../../lib/api-client.ts";

export function staffQuery() {
  return queryOptions({
    queryKey: ["staff"],
    queryFn: ({ signal }) => request<StaffList>("GET", "/pos/staff", { signal }),
    staleTime: 10_000,
  });
}

export function addStaff(input: StaffInput): Promise<StaffMember> {
  return request<StaffMember>("POST", "/pos/staff", { body: input });
}

export interface StaffUpdate {
  readonly staffId: string;
  readonly change: StaffChange;
}

export function changeStaff({ staffId, change }: StaffUpdate): Promise<StaffMember> {
  return request<StaffMember>("PATCH", `/pos/staff/${encodeURIComponent(staffId)}`, {
    body: change,
  });
}
