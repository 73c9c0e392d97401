import { type PosSession, sessionOperations } from "../../../contract/pos/staff.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import { clearSessionCookie, SESSION_COOKIE, setSessionCookie } from "../../../http/staff-guard.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { Session, SessionService } from "./session-service.ts";

interface SessionRoutesDeps {
  accountId: string;
  sessions: SessionService;
  shop: { get(accountId: string): Promise<{ tillEnvironment: SignedInActor["environment"] }> };
}

/** Converts a session for the till. Training sells in the test environment. */
export function toPosSession(
  session: Omit<Session, "accountId" | "tokenHash">,
  tillEnvironment: SignedInActor["environment"],
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

export function registerSessionRoutes(
  app: App,
  { accountId, sessions, shop }: SessionRoutesDeps,
): void {
  handle(app, sessionOperations.signIn, async ({ body, request, reply }) => {
    const { token, deviceToken, session, notices } = await sessions.signIn({
      accountId,
      ...body,
      place: placeOf(request),
      over: request.cookies[SESSION_COOKIE],
    });
    setSessionCookie(reply, token);
    setDeviceCookie(reply, deviceToken);
    const { tillEnvironment } = await shop.get(accountId);
    return { ...toPosSession(session, tillEnvironment), ...(notices && { notices }) };
  });

  handle(app, sessionOperations.get, ({ actor }) =>
    toPosSession(toSession(actor), actor.environment),
  );

  handle(app, sessionOperations.signOut, async ({ actor, query, reply }) => {
    await sessions.signOut(toSession(actor), { idle: query.reason === "idle" });
    clearSessionCookie(reply);
    return {};
  });

  handle(app, sessionOperations.changePin, async ({ actor, body }) => {
    await sessions.changePin(actor, body.pin);
    return {};
  });

  handle(app, sessionOperations.confirm, () => ({}));

  handle(app, sessionOperations.train, async ({ actor, body }) => {
    const session = await sessions.train(toSession(actor), body.on);
    return toPosSession(session, (await shop.get(accountId)).tillEnvironment);
  });

  handle(app, sessionOperations.touch, async ({ actor }) => {
    await sessions.touch(actor);
    return {};
  });
}

function toSession(actor: SignedInActor): Session {
  const { accountId, staffId, name, role, expiresAt, tokenHash, training, rights, limits } = actor;
  const staff = { staffId, name, role };
  return { accountId, staff, expiresAt, tokenHash, training, rights, limits };
}
