import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WebContents } from "electron/main";

/**
 * The port of a shop's desktop till. The browser storage of the till's page belongs to this port,
 * and may contain a sale that is paid but not recorded. On another port the storage is empty.
 */
export interface KeptPort {
  readonly port: number;
  /** "none" only if the page reported, at a normal end of the program, that it stores no sale. */
  readonly unsent: "none" | "perhaps";
}

const FILE = "desktop-port.json";
const LARGEST_PORT = 65_535;

export function readKeptPort(dataDir: string): KeptPort | undefined {
  try {
    const { port, unsent } = JSON.parse(readFileSync(join(dataDir, FILE), "utf8")) as KeptPort;
    const isPort = Number.isInteger(port) && port > 0 && port <= LARGEST_PORT;
    return isPort ? { port, unsent: unsent === "none" ? "none" : "perhaps" } : undefined;
  } catch {
    return undefined;
  }
}

export function keepPort(dataDir: string, kept: KeptPort): void {
  if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, FILE);
  writeFileSync(`${file}.part`, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

/**
 * Script that returns whether the page stores a started sale (see the till's `attempt-store.ts`).
 */
const KEEPS_A_SALE = `Object.entries(localStorage).some(([key, value]) =>
  key.startsWith("tillgate.attempt") && value !== "[]")`;

export async function noteStoredSales(
  contents: Pick<WebContents, "executeJavaScript">,
  { dataDir, port }: { readonly dataDir: string; readonly port: number },
): Promise<void> {
  const keepsNone = await contents.executeJavaScript(KEEPS_A_SALE).then(
    (keeps: unknown) => keeps === false,
    () => false,
  );
  if (keepsNone) keepPort(dataDir, { port, unsent: "none" });
}
