import { queryOptions } from "@tanstack/react-query";
import type { PosSettings } from "../../../../server/contract/pos/settings.ts";
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

/** Switches the idle lock and leaves every other setting as it is. */
export async function setIdleLock(idleLockMinutes: number): Promise<void> {
  const settings = await request<PosSettings>("GET", "/pos/settings");
  await request("PUT", "/pos/settings", { body: { ...settings, idleLockMinutes } });
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
