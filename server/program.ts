import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Installation } from "./modules/safety/updates/index.ts";

/**
 * Where the program is and how it is called: from its sources through npm, or from a package, whose
 * bundles stand in a folder as deep as this file's.
 */
const isPackaged = !import.meta.url.endsWith(".ts");

/** The folder that holds `resources` and the built pages. */
export const PROGRAM_DIR = fileURLToPath(new URL("..", import.meta.url));
/** What a person types before the name of a command. */
export const COMMAND_LINE = isPackaged ? "tillgate" : "npm run -s tillgate --";
/** What a person types to start the gateway. */
export const SERVE_COMMAND = isPackaged ? "tillgate serve" : "npm run serve --";

/** How this program was installed, which is seen by where it is. */
export function findInstallation(
  { dir, isSource, isThere }: Where = {
    dir: PROGRAM_DIR,
    isSource: !isPackaged,
    isThere: existsSync,
  },
): Installation {
  if (isSource) return "SOURCES";
  if (dir === "/usr/lib/tillgate/") return "DEBIAN";
  return ["/.dockerenv", "/run/.containerenv"].some(isThere) ? "CONTAINER" : "ARCHIVE";
}

interface Where {
  dir: string;
  isSource: boolean;
  isThere: (path: string) => boolean;
}
