import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";

/** Origin of a PIN attempt: the source address and the device. */
export interface Place {
  /** Address or network of a subscriber, see `sourceOf`. */
  source: string;
  /** Digest of the browser's device cookie, which this gateway may not have issued. */
  device: string | undefined;
  /**
   * Id of the enrolled device. If present, PIN attempts are counted by it instead of the cookie.
   */
  enrolled?: string;
}

export function deviceOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

const ONE_SUBSCRIBER_BITS = 64;

/**
 * Returns the source by which attempts are counted: an IPv4 address, or the network of an IPv6
 * address, because a client owns the whole network.
 */
export function sourceOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const bytes = parsed.toByteArray().fill(0, ONE_SUBSCRIBER_BITS / 8);
  return `${new ipaddr.IPv6(bytes).toString()}/${ONE_SUBSCRIBER_BITS}`;
}
