import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "./log.ts";
import { writeFileWhole } from "./write-file.ts";

const OWNER_ONLY = 0o600;

function addressFile(dataDir: string): string {
  return join(dataDir, "gateway.address");
}

/**
 * Stores the address of a running gateway for the owner's commands.
 * @returns a function that removes it
 */
export async function noteAddress(
  { dataDir, log }: { dataDir: string; log: Log },
  { host, port }: { host: string; port: number },
): Promise<() => void> {
  const local = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  const url = `http://${local.includes(":") ? `[${local}]` : local}:${port}`;
  try {
    await writeFileWhole(addressFile(dataDir), url, OWNER_ONLY);
  } catch (error) {
    log.warn({ err: error }, "the address for the commands of sandboxes could not be stored");
  }
  return () => rmSync(addressFile(dataDir), { force: true });
}

/** Returns undefined if no gateway runs on the data directory. After a crash, the address is old. */
export function readAddress(dataDir: string): string | undefined {
  try {
    return readFileSync(addressFile(dataDir), "utf8");
  } catch {
    return undefined;
  }
}
