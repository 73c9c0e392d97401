import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";

/** Where something was typed. */
export interface Place {
  /** One subscriber of a network, see `sourceOf`. */
  source: string;
  /** Digest of the cookie that the browser sent, whether it was made here or not. */
  device: string | undefined;
  /** The device that an owner let in from the network: tries of PINs go by it and by no cookie. */
  enrolled?: string;
}

/** What is kept of the cookie of a device. */
export function deviceOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

const ONE_SUBSCRIBER_BITS = 64;

/**
 * The source that an address stands for: an IPv4 address for itself; of an IPv6 address the network,
 * since a client with one of its addresses has them all.
 */
export function sourceOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const bytes = parsed.toByteArray().fill(0, ONE_SUBSCRIBER_BITS / 8);
  return `${new ipaddr.IPv6(bytes).toString()}/${ONE_SUBSCRIBER_BITS}`;
}
