import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { POS_PREFIX } from "../contract/pos/operation.ts";
import { Problem } from "../contract/problem.ts";
import { doorOf, isOfReceipt, nothingThere } from "./doors.ts";

/** `__Host-` restricts the cookie to TLS and this host. */
const KEY_COOKIE = "__Host-tillgate_key";
/** 400 days, the longest time for which browsers keep a cookie. */
const KEPT_S = 34_560_000;

interface Devices {
  /** Returns the device of a key. Closes `socket` when the device is revoked. */
  admit(key: string, address: string, socket: Socket): Promise<{ deviceId: string } | undefined>;
}

interface Receipts {
  /** True if customers can open receipt pages at an address of the shop. */
  hasAddress(): Promise<boolean>;
}

/**
 * Guards the tills' listener. Devices that are not enrolled get only the enrolment page and the
 * authority's certificate; every other path gets the same refusal (rules#access-devices). Receipt
 * links also work after an owner has set an address for them (rules#receipt-at-tills-port).
 */
export function createDeviceGuard(devices: Devices, receipts: Receipts) {
  return async function guardDevice(request: FastifyRequest, reply: FastifyReply) {
    if (doorOf(request) !== "till") return undefined;
    if (isOfReceipt(request)) {
      if (await receipts.hasAddress()) return undefined;
      throw nothingThere(request);
    }
    const { url = "" } = request.routeOptions;
    if (url === "/enrol" || url === "/authority.crt") return undefined;
    const key = readKey(request);
    const device = key && (await devices.admit(key, request.ip, request.raw.socket));
    if (device) {
      request.device = device;
      // Opening the till renews the cookie.
      if (request.url.split("?", 1)[0] === "/") setKeyCookie(reply, key);
      return undefined;
    }
    if (request.method === "GET" && !request.url.startsWith(`${POS_PREFIX}/`)) {
      return reply.redirect("/enrol", 303);
    }
    throw new Problem("FORBIDDEN", "This device is not enrolled.");
  };
}

export function setKeyCookie(reply: FastifyReply, key: string): void {
  const rest = `Path=/; Max-Age=${KEPT_S}; HttpOnly; Secure; SameSite=Strict`;
  reply.header("set-cookie", `${KEY_COOKIE}=${key}; ${rest}`);
}

function readKey({ headers }: FastifyRequest): string | undefined {
  const parts = (headers.cookie ?? "").split("; ");
  const found = parts.find((part) => part.startsWith(`${KEY_COOKIE}=`));
  const key = found?.slice(KEY_COOKIE.length + 1) ?? "";
  return /^[\w-]{20,100}$/.test(key) ? key : undefined;
}
