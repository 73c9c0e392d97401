import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { POS_PREFIX } from "../contract/pos/operation.ts";
import { Problem } from "../contract/problem.ts";
import { doorOf, isOfReceipt, nothingThere } from "./doors.ts";

/** Only by TLS, only to this host, and to no script. */
const KEY_COOKIE = "__Host-tillgate_key";
/** The longest that browsers keep one. */
const KEPT_S = 34_560_000;

interface Devices {
  /** The device of a key, while it is let in; its connections end when it no longer is. */
  admit(key: string, address: string, socket: Socket): Promise<{ deviceId: string } | undefined>;
}

interface Receipts {
  /** Whether the shop has an address under which customers reach the pages of receipts. */
  hasAddress(): Promise<boolean>;
}

/**
 * On the tills' listener nothing is answered before the device is let in but the page that asks for a
 * code, and the authority's certificate: whatever is asked for, there or not, is answered alike
 * (rules#access-devices). A customer's phone is no device: once an owner has said where customers reach their
 * receipts, who has a link is answered its page (rules#receipt-at-tills-port).
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
      // Browsers forget after 400 days: each time that the till is opened they begin anew.
      if (request.url.split("?", 1)[0] === "/") setKeyCookie(reply, key);
      return undefined;
    }
    if (request.method === "GET" && !request.url.startsWith(`${POS_PREFIX}/`)) {
      return reply.redirect("/enrol", 303);
    }
    throw new Problem("FORBIDDEN", "This device is not let in.");
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
