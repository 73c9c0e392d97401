import { join } from "node:path";
import { rolldown } from "rolldown";
import { bundledLibraries, LEFT_OUT, outsideTheBundle } from "../bundles.ts";

/**
 * Bundles the gateway and its command line, with every library but those that cannot be, flat in one folder:
 * the program looks for its other files one level above its bundles.
 * @param root the project's folder
 * @param target the folder for the bundles, made when it is not there
 * @returns the names of the libraries whose code is in the bundles
 */
export async function bundleServer(root: string, target: string): Promise<Set<string>> {
  const bundle = await rolldown({
    input: {
      main: join(root, "server/main.ts"),
      tillgate: join(root, "server/admin/tillgate.ts"),
      // Started as a thread, from beside the bundle that starts it.
      "background-thread": join(root, "server/background/background-thread.ts"),
    },
    platform: "node",
    resolve: { alias: LEFT_OUT },
    external: outsideTheBundle(),
    logLevel: "warn",
  });
  return bundledLibraries(bundle, target);
}
