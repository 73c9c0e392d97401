import "@fastify/cookie";
import type { FastifyRequest } from "fastify";
import { Problem } from "../contract/problem.ts";
import type { KeyService } from "../modules/keys/index.ts";
import type { ShopService } from "../modules/shop/index.ts";
import type { Session, SessionService } from "../modules/staff/index.ts";
import type { Cashier } from "./app-types.ts";
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
    if (session) request.cashier = await toCashier(session, shop);
  };
}

/** Finds out anew, for what outlasts a request, who works in a session and where it sells by now. */
export function createCashierFinder(sessions: SessionService, shop: ShopService) {
  return async function findCashier(tokenHash: string): Promise<Cashier | undefined> {
    const session = await sessions.findByHash(tokenHash);
    return session && toCashier(session, shop);
  };
}

async function toCashier({ staff, ...session }: Session, shop: ShopService): Promise<Cashier> {
  const { tillEnvironment } = await shop.get(session.accountId);
  return { ...session, ...staff, environment: session.training ? "test" : tillEnvironment };
}
