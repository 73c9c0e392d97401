import { execFile } from "node:child_process";
import { chmod, chown, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { InstalledProgram } from "./installed-program.ts";

const run = promisify(execFile);
const TOOLS = ["sh", "dirname", "readlink", "id", "setpriv"];
const SERVICE_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** An installed service. Its folder is the root of a whole file system. */
export interface InstalledService {
  readonly words: readonly string[];
  /** Runs the program as the unit's user, with the unit's environment. */
  readonly unit: InstalledProgram;
  /** Runs the owner's commands as root, as `sudo tillgate` does. */
  readonly owner: InstalledProgram;
}

/**
 * Reads the installed unit, and creates the files that systemd would create for it.
 * @param root folder of the installation
 */
export async function readService(root: string, file: string): Promise<InstalledService> {
  const text = await readFile(file, "utf8");
  const all = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);
  const [command = "", ...words] = all("ExecStart")[0]?.split(" ") ?? [];
  const [user = ""] = all("User");
  const accounts = await readFile(join(root, "etc/passwd"), "utf8");
  const [, uid = "", gid = ""] =
    new RegExp(`^${user}:[^:]*:(\\d+):(\\d+)`, "m").exec(accounts) ?? [];
  for (const name of all("CacheDirectory")) {
    const cache = join(root, "var/cache", name);
    await mkdir(cache, { recursive: true });
    await chown(cache, Number(uid), Number(gid));
  }
  const settings = all("EnvironmentFile").map((path) => join(root, path.replace(/^-/, "")));
  const files = await Promise.all(settings.map((path) => readFile(path, "utf8")));
  const env = readVariables([...all("Environment"), ...files].join("\n"));
  await takeTools(root);
  return {
    words,
    unit: {
      command: "/usr/sbin/chroot",
      by: [`--userspec=${uid}:${gid}`, "--groups=", root, command],
      env: { PATH: SERVICE_PATH, ...env },
    },
    owner: { command: "/usr/sbin/chroot", by: [root, command], env: { PATH: SERVICE_PATH } },
  };
}

export async function takeAnyPort(root: string): Promise<void> {
  const file = join(root, "etc/tillgate/tillgate.conf");
  const settings = await readFile(file, "utf8");
  await writeFile(file, settings.replace(/^#?TILLGATE_PORT=\d+$/m, "TILLGATE_PORT=0"));
}

function readVariables(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
}

async function takeTools(root: string): Promise<void> {
  const tools = await Promise.all(
    TOOLS.map(async (name) => (await run("/bin/sh", ["-c", `command -v ${name}`])).stdout.trim()),
  );
  const node = join(root, "usr/lib/tillgate/node/bin/node");
  const loaded = await Promise.all([...tools, node].map((file) => run("ldd", [file])));
  const libraries = loaded.flatMap(({ stdout }) => stdout.match(/\/\S+\.so\S*/g) ?? []);
  for (const file of new Set([...tools, ...libraries])) {
    await mkdir(join(root, dirname(file)), { recursive: true });
    await copyFile(file, join(root, file));
  }
  await mkdir(join(root, "bin"), { recursive: true });
  await copyFile("/bin/sh", join(root, "bin/sh"));
  // Creates a regular file: in a container, root may lack the permission to create a device.
  await mkdir(join(root, "dev"), { recursive: true });
  await writeFile(join(root, "dev/null"), "");
  await chmod(join(root, "dev/null"), 0o666);
  await mkdir(join(root, "tmp"), { mode: 0o1777, recursive: true });
}
