import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ElectronMain } from "../electron-main.ts";
import type { InstallEnv } from "../env.ts";
import { replaceFile } from "./update-record.ts";

export interface Installer {
  readonly ownFile: string | undefined;
  /**
   * Whether an installation needs no confirmation. Otherwise, a failing version is not undone
   * automatically.
   */
  readonly asksNobody: boolean;
  /**
   * Performs the steps that may fail, while the till continues.
   * @param sha512 checksum in the feed, as base64; undefined for a file that this program stored
   */
  prepare(file: string, sha512?: string): Promise<void>;
  finish(file: string): Promise<void>;
}

/** @returns undefined if the system installs updates (macOS), or there is no installer */
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
    // The Windows installer stores a copy of itself at this path.
    const own = localAppData && join(localAppData, "tillgate-updater", "installer.exe");
    return {
      ownFile: own && existsSync(own) ? own : undefined,
      asksNobody: true,
      prepare: async () => {},
      async finish(file) {
        // The installer may end this program, because the gateway and the window are closed.
        const args = ["--updated", "/S", "--force-run"];
        const child = spawn(file, args, { detached: true, stdio: "ignore" });
        await once(child, "spawn");
        child.unref();
      },
    };
  }
  return undefined;
}

export function isDebian(resourcesPath: string): boolean {
  try {
    return readFileSync(join(resourcesPath, "package-type"), "utf8").trim() === "deb";
  } catch {
    return false;
  }
}

/**
 * Script that root runs: it copies the file to a folder that only root can write, and verifies the
 * copy, so that no other program can replace the file.
 */
const INSTALL_COPY = `set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
cp -- "$1" "$dir/tillgate.deb"
echo "$2  $dir/tillgate.deb" | sha512sum --check --status
apt-get install -y --allow-downgrades "$dir/tillgate.deb"`;

/**
 * Installs the package; the system asks for the password. The till has already loaded all files
 * that the installation replaces.
 * @throws Error if the installation is refused or fails
 */
async function installPackage(file: string, sha512: string | undefined): Promise<void> {
  if (sha512 === undefined) throw new Error(`there is no checksum for ${file}`);
  const hex = Buffer.from(sha512, "base64").toString("hex");
  const command = ["/bin/sh", "-c", INSTALL_COPY, "tillgate-update", file, hex];
  const child = spawn("pkexec", command, { stdio: "ignore" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`the machine did not install ${file} (pkexec: ${code})`);
}
