import { spawnSync } from "node:child_process";
import { chmod, cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Library, readLibrary } from "../shipped-libraries.ts";
import { run, type ServerPackage } from "./server-package.ts";

const SCRIPTS = join(import.meta.dirname, "deb");
const SETTINGS = "etc/tillgate/tillgate.conf";
const ARCHITECTURES = { x64: "amd64", arm64: "arm64" } as const;

/**
 * Makes the Debian package: the program's folder, Node, a service with its own user, and the
 * command.
 * @returns the file with its Node library, or the tool that this machine lacks
 */
export async function makeDeb(
  root: string,
  made: ServerPackage,
  arch: keyof typeof ARCHITECTURES,
  into: string,
): Promise<{ file: string; node: Library } | { missing: string }> {
  if (spawnSync("dpkg-deb", ["--version"]).status !== 0) {
    return { missing: "it needs dpkg-deb, which comes with Debian and its kin." };
  }
  const tree = join(into, `deb-${arch}`);
  await rm(tree, { recursive: true, force: true });
  const program = join(tree, "usr/lib/tillgate");
  await mkdir(dirname(program), { recursive: true });
  await cp(made.folder, program, { recursive: true });
  const node = await takeNode(root, arch, join(program, "node/bin"));
  await rm(join(program, "container"), { recursive: true });

  await moveTo(
    tree,
    "lib/systemd/system/tillgate.service",
    join(program, "systemd/tillgate.service"),
  );
  await moveTo(tree, SETTINGS, join(program, "tillgate.conf"));
  // Set before the file has content, so that other users can never read the settings.
  await chmod(join(tree, SETTINGS), 0o640);
  for (const document of ["LICENSE", "THIRD-PARTY-LICENSES.txt", "CHANGELOG.md"]) {
    await moveTo(tree, `usr/share/doc/tillgate/${document}`, join(program, document));
  }
  await moveTo(tree, "usr/share/doc/tillgate/NODE-LICENSE", join(program, "node/bin/LICENSE"));
  await rm(join(program, "systemd"), { recursive: true });
  await cp(join(SCRIPTS, "tillgate"), join(tree, "usr/bin/tillgate"));
  await chmod(join(tree, "usr/bin/tillgate"), 0o755);

  const control = (await readFile(join(SCRIPTS, "control"), "utf8"))
    .replace("VERSION", made.version)
    .replace("ARCHITECTURE", ARCHITECTURES[arch]);
  await mkdir(join(tree, "DEBIAN"));
  await writeFile(join(tree, "DEBIAN/control"), control);
  await writeFile(join(tree, "DEBIAN/conffiles"), `/${SETTINGS}\n`);
  for (const script of ["postinst", "prerm", "postrm"]) {
    await cp(join(SCRIPTS, script), join(tree, "DEBIAN", script));
    await chmod(join(tree, "DEBIAN", script), 0o755);
  }
  const file = join(into, `tillgate_${made.version}_${ARCHITECTURES[arch]}.deb`);
  run("dpkg-deb", ["--root-owner-group", "-Zxz", "-z1", "--build", tree, file], into);
  await rm(tree, { recursive: true });
  return { file, node };
}

async function moveTo(tree: string, path: string, from: string): Promise<void> {
  const to = join(tree, path);
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
}

/**
 * Downloads the tested version of Node for the target's processor from the npm registry, with its
 * licence file.
 */
async function takeNode(root: string, arch: "x64" | "arm64", into: string): Promise<Library> {
  const library = await readLibrary("node", root);
  const { version } = library;
  await mkdir(into, { recursive: true });
  const name = `node-linux-${arch}`;
  const own = join(root, "node_modules/node/node_modules", name);
  const isInstalled = await cp(join(own, "bin/node"), join(into, "node")).then(
    () => true,
    () => false,
  );
  if (isInstalled) await cp(join(own, "LICENSE"), join(into, "LICENSE"));
  if (!isInstalled) {
    run("npm", ["pack", "--silent", `${name}@${version}`], into);
    const packed = `${name}-${version}.tgz`;
    run("tar", ["-xzf", packed, "--strip-components=2", "package/bin/node"], into);
    run("tar", ["-xzf", packed, "--strip-components=1", "package/LICENSE"], into);
    await rm(join(into, packed));
  }
  await chmod(join(into, "node"), 0o755);
  return library;
}
