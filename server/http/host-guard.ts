import { isIP } from "node:net";
import { hostname } from "node:os";
import type { FastifyRequest } from "fastify";
import { Problem } from "../contract/problem.ts";
import { isLoopback } from "./addresses.ts";

/**
 * Refuses requests that a foreign web page makes a browser send (rules#access-host-and-origin). A page can
 * resolve its own name to this machine (DNS rebinding), so that a host name must be ours; an address cannot
 * be rebound. An `Origin` must equal the requested host; with TLS only by `https`, because an attacker
 * between could serve a plain HTTP page under our name.
 * @param listenHost address of the listener
 * @param allowedHosts additional host names of this gateway
 */
export function createHostGuard(
  listenHost: string,
  allowedHosts: readonly string[],
  { isSecure = false } = {},
) {
  const onLan = !isLoopback(listenHost) && listenHost !== "localhost";
  const names = new Set(["localhost", ...allowedHosts.map((name) => name.toLowerCase())]);
  if (onLan) names.add(hostname().toLowerCase()).add(`${hostname().toLowerCase()}.local`);

  /** The last accepted host: most requests name the same. */
  let known: string | undefined;

  function isOurs(host: string): boolean {
    if (host === known) return true;
    if (!isNameOfOurs(host)) return false;
    known = host;
    return true;
  }

  function isNameOfOurs(host: string): boolean {
    const name = hostnameOf(host);
    if (name === undefined) return false;
    if (names.has(name)) return true;
    return isIP(name) !== 0 && (onLan || isLoopback(name));
  }

  return function guardHost(request: FastifyRequest): void {
    const { host = "", origin } = request.headers;
    // With two headers, a proxy before us may have used the other.
    if (!isOurs(host) || countHosts(request.raw.rawHeaders) > 1) {
      throw new Problem(
        "FORBIDDEN",
        "This host name is not allowed. The gateway's owner can allow it with TILLGATE_ALLOWED_HOSTS.",
        { host: "is not a name of this gateway" },
      );
    }
    const isOwn = origin === `https://${host}` || (!isSecure && origin === `http://${host}`);
    if (origin !== undefined && !isOwn) {
      throw new Problem("FORBIDDEN", "Other web sites may not use this gateway.", {
        origin: "is not this gateway",
      });
    }
  };
}

/** A name or an address with an optional port (RFC 9110, 7.2): no user before it, no path after it. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

function hostnameOf(host: string): string | undefined {
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, "");
}

/** @param rawHeaders alternating names and values */
function countHosts(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((name, n) => n % 2 === 0 && name.toLowerCase() === "host").length;
}
