import { approvalOperations } from "../../../contract/pos/approvals.ts";
import { staffOperations } from "../../../contract/pos/staff.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { ApprovalService } from "./approval-service.ts";
import type { StaffService } from "./staff-service.ts";

interface StaffRoutesDeps {
  accountId: string;
  staff: StaffService;
}

export function registerStaffRoutes(app: App, { accountId, staff }: StaffRoutesDeps): void {
  handle(app, staffOperations.listNames, async () => ({
    list: await staff.listNames(accountId),
  }));

  handle(app, staffOperations.list, async () => ({ list: await staff.list(accountId) }));

  handle(app, staffOperations.add, ({ actor, body }) => staff.add(actor, body));

  handle(app, staffOperations.change, ({ actor, params, body }) =>
    staff.change(actor, params.staffId, body),
  );
}

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
