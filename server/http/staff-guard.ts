import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { POS_PREFIX } from "../contract/pos/operation.ts";
import { type SwitchRight, sells } from "../contract/pos/rights.ts";
import { Problem } from "../contract/problem.ts";
import { doorOf } from "./doors.ts";

export const SESSION_COOKIE = "tillgate_session";

const COOKIE = { path: POS_PREFIX, httpOnly: true, sameSite: "strict" } as const;

export function setSessionCookie(reply: FastifyReply, token: string): void {
  reply.setCookie(SESSION_COOKIE, token, {
    ...COOKIE,
    secure: doorOf(reply.request) !== "machine",
  });
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.clearCookie(SESSION_COOKIE, COOKIE);
}

export async function requireStaff(request: FastifyRequest): Promise<void> {
  if (!request.actor) throw new Problem("NOT_SIGNED_IN", "Sign in with your PIN first.");
}

export async function requireSeller(request: FastifyRequest): Promise<void> {
  await requireStaff(request);
  if (request.actor && !sells(request.actor.role)) {
    throw new Problem("FORBIDDEN", "Only people who sell may do this.");
  }
}

export async function requireBookkeeper(request: FastifyRequest): Promise<void> {
  await requireStaff(request);
  const role = request.actor?.role;
  if (role !== "owner" && role !== "accountant") {
    throw new Problem("FORBIDDEN", "Only an accountant or an owner may do this.");
  }
}

export async function requireOwner(request: FastifyRequest): Promise<void> {
  await requireStaff(request);
  if (request.actor?.role !== "owner") {
    throw new Problem("FORBIDDEN", "Only an owner may do this.");
  }
}

export function requireRight(right: SwitchRight): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    await requireStaff(request);
    if (!request.actor?.rights[right]) {
      throw new Problem("FORBIDDEN", "You do not have the permission for this.", { right });
    }
  };
}
