import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Installation } from "./modules/safety/updates/index.ts";

/** True in a package, whose bundles are as deep as this file; otherwise npm runs the sources. */
const isPackaged = !import.meta.url.endsWith(".ts");

export const PROGRAM_DIR = fileURLToPath(new URL("..", import.meta.url));
/** Typed before a command's name. */
export const COMMAND_LINE = isPackaged ? "tillgate" : "npm run -s tillgate --";
export const SERVE_COMMAND = isPackaged ? "tillgate serve" : "npm run serve --";

/** Detects the kind of installation by the program's location. */
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
