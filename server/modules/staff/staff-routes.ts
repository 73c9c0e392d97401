import { Type } from "typebox";
import { Input } from "../../contract/common.ts";
import {
  PosSession,
  SignInInput,
  StaffChange,
  StaffInput,
  StaffList,
  StaffMember,
  StaffNames,
} from "../../contract/pos/staff.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import {
  clearSessionCookie,
  requireOwner,
  requireStaff,
  setSessionCookie,
} from "../../http/staff-guard.ts";
import { toTimestamp } from "../../lib/clock.ts";
import type { Session, SessionService } from "./session-service.ts";
import type { StaffService } from "./staff-service.ts";

interface Parts {
  accountId: string;
  sessions: SessionService;
  staff: StaffService;
}

function toPosSession(session: Pick<Session, "staff" | "expiresAt">) {
  return { staff: session.staff, expiresAt: toTimestamp(session.expiresAt) };
}

/** Sign-in and staff of the till. */
export function registerStaffRoutes(app: App, { accountId, sessions, staff }: Parts): void {
  app.get("/staff/names", { schema: { response: answers(StaffNames) } }, async () => ({
    list: await staff.listNames(accountId),
  }));

  app.post(
    "/session",
    { schema: { body: SignInInput, response: answers(PosSession) } },
    async (request, reply) => {
      const { staffId, pin } = request.body;
      const { session, token } = await sessions.signIn(accountId, staffId, pin);
      setSessionCookie(reply, token);
      return toPosSession(session);
    },
  );

  app.get(
    "/session",
    { onRequest: requireStaff, schema: { response: answers(PosSession) } },
    async (request) => {
      const { staffId, name, role, expiresAt } = cashierOf(request);
      return toPosSession({ staff: { staffId, name, role }, expiresAt });
    },
  );

  app.delete(
    "/session",
    { onRequest: requireStaff, schema: { response: answers(Type.Object({})) } },
    async (request, reply) => {
      const { staffId, name, role, ...session } = cashierOf(request);
      await sessions.signOut({ ...session, staff: { staffId, name, role } });
      clearSessionCookie(reply);
      return {};
    },
  );

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
