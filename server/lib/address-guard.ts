import ipaddr from "ipaddr.js";

/** Which addresses may be called beside those of the open internet. */
export interface AddressPolicy {
  /** Addresses of this machine and of private networks, if their owner says so. */
  allowPrivate: boolean;
  /** Nothing of the open internet is called: what is sent is for this place only. */
  privateOnly?: boolean;
}

const OWN_NETWORKS: readonly string[] = ["loopback", "private", "uniqueLocal", "carrierGradeNat"];

/** Where clouds tell a machine its secrets, beside link-local 169.254.169.254: never called. */
const METADATA: readonly string[] = [
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd20:ce::254",
].map((address) => ipaddr.parse(address).toNormalizedString());

/**
 * Why an address may not be called; undefined when it may. Public unicast is allowed unless only
 * private addresses are, everything else has to be named: link-local, multicast, reserved and tunnelled addresses never are.
 * @param address an IP address in any spelling, without brackets
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

/** The IPv4 address inside an IPv6 one that stands for it: mapped, or by way of a NAT64. */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (!address.match(ipaddr.IPv6.parseCIDR("64:ff9b::/96"))) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const range = address.range();
  if (range !== "unicast" || address instanceof ipaddr.IPv4) return range;
  // The old spelling `::1.2.3.4` of an IPv4 address counts as unicast there.
  return address.match(ipaddr.IPv6.parseCIDR("::/96")) ? "reserved" : range;
}
