import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";

/** Network source and device of an attempt with a PIN. */
export interface Place {
  /** Address or network of a subscriber, see `sourceOf`. */
  source: string;
  /** Digest of the browser's device cookie, even if this gateway did not issue the cookie. */
  device: string | undefined;
  /** Enrolled device. If present, PIN attempts are counted by device instead of by cookie. */
  enrolled?: string;
}

/** Returns the stored digest of a device cookie. */
export function deviceOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

const ONE_SUBSCRIBER_BITS = 64;

/**
 * Returns the source by which attempts from an address are counted: the IPv4 address itself, or the
 * network of an IPv6 address, because a client owns the whole network.
 */
export function sourceOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const bytes = parsed.toByteArray().fill(0, ONE_SUBSCRIBER_BITS / 8);
  return `${new ipaddr.IPv6(bytes).toString()}/${ONE_SUBSCRIBER_BITS}`;
}
