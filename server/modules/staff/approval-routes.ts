import { approvalOperations } from "../../contract/pos/approval-operations.ts";
import type { App } from "../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../http/device-cookie.ts";
import { handle } from "../../http/pos-operations.ts";
import type { ApprovalService } from "./approval-service.ts";

/** Approvals in place. */
export function registerApprovalRoutes(app: App, approvals: ApprovalService): void {
  handle(app, approvalOperations.listApprovers, async ({ cashier, query }) => ({
    list: await approvals.listApprovers(cashier, query.needs),
  }));

  handle(app, approvalOperations.approve, async ({ cashier, body, request, reply }) => {
    const given = await approvals.approve(cashier, body, placeOf(request));
    setDeviceCookie(reply, given.deviceToken);
    return given.approval;
  });
}
