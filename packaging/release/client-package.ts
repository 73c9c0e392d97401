import { execFileSync } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readVersion } from "../shipped-libraries.ts";

/**
 * Packs the API client as npm would publish it.
 * @param version required version of the client
 *
 */
export async function makeClientPackage(
  root: string,
  into: string,
  version: string,
): Promise<string> {
  const source = join(root, "packages/client");
  const stated = await readVersion(source);
  if (stated !== version) {
    throw new Error(`packages/client/package.json says ${stated}, package.json ${version}.`);
  }
  const staging = await mkdtemp(join(tmpdir(), "tillgate-client-"));
  try {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const build = ["--project", source, "--outDir", join(staging, "dist")];
    execFileSync(process.execPath, [compiler, ...build], { stdio: "inherit" });
    for (const name of ["package.json", "README.md"]) {
      await cp(join(source, name), join(staging, name));
    }
    await cp(join(root, "LICENSE"), join(staging, "LICENSE"));
    execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", into], {
      cwd: staging,
      stdio: ["ignore", "ignore", "inherit"],
      // On Windows npm is a shell script.
      shell: process.platform === "win32",
    });
    return join(into, `tillgate-client-${version}.tgz`);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
