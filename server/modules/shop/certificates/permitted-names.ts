import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/** Private, link-local and loopback networks, each with its prefix length. */
const NETWORKS = [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
  ["127.0.0.0", 8],
  ["fc00::", 7],
  ["fe80::", 10],
  ["::1", 128],
] as const;

/** Top-level domains that are never public. */
const LOCAL_NAMES = ["local", "localhost", "lan", "home.arpa", "internal"];

const SEQUENCE = 0x30;
const PERMITTED = 0xa0;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

/**
 * Returns DER name constraints (RFC 5280, 4.2.1.10) that permit only names of the shop's network
 * and this machine, so that a stolen authority cannot impersonate public sites.
 */
export function permittedNames(machine: readonly string[]): Buffer {
  const names = [...LOCAL_NAMES, ...machine.filter(isBareName)];
  const subtrees = [
    ...names.map((name) => element(DNS_NAME, Buffer.from(name, "ascii"))),
    ...NETWORKS.map(([address, bits]) => element(IP_ADDRESS, withMask(address, bits))),
  ].map((name) => element(SEQUENCE, name));
  return element(SEQUENCE, element(PERMITTED, Buffer.concat(subtrees)));
}

/** @param machine the machine's names that the authority's constraints permit */
export function isPermitted(name: string, machine: readonly string[]): boolean {
  if (isIP(name) === 0) {
    const permitted = [...LOCAL_NAMES, ...machine.filter(isBareName)];
    return permitted.some((one) => name === one || name.endsWith(`.${one}`));
  }
  const address = ipaddr.parse(name);
  return NETWORKS.some(([network, bits]) => {
    const range = ipaddr.parse(network);
    return range.kind() === address.kind() && address.match(range, bits);
  });
}

export function isBareName(name: string): boolean {
  return isIP(name) === 0 && /^[a-z\d-]{1,63}$/.test(name) && !LOCAL_NAMES.includes(name);
}

function withMask(address: string, bits: number): Buffer {
  const bytes = ipaddr.parse(address).toByteArray();
  const mask = bytes.map((_, n) => 256 - 2 ** (8 - Math.min(8, Math.max(0, bits - n * 8))));
  return Buffer.from([...bytes, ...mask]);
}

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/**
 * Returns the machine's names and addresses. Excludes link-local IPv6 addresses, which change with
 * each connection.
 */
export function machineNames(): string[] {
  const name = hostname().toLowerCase();
  const addresses = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .map(({ address }) => address)
    .filter((address) => !address.startsWith("fe80:"));
  const local = name.endsWith(".local") ? [] : [`${name}.local`];
  return [...new Set(["localhost", name, ...local, "127.0.0.1", "::1", ...addresses])];
}
