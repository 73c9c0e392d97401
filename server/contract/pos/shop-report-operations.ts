import { Type } from "typebox";
import { AccountingSettings } from "./accounting.ts";
import { defineOperation, NOTHING } from "./operation.ts";
import {
  Schedule,
  ScheduleInput,
  ScheduleParams,
  Schedules,
  ShopReport,
  ShopReportInput,
  ShopReportParams,
  ShopReports,
  ShopReportsQuery,
} from "./shop-reports.ts";

const OF_READERS = { access: "staff", right: "seeFigures" } as const;

/** Reports of the shop's own figures, for people who may see them; what is sent by itself is the owner's. */
export const shopReportOperations = {
  list: defineOperation({
    ...OF_READERS,
    method: "GET",
    path: "/shop-reports",
    query: ShopReportsQuery,
    answer: ShopReports,
    refusals: [],
  }),
  request: defineOperation({
    ...OF_READERS,
    method: "POST",
    path: "/shop-reports",
    body: ShopReportInput,
    answer: ShopReport,
    refusals: [],
  }),
  /** The file; that it was read is recorded. */
  download: defineOperation({
    ...OF_READERS,
    method: "GET",
    path: "/shop-reports/:reportId/file",
    params: ShopReportParams,
    answer: Type.String(),
    refusals: ["NOT_FOUND"],
  }),
  getAccounting: defineOperation({
    ...OF_READERS,
    method: "GET",
    path: "/accounting",
    answer: AccountingSettings,
    refusals: [],
  }),
  setAccounting: defineOperation({
    method: "PUT",
    path: "/accounting",
    body: AccountingSettings,
    answer: AccountingSettings,
    access: "bookkeeper",
    refusals: [],
  }),
  listSchedules: defineOperation({
    method: "GET",
    path: "/report-schedules",
    answer: Schedules,
    access: "owner",
    refusals: [],
  }),
  saveSchedule: defineOperation({
    method: "PUT",
    path: "/report-schedules/:scheduleId",
    params: ScheduleParams,
    body: ScheduleInput,
    answer: Schedule,
    access: "owner",
    refusals: [],
  }),
  removeSchedule: defineOperation({
    method: "DELETE",
    path: "/report-schedules/:scheduleId",
    params: ScheduleParams,
    answer: NOTHING,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  /** Makes and sends its report now, as it would at its time. */
  runSchedule: defineOperation({
    method: "POST",
    path: "/report-schedules/:scheduleId/runs",
    params: ScheduleParams,
    answer: ShopReport,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
};
