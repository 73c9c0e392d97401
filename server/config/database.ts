import { isIP } from "node:net";
import { readEnvironment } from "./env.ts";
import { LastingError } from "./startup-error.ts";

const DEFAULT_PORT = "5432";

/**
 * @param address such as `postgres://user:password@host:port/database`; may be empty
 * @returns undefined for a database file in the data directory
 * @throws StartupError without the address, which contains a password
 */
export function checkDatabase(address: string | undefined): string | undefined {
  const given = address?.trim() ?? "";
  if (given === "") return undefined;
  const isPostgres = /^postgres(?:ql)?:\/\//i.test(given) && URL.canParse(given);
  if (isPostgres && new URL(given).pathname.length > 1) return given;
  throw new LastingError(
    "--database (TILLGATE_DATABASE) must be an address such as postgres://USER:PASSWORD@HOST:PORT/DATABASE; special characters of the password are written as %XX.",
  );
}

/** Returns the name of a database without the password, for logs and screens. */
export function nameOfDatabase(address: string): string {
  const { hostname, port, pathname } = new URL(address);
  return `${decodeURIComponent(pathname.slice(1))} on ${hostname}:${port || DEFAULT_PORT}`;
}

export const PLAIN_DATABASE_WARNING =
  "Warning: Tillgate reaches its database on another machine without encryption, or without checking who answers. Everybody " +
  "on the network between can read sales and change them. Add ?sslmode=verify-full&sslrootcert=FILE to the address; see docs/operate.md.";

/** Modes in which node-postgres encrypts and verifies the certificate and the host name. */
const SAFE_MODES: ReadonlySet<string> = new Set(["prefer", "require", "verify-ca", "verify-full"]);

/** Returns whether a third party on the network can read or change the traffic to the database. */
export function isPlainToServer(
  address: string,
  modeOfMachine = readEnvironment().pgSslMode,
): boolean {
  const { hostname, searchParams } = new URL(address);
  const host = searchParams.get("host") ?? decodeURIComponent(hostname);
  const isHere =
    host === "" ||
    host === "localhost" ||
    host.startsWith("/") ||
    host === "[::1]" ||
    (isIP(host) === 4 && host.startsWith("127."));
  if (isHere) return false;
  const mode = searchParams.get("sslmode") ?? modeOfMachine;
  // As in libpq, weaker modes do not verify the certificate or its name.
  if (searchParams.get("uselibpqcompat") === "true") return mode !== "verify-full";
  if (mode !== undefined) return !SAFE_MODES.has(mode);
  return !["true", "1"].includes(searchParams.get("ssl") ?? "");
}
