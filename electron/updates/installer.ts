import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ElectronMain } from "../electron-main.ts";
import type { InstallEnv } from "../env.ts";
import { replaceFile } from "./update-record.ts";

/** Puts versions in this program's place. */
export interface Installer {
  /** What this very version can be installed from again; undefined where nobody kept it. */
  readonly ownFile: string | undefined;
  /** Only so is a version that does not start undone by itself. */
  readonly asksNobody: boolean;
  /**
   * Does what may fail or be refused, while the till goes on.
   * @param sha512 of the file as the feed says, base64; undefined for one that this program kept itself
   */
  prepare(file: string, sha512?: string): Promise<void>;
  /** The last thing that this program does, once the shop is closed: the version is there, and starts. */
  finish(file: string): Promise<void>;
}

/** @returns undefined where the system installs programs by itself: macOS */
export function createInstaller(
  { app }: Pick<ElectronMain, "app">,
  { platform, appImage, localAppData, resourcesPath }: InstallEnv,
): Installer | undefined {
  if (platform === "linux" && appImage !== undefined) {
    return {
      ownFile: appImage,
      asksNobody: true,
      prepare: (file) => replaceFile(file, appImage),
      finish: async () => app.relaunch({ execPath: appImage, args: [] }),
    };
  }
  if (platform === "linux" && isDebian(resourcesPath)) {
    return {
      ownFile: undefined,
      asksNobody: false,
      prepare: installPackage,
      finish: async () => app.relaunch(),
    };
  }
  if (platform === "win32") {
    // Where the installer keeps itself.
    const own = localAppData && join(localAppData, "tillgate-updater", "installer.exe");
    return {
      ownFile: own && existsSync(own) ? own : undefined,
      asksNobody: true,
      prepare: async () => {},
      async finish(file) {
        // It ends this program where that still runs: nothing is open any more by now.
        const args = ["--updated", "/S", "--force-run"];
        const child = spawn(file, args, { detached: true, stdio: "ignore" });
        await once(child, "spawn");
        child.unref();
      },
    };
  }
  return undefined;
}

/** Whether this program came by a Debian package: what made it leaves a note. */
export function isDebian(resourcesPath: string): boolean {
  try {
    return readFileSync(join(resourcesPath, "package-type"), "utf8").trim() === "deb";
  } catch {
    return false;
  }
}

/**
 * Run by root: the file is copied to where nobody else writes, and is what the feed says there. Another program of
 * the same user could put another file in its place after a check that was made before.
 */
const INSTALL_COPY = `set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
cp -- "$1" "$dir/tillgate.deb"
echo "$2  $dir/tillgate.deb" | sha512sum --check --status
apt-get install -y --allow-downgrades "$dir/tillgate.deb"`;

/**
 * The system asks for the machine's password, beside the till. What it replaces is not read any more by the
 * program that runs.
 * @throws where it is refused, or fails
 */
async function installPackage(file: string, sha512: string | undefined): Promise<void> {
  if (sha512 === undefined) throw new Error(`nothing says what ${file} has to be`);
  const hex = Buffer.from(sha512, "base64").toString("hex");
  const command = ["/bin/sh", "-c", INSTALL_COPY, "tillgate-update", file, hex];
  const child = spawn("pkexec", command, { stdio: "ignore" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`the machine did not install ${file} (pkexec: ${code})`);
}
