import type {} from "@fastify/cookie";
import type { FastifyRequest } from "fastify";
import type { Environment } from "../contract/common.ts";
import { Problem } from "../contract/problem.ts";
import type { SignedInActor } from "../http/app-types.ts";
import { SESSION_COOKIE } from "../http/staff-guard.ts";
import type { KeyService } from "../modules/shop/keys/index.ts";
import type { ShopService } from "../modules/shop/shop/index.ts";
import type { Session, SessionService } from "../modules/shop/staff/index.ts";

const BEARER = /^Bearer +([\x21-\x7e]{1,256}) *$/i;

/**
 * Returns a hook that requires `Authorization: Bearer <API_KEY>` on every operation of `/v1`
 * (rules#access-api-key).
 */
export function createKeyAuthenticator(keys: KeyService) {
  async function authenticateUnknown(request: FastifyRequest, key: string): Promise<void> {
    request.client = await keys.authenticate(key, request.ip);
  }

  /** Calls `done` synchronously if the key is known, as for almost every request. */
  return function authenticateKey(
    request: FastifyRequest,
    _reply: unknown,
    done: () => void,
  ): Promise<void> | undefined {
    const key = BEARER.exec(request.headers.authorization ?? "")?.[1];
    if (key === undefined) {
      throw new Problem("NOT_AUTHORIZED", "Send your API key as Authorization: Bearer <API_KEY>.");
    }
    request.client = keys.recall(key, request.ip);
    if (!request.client) return authenticateUnknown(request, key);
    done();
    return undefined;
  };
}

interface Services {
  sessions: SessionService;
  shop: ShopService;
}

export function createCashierRecognizer({ sessions, shop }: Services) {
  return async function recognizeCashier(request: FastifyRequest): Promise<void> {
    const token = request.cookies[SESSION_COOKIE];
    const session = token === undefined ? undefined : await sessions.find(token);
    // A session is valid only on its own device.
    if (session?.deviceId !== request.device?.deviceId) return;
    if (session) request.actor = await toActor(session, shop);
  };
}

/**
 * Returns a function that finds the sessions that are still valid, with their environment. Needed
 * for streams, which last longer than one request.
 */
export function createCashierFinder({ sessions, shop }: Services) {
  return async function findActors(hashes: readonly string[]): Promise<Map<string, SignedInActor>> {
    const found = await sessions.findAllByHash(hashes);
    const accounts = new Set([...found.values()].map(({ accountId }) => accountId));
    const tills = new Map<string, Environment>();
    for (const accountId of accounts) {
      tills.set(accountId, (await shop.get(accountId)).tillEnvironment);
    }
    return new Map(
      [...found].flatMap(([hash, session]) => {
        const till = tills.get(session.accountId);
        return till ? [[hash, actorOfSession(session, till)]] : [];
      }),
    );
  };
}

async function toActor(session: Session, shop: ShopService): Promise<SignedInActor> {
  return actorOfSession(session, (await shop.get(session.accountId)).tillEnvironment);
}

function actorOfSession({ staff, ...session }: Session, till: Environment): SignedInActor {
  return { ...session, ...staff, environment: session.training ? "test" : till };
}
