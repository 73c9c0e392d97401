import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { POS_PREFIX } from "../contract/pos/operation.ts";
import { DAY, SECOND } from "../lib/clock.ts";
import { deviceOf, type Place, sourceOf } from "../lib/place.ts";

const DEVICE_COOKIE = "tillgate_device";
/** Browsers keep a cookie for at most 400 days. */
const KEPT_S = (400 * DAY) / SECOND;

const COOKIE = { path: POS_PREFIX, httpOnly: true, sameSite: "strict", maxAge: KEPT_S } as const;

export function placeOf(request: FastifyRequest): Place {
  const enrolled = request.device?.deviceId;
  if (enrolled !== undefined) {
    return { source: `device ${enrolled}`, device: deviceOf(enrolled), enrolled };
  }
  const token = request.cookies[DEVICE_COOKIE];
  return { source: sourceOf(request.ip), device: token ? deviceOf(token) : undefined };
}

/** Sets a cookie that identifies a browser in which a person has entered a correct PIN. */
export function setDeviceCookie(reply: FastifyReply, token: string | undefined): void {
  if (token !== undefined) reply.setCookie(DEVICE_COOKIE, token, COOKIE);
}
