import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where Electron's npm package keeps the runtime it fetches. */
export function runtimePackage(root: string): string {
  return join(root, "node_modules/electron");
}

/**
 * The path of Electron's executable, or undefined while it is not installed. Asks the files and not
 * the package, whose index.js fetches what is missing.
 */
export function findRuntime(root: string, runtimeDir?: string): string | undefined {
  const folder = runtimePackage(root);
  let name: string;
  try {
    name = readFileSync(join(folder, "path.txt"), "utf8").trim();
  } catch {
    return undefined;
  }
  const executable = join(runtimeDir ?? join(folder, "dist"), name);
  return existsSync(executable) ? executable : undefined;
}
