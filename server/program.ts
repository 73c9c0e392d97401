import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Installation } from "./modules/safety/updates/index.ts";

/**
 * Location and command of the program: sources run through npm, or a package, whose bundles are in a folder
 * as deep as this file's.
 */
const isPackaged = !import.meta.url.endsWith(".ts");

/** Folder of `resources` and the built pages. */
export const PROGRAM_DIR = fileURLToPath(new URL("..", import.meta.url));
/** Command line that a person types before a command's name. */
export const COMMAND_LINE = isPackaged ? "tillgate" : "npm run -s tillgate --";
/** Command line that starts the gateway. */
export const SERVE_COMMAND = isPackaged ? "tillgate serve" : "npm run serve --";

/** Detects how this program was installed, by its location. */
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
