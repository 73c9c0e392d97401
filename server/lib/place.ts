import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";

/** Network location and device of an attempt. */
export interface Place {
  /** A subscriber's address or network, see `sourceOf`. */
  source: string;
  /** Digest of the browser's device cookie, whether this gateway issued it or not. */
  device: string | undefined;
  /** Enrolled device: PIN attempts are counted by it instead of the cookie. */
  enrolled?: string;
}

/** Returns the stored digest of a device cookie. */
export function deviceOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

const ONE_SUBSCRIBER_BITS = 64;

/**
 * Returns the counted source of an address: an IPv4 address itself, of an IPv6 address its network, because a
 * client owns the whole network.
 */
export function sourceOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const bytes = parsed.toByteArray().fill(0, ONE_SUBSCRIBER_BITS / 8);
  return `${new ipaddr.IPv6(bytes).toString()}/${ONE_SUBSCRIBER_BITS}`;
}
