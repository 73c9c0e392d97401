import { PrintQuery } from "../../contract/pos/sales.ts";
import {
  CloseInput,
  CurrentShift,
  ForceCloseInput,
  Movement,
  MovementInput,
  Movements,
  OpenShifts,
  Shift,
  ShiftInput,
  ShiftParams,
  Unfinished,
  XReport,
  ZReport,
  ZReportParams,
  ZReportPrint,
  ZReports,
  ZReportsQuery,
} from "../../contract/pos/shifts.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireOwner, requireStaff } from "../../http/staff-guard.ts";
import type { ShiftService } from "./shift-service.ts";
import type { ZReportService } from "./z-report-service.ts";

interface Parts {
  shifts: ShiftService;
  zReports: ZReportService;
}

/** Shifts, their cash and their reports. */
export function registerShiftRoutes(app: App, { shifts, zReports }: Parts): void {
  const onRequest = requireStaff;

  app.post(
    "/shifts",
    { onRequest, schema: { body: ShiftInput, response: answers(Shift) } },
    (request) => shifts.open(cashierOf(request), request.body),
  );

  app.get(
    "/shifts",
    { onRequest: requireOwner, schema: { response: answers(OpenShifts) } },
    (request) => shifts.listOpen(cashierOf(request)),
  );

  app.get(
    "/shifts/current",
    { onRequest, schema: { response: answers(CurrentShift) } },
    (request) => shifts.findCurrent(cashierOf(request)),
  );

  app.get(
    "/shifts/:shiftId/x",
    { onRequest, schema: { params: ShiftParams, response: answers(XReport) } },
    (request) => shifts.readX(cashierOf(request), request.params.shiftId),
  );

  app.get(
    "/shifts/:shiftId/movements",
    { onRequest, schema: { params: ShiftParams, response: answers(Movements) } },
    (request) => shifts.listMovements(cashierOf(request), request.params.shiftId),
  );

  app.post(
    "/shifts/:shiftId/movements",
    {
      onRequest,
      schema: { params: ShiftParams, body: MovementInput, response: answers(Movement) },
    },
    (request) => shifts.move(cashierOf(request), request.params.shiftId, request.body),
  );

  app.post(
    "/shifts/:shiftId/close",
    { onRequest, schema: { params: ShiftParams, body: CloseInput, response: answers(ZReport) } },
    (request) => zReports.close(cashierOf(request), request.params.shiftId, request.body),
  );

  app.post(
    "/shifts/:shiftId/force-close",
    {
      onRequest: requireOwner,
      schema: { params: ShiftParams, body: ForceCloseInput, response: answers(ZReport) },
    },
    (request) => zReports.forceClose(cashierOf(request), request.params.shiftId, request.body),
  );

  app.get(
    "/z-reports",
    {
      onRequest: requireOwner,
      schema: { querystring: ZReportsQuery, response: answers(ZReports) },
    },
    (request) => zReports.list(cashierOf(request), request.query),
  );

  app.get(
    "/z-reports/:zNumber",
    { onRequest, schema: { params: ZReportParams, response: answers(ZReport) } },
    (request) => zReports.get(cashierOf(request), Number(request.params.zNumber)),
  );

  app.post(
    "/z-reports/:zNumber/prints",
    {
      onRequest,
      schema: {
        params: ZReportParams,
        querystring: PrintQuery,
        response: answers(ZReportPrint),
      },
    },
    (request) => zReports.print(cashierOf(request), Number(request.params.zNumber), request.query),
  );

  app.get("/unfinished", { onRequest, schema: { response: answers(Unfinished) } }, (request) =>
    shifts.viewUnfinished(cashierOf(request)),
  );
}
