import { approvalOperations } from "../../../contract/pos/approvals.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { ApprovalService } from "./approval-service.ts";

export function registerApprovalRoutes(app: App, approvals: ApprovalService): void {
  handle(app, approvalOperations.listApprovers, async ({ actor, query }) => ({
    list: await approvals.listApprovers(actor, query.needs),
  }));

  handle(app, approvalOperations.approve, async ({ actor, body, request, reply }) => {
    const given = await approvals.approve(actor, body, placeOf(request));
    setDeviceCookie(reply, given.deviceToken);
    return given.approval;
  });
}
