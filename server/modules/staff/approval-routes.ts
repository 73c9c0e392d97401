import { Approval, ApprovalInput, ApproversQuery } from "../../contract/pos/approvals.ts";
import { StaffNames } from "../../contract/pos/staff.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../http/device-cookie.ts";
import { requireStaff } from "../../http/staff-guard.ts";
import type { ApprovalService } from "./approval-service.ts";

/** Approvals in place. */
export function registerApprovalRoutes(app: App, approvals: ApprovalService): void {
  const onRequest = requireStaff;

  app.get(
    "/approvers",
    { onRequest, schema: { querystring: ApproversQuery, response: answers(StaffNames) } },
    async (request) => ({
      list: await approvals.listApprovers(cashierOf(request), request.query.needs),
    }),
  );

  app.post(
    "/approvals",
    { onRequest, schema: { body: ApprovalInput, response: answers(Approval) } },
    async (request, reply) => {
      const requester = cashierOf(request);
      const given = await approvals.approve(requester, request.body, placeOf(request));
      setDeviceCookie(reply, given.deviceToken);
      return given.approval;
    },
  );
}
