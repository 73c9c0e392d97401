import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WebContents } from "electron/main";

/**
 * The port of a shop's desktop till. What its page keeps, a paid sale that was not recorded yet among it, belongs
 * to the page's origin and so to this port: another port would be another, empty page.
 */
export interface KeptPort {
  readonly port: number;
  /** "none" only where the page was asked as the program ended in order, and kept no sale. */
  readonly unsent: "none" | "perhaps";
}

const FILE = "desktop-port.json";
const LARGEST_PORT = 65_535;

/** Undefined where none is kept, or the file is not readable. */
export function readKeptPort(dataDir: string): KeptPort | undefined {
  try {
    const { port, unsent } = JSON.parse(readFileSync(join(dataDir, FILE), "utf8")) as KeptPort;
    const isPort = Number.isInteger(port) && port > 0 && port <= LARGEST_PORT;
    return isPort ? { port, unsent: unsent === "none" ? "none" : "perhaps" } : undefined;
  } catch {
    return undefined;
  }
}

/** Written beside and renamed: a power cut leaves what was there. */
export function keepPort(dataDir: string, kept: KeptPort): void {
  if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, FILE);
  writeFileSync(`${file}.part`, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

/** Whether the page's storage has a sale that was begun (`attempt-store.ts` of the till). */
const KEEPS_A_SALE = `Object.entries(localStorage).some(([key, value]) =>
  key.startsWith("tillgate.attempt") && value !== "[]")`;

/** As the program ends in order: notes that no sale is kept with this port, where the page says so. */
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
