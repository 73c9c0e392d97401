import { settingsOperations } from "../../../../server/contract/pos/settings.ts";
import {
  type StaffChange,
  type StaffMember,
  staffOperations,
} from "../../../../server/contract/pos/staff.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

export function staffQuery() {
  return { ...operationQuery(staffOperations.list), staleTime: 10_000 };
}

/** Changes only the idle lock. */
export async function setIdleLock(idleLockMinutes: number): Promise<void> {
  const settings = await call(settingsOperations.get);
  await call(settingsOperations.change, { body: { ...settings, idleLockMinutes } });
}

export interface StaffUpdate {
  readonly staffId: string;
  readonly change: StaffChange;
}

export function changeStaff({ staffId, change }: StaffUpdate): Promise<StaffMember> {
  return call(staffOperations.change, { params: { staffId }, body: change });
}
