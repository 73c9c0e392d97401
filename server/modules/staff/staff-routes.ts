import { Type } from "typebox";
import { Input } from "../../contract/common.ts";
import {
  StaffChange,
  StaffInput,
  StaffList,
  StaffMember,
  StaffNames,
} from "../../contract/pos/staff.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireOwner } from "../../http/staff-guard.ts";
import type { StaffService } from "./staff-service.ts";

interface Parts {
  accountId: string;
  staff: StaffService;
}

/** The people of the shop: their names for the lock screen, everything for the owner. */
export function registerStaffRoutes(app: App, { accountId, staff }: Parts): void {
  app.get("/staff/names", { schema: { response: answers(StaffNames) } }, async () => ({
    list: await staff.listNames(accountId),
  }));

  app.get(
    "/staff",
    { onRequest: requireOwner, schema: { response: answers(StaffList) } },
    async () => ({ list: await staff.list(accountId) }),
  );

  app.post(
    "/staff",
    { onRequest: requireOwner, schema: { body: StaffInput, response: answers(StaffMember) } },
    (request) => staff.add(cashierOf(request), request.body),
  );

  app.patch(
    "/staff/:staffId",
    {
      onRequest: requireOwner,
      schema: {
        params: Input({ staffId: Type.String({ minLength: 1, maxLength: 64 }) }),
        body: StaffChange,
        response: answers(StaffMember),
      },
    },
    (request) => staff.change(cashierOf(request), request.params.staffId, request.body),
  );
}
