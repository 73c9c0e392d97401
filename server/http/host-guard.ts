import { isIP } from "node:net";
import { hostname } from "node:os";
import type { FastifyRequest } from "fastify";
import { Problem } from "../contract/problem.ts";
import { isLoopback } from "./addresses.ts";

/**
 * Refuses requests that a foreign web page makes a browser send (rules#access-host-and-origin). A
 * page can resolve its own host name to this machine's address (DNS rebinding). So the requested
 * name must be the gateway's. IP addresses are accepted, because they cannot be rebound. An
 * `Origin` must equal the requested host. With TLS it must use `https`, because an attacker on the
 * network cannot serve that.
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
    // If there are two headers, a proxy may have used the other header.
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

/** A name or an address with an optional port (RFC 9110, 7.2). */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

function hostnameOf(host: string): string | undefined {
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, "");
}

function countHosts(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((name, n) => n % 2 === 0 && name.toLowerCase() === "host").length;
}
