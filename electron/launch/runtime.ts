import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export function runtimePackage(root: string): string {
  return join(root, "node_modules/electron");
}

/**
 * Returns the path of Electron's executable if the runtime is installed. The package's index.js is
 * not imported, because it would fetch a missing runtime.
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
