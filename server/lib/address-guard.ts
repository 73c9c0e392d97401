import ipaddr from "ipaddr.js";

/** Policy for the addresses of outgoing calls. */
export interface AddressPolicy {
  allowPrivate: boolean;
  /** Refuses public addresses, for messages that must stay within the shop. */
  privateOnly?: boolean;
}

const OWN_NETWORKS: readonly string[] = ["loopback", "private", "uniqueLocal", "carrierGradeNat"];

/**
 * Addresses of cloud metadata services, which return a machine's secrets. 169.254.169.254 is
 * refused as a link-local address.
 */
const METADATA: readonly string[] = [
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd20:ce::254",
].map((address) => ipaddr.parse(address).toNormalizedString());

/**
 * Returns the reason why an address must not be called; undefined if it may be called. Always
 * refuses link-local, multicast, reserved and tunnelled addresses.
 * @param address IP address in any notation, without brackets
 */
export function whyRefused(address: string, policy: AddressPolicy): string | undefined {
  if (!ipaddr.isValid(address)) return `${address} is not an address`;
  const target = unwrap(ipaddr.parse(address));
  const range = rangeOf(target);
  if (range === "linkLocal" || METADATA.includes(target.toNormalizedString())) {
    return `${address} is a link-local or cloud-metadata address`;
  }
  if (range === "unicast") {
    return policy.privateOnly ? `${address} is an address of the open internet` : undefined;
  }
  if (!OWN_NETWORKS.includes(range)) return `${address} is not an address of a server`;
  return policy.allowPrivate
    ? undefined
    : `${address} is an address of this machine or of a private network`;
}

/**
 * Returns the IPv4 address inside an IPv4-mapped or NAT64 address; returns other addresses
 * unchanged.
 */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (!address.match(ipaddr.IPv6.parseCIDR("64:ff9b::/96"))) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const range = address.range();
  if (range !== "unicast" || address instanceof ipaddr.IPv4) return range;
  // ipaddr.js treats the deprecated notation `::1.2.3.4` as unicast.
  return address.match(ipaddr.IPv6.parseCIDR("::/96")) ? "reserved" : range;
}
