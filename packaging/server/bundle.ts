import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundleProgram } from "../program-bundles.ts";

/**
 * Bundles the gateway and its command line, with every library but those that cannot be, flat in one folder:
 * the program looks for its other files one level above its bundles.
 * @param root the project's folder
 * @param target the folder for the bundles, made when it is not there
 * @returns the names of the libraries whose code is in the bundles
 */
export async function bundleServer(root: string, target: string): Promise<Set<string>> {
  const libraries = await bundleProgram(root, target, {
    input: {
      main: join(root, "server/main.ts"),
      tillgate: join(root, "server/admin/tillgate.ts"),
    },
    format: "cjs",
  });
  await writeFile(join(target, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
  return libraries;
}
