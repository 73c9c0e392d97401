import { staffOperations } from "../../../contract/pos/staff.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
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
