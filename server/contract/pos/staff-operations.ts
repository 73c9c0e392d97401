import { defineOperation } from "./operation.ts";
import {
  StaffChange,
  StaffInput,
  StaffList,
  StaffMember,
  StaffNames,
  StaffParams,
} from "./staff.ts";

/** The people of the shop: their names for the lock screen, everything for the owner. */
export const staffOperations = {
  listNames: defineOperation({
    method: "GET",
    path: "/staff/names",
    answer: StaffNames,
    access: "anyone",
    refusals: [],
  }),
  list: defineOperation({
    method: "GET",
    path: "/staff",
    answer: StaffList,
    access: "owner",
    refusals: [],
  }),
  add: defineOperation({
    method: "POST",
    path: "/staff",
    body: StaffInput,
    answer: StaffMember,
    access: "owner",
    asksPin: "always",
    refusals: ["NAME_TAKEN", "PIN_WEAK"],
  }),
  change: defineOperation({
    method: "PATCH",
    path: "/staff/:staffId",
    params: StaffParams,
    body: StaffChange,
    answer: StaffMember,
    access: "owner",
    asksPin: "always",
    refusals: ["NOT_FOUND", "NAME_TAKEN", "PIN_WEAK", "LAST_OWNER"],
  }),
};
