import { Type } from "typebox";
import { PosSession, SignInInput, SignOutQuery, TrainingInput } from "../../contract/pos/staff.ts";
import { type App, answers, type Cashier, cashierOf } from "../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../http/device-cookie.ts";
import {
  clearSessionCookie,
  requireStaff,
  SESSION_COOKIE,
  setSessionCookie,
} from "../../http/staff-guard.ts";
import { toTimestamp } from "../../lib/clock.ts";
import type { Session, SessionService } from "./session-service.ts";

interface Parts {
  accountId: string;
  sessions: SessionService;
  shop: { get(accountId: string): Promise<{ tillEnvironment: Cashier["environment"] }> };
}

/** A session as the till knows it. Training sells in the test environment. */
export function toPosSession(
  session: Omit<Session, "accountId" | "tokenHash">,
  tillEnvironment: Cashier["environment"],
): PosSession {
  const { staff, training, rights, limits } = session;
  return {
    staff,
    expiresAt: toTimestamp(session.expiresAt),
    environment: training ? "test" : tillEnvironment,
    training,
    rights,
    limits,
  };
}

/** Signing in and out, training, and being there. */
export function registerSessionRoutes(app: App, { accountId, sessions, shop }: Parts): void {
  const onRequest = requireStaff;

  app.post(
    "/session",
    { schema: { body: SignInInput, response: answers(PosSession) } },
    async (request, reply) => {
      const { token, deviceToken, session, notices } = await sessions.signIn({
        accountId,
        ...request.body,
        place: placeOf(request),
        over: request.cookies[SESSION_COOKIE],
      });
      setSessionCookie(reply, token);
      setDeviceCookie(reply, deviceToken);
      const { tillEnvironment } = await shop.get(accountId);
      return { ...toPosSession(session, tillEnvironment), ...(notices && { notices }) };
    },
  );

  app.get("/session", { onRequest, schema: { response: answers(PosSession) } }, async (request) => {
    const cashier = cashierOf(request);
    return toPosSession(sessionOf(cashier), cashier.environment);
  });

  app.delete(
    "/session",
    { onRequest, schema: { querystring: SignOutQuery, response: answers(Type.Object({})) } },
    async (request, reply) => {
      const idle = request.query.reason === "idle";
      await sessions.signOut(sessionOf(cashierOf(request)), { idle });
      clearSessionCookie(reply);
      return {};
    },
  );

  app.post(
    "/session/training",
    { onRequest, schema: { body: TrainingInput, response: answers(PosSession) } },
    async (request) => {
      const session = await sessions.train(sessionOf(cashierOf(request)), request.body.on);
      return toPosSession(session, (await shop.get(accountId)).tillEnvironment);
    },
  );

  // Sent by the till while somebody touches it, at most every few seconds.
  app.post(
    "/session/activity",
    { onRequest, schema: { response: answers(Type.Object({})) } },
    async (request) => {
      await sessions.touch(cashierOf(request));
      return {};
    },
  );
}

function sessionOf(cashier: Cashier): Session {
  const { accountId, staffId, name, role, expiresAt, tokenHash, training, rights, limits } =
    cashier;
  const staff = { staffId, name, role };
  return { accountId, staff, expiresAt, tokenHash, training, rights, limits };
}
