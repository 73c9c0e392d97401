import "@fastify/cookie";
import type { FastifyRequest } from "fastify";
import { Problem } from "../contract/problem.ts";
import type { KeyService } from "../modules/keys/index.ts";
import type { ShopService } from "../modules/shop/index.ts";
import type { SessionService } from "../modules/staff/index.ts";
import { SESSION_COOKIE } from "./staff-guard.ts";

const BEARER = /^Bearer ([\x21-\x7e]{1,256})$/i;

/** `Authorization: Bearer <API_KEY>` on every operation of `/v1` (spec §5). */
export function createKeyAuthenticator(keys: KeyService) {
  return async function authenticateKey(request: FastifyRequest): Promise<void> {
    const key = BEARER.exec(request.headers.authorization ?? "")?.[1];
    if (key === undefined) {
      throw new Problem("NOT_AUTHORIZED", "Send your API key as Authorization: Bearer <API_KEY>.");
    }
    request.principal = await keys.authenticate(key, request.ip);
  };
}

/** Recognises the till's session cookie, where there is one. */
export function createCashierRecognizer(sessions: SessionService, shop: ShopService) {
  return async function recognizeCashier(request: FastifyRequest): Promise<void> {
    const token = request.cookies[SESSION_COOKIE];
    const session = token === undefined ? undefined : await sessions.find(token);
    if (!session) return;
    const { tillEnvironment } = await shop.get(session.accountId);
    const { staff, ...rest } = session;
    const environment = session.training ? "test" : tillEnvironment;
    request.cashier = { ...rest, ...staff, environment };
  };
}
