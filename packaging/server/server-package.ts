import { spawnSync } from "node:child_process";
import { chmod, cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OUTSIDE_THE_BUNDLE } from "../bundles.ts";
import { takeFeedKey } from "../feed-key.ts";
import { bundleProgram } from "../program-bundles.ts";
import { DATA_FILES, writeThirdPartyLicenses } from "../shipped-files.ts";
import {
  copyLibrary,
  findLibraries,
  type Library,
  readVersion,
  type Target,
} from "../shipped-libraries.ts";

const FILES = join(import.meta.dirname, "files");

export interface ServerPackage {
  readonly version: string;
  readonly folder: string;
  readonly archive: string;
  readonly libraries: readonly Library[];
}

/**
 * Makes the gateway as a folder and a `tar.gz`: bundles, pages, data, unbundled libraries, command,
 * systemd unit and container files. The same sources always result in the same bytes.
 * @param root project folder with built pages
 * @param into parent folder of the folder and the `tar.gz`, created if missing
 * @param feedKey public key of the update feed, as PEM
 */
export async function makeServerPackage(
  root: string,
  into: string,
  target: Target,
  feedKey?: string,
): Promise<ServerPackage> {
  const version = await readVersion(root);
  const name = `tillgate-${version}-${target.platform}-${target.arch}`;
  const folder = join(into, name);
  await rm(folder, { recursive: true, force: true });
  const bundled = await bundleServer(root, join(folder, "server"));
  for (const file of ["out/renderer", ...DATA_FILES, "LICENSE", "CHANGELOG.md"]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file), { recursive: true });
  }
  await takeFeedKey(folder, feedKey);
  const copied = await findLibraries(root, OUTSIDE_THE_BUNDLE);
  for (const library of copied) await copyLibrary(library, join(folder, "node_modules"), target);
  await cp(FILES, folder, { recursive: true });
  await chmod(join(folder, "bin/tillgate"), 0o755);
  const described = { name: "tillgate", version, license: "MIT", type: "module", private: true };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(described, null, 2)}\n`);
  const libraries = await writeThirdPartyLicenses(root, folder, [
    ...bundled,
    ...copied.map(({ name: one }) => one),
  ]);
  const archive = join(into, `${name}.tar.gz`);
  pack(into, name, archive);
  return { version, folder, archive, libraries };
}

/** Packs a folder. The bytes depend only on the files, not on the user or the time. */
function pack(into: string, name: string, archive: string): void {
  const always = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];
  run(
    "tar",
    ["--create", ...always, "--use-compress-program=gzip -9n", `--file=${archive}`, name],
    into,
  );
}

/**
 * @throws Error with the command's error output, or with the reason if the command could not start
 */
export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
  return stdout;
}

/**
 * Bundles the gateway and its command line. The program expects its other files in the parent
 * folder.
 * @param target folder of the bundles, created if missing
 * @returns names of the bundled libraries
 */
export async function bundleServer(root: string, target: string): Promise<Set<string>> {
  const libraries = await bundleProgram(root, target, {
    input: {
      main: join(root, "server/main.ts"),
      tillgate: join(root, "server/admin/tillgate.ts"),
    },
  });
  await writeFile(join(target, "package.json"), `${JSON.stringify({ type: "module" })}\n`);
  return libraries;
}
