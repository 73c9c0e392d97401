import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WebContents } from "electron/main";

/**
 * The port of a shop's desktop till. The page's storage may contain a paid, unrecorded sale, and
 * belongs to this port: on another port the page is empty.
 */
export interface KeptPort {
  readonly port: number;
  /** "none" only if the page reported at the program's normal end that it has no sale. */
  readonly unsent: "none" | "perhaps";
}

const FILE = "desktop-port.json";
const LARGEST_PORT = 65_535;

/** @returns undefined if no port is stored or the file is unreadable */
export function readKeptPort(dataDir: string): KeptPort | undefined {
  try {
    const { port, unsent } = JSON.parse(readFileSync(join(dataDir, FILE), "utf8")) as KeptPort;
    const isPort = Number.isInteger(port) && port > 0 && port <= LARGEST_PORT;
    return isPort ? { port, unsent: unsent === "none" ? "none" : "perhaps" } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes atomically: after a power cut the old file remains. */
export function keepPort(dataDir: string, kept: KeptPort): void {
  if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, FILE);
  writeFileSync(`${file}.part`, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

/** Returns whether the page has a started sale (`attempt-store.ts` of the till). */
const KEEPS_A_SALE = `Object.entries(localStorage).some(([key, value]) =>
  key.startsWith("tillgate.attempt") && value !== "[]")`;

/** Records, at a normal end of the program, whether the page has no sale. */
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
