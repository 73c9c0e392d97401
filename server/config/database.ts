import { StartupError } from "./startup-error.ts";

const DEFAULT_PORT = "5432";

/**
 * @param address as in `postgres://user:password@host:port/database`; empty is none
 * @returns the address; undefined for the file of the data directory
 * @throws StartupError, which never repeats the address: it holds a password
 */
export function checkDatabase(address: string | undefined): string | undefined {
  const given = address?.trim() ?? "";
  if (given === "") return undefined;
  const isPostgres = /^postgres(?:ql)?:\/\//i.test(given) && URL.canParse(given);
  if (isPostgres && new URL(given).pathname.length > 1) return given;
  throw new StartupError(
    "--database (TILLGATE_DATABASE) must be an address as postgres://USER:PASSWORD@HOST:PORT/DATABASE; characters of the password that mean something in an address are written as %XX.",
  );
}

/** What a database is called where anybody may read it: without the password. */
export function nameOfDatabase(address: string): string {
  const { hostname, port, pathname } = new URL(address);
  return `${decodeURIComponent(pathname.slice(1))} on ${hostname}:${port || DEFAULT_PORT}`;
}
