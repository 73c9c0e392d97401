import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Installation } from "./modules/safety/updates/index.ts";

/**
 * True in a package, where npm does not run the sources. A package's bundles are as deep in their
 * folder as this file.
 */
const isPackaged = !import.meta.url.endsWith(".ts");

export const PROGRAM_DIR = fileURLToPath(new URL("..", import.meta.url));
export const COMMAND_LINE = isPackaged ? "tillgate" : "npm run -s tillgate --";
export const SERVE_COMMAND = isPackaged ? "tillgate serve" : "npm run serve --";

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
