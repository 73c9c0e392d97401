import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ElectronMain } from "../electron-main.ts";
import type { InstallEnv } from "../env.ts";
import { replaceFile } from "./update-record.ts";

/** Installs versions in place of this program. */
export interface Installer {
  /** Installer of this version; undefined if none was stored. */
  readonly ownFile: string | undefined;
  /** True if it needs no confirmation: only then is a failing version undone automatically. */
  readonly asksNobody: boolean;
  /**
   * Performs the steps that may fail or be refused, while the till continues.
   * @param sha512 of the file in the feed, base64; undefined for a file that this program stored itself
   */
  prepare(file: string, sha512?: string): Promise<void>;
  /** Last action of this program, after the shop is closed: installs the version and starts it. */
  finish(file: string): Promise<void>;
}

/** @returns undefined if the system installs programs itself: macOS */
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
    // Folder in which the installer stores itself.
    const own = localAppData && join(localAppData, "tillgate-updater", "installer.exe");
    return {
      ownFile: own && existsSync(own) ? own : undefined,
      asksNobody: true,
      prepare: async () => {},
      async finish(file) {
        // The installer would end a running program, which has closed everything by now.
        const args = ["--updated", "/S", "--force-run"];
        const child = spawn(file, args, { detached: true, stdio: "ignore" });
        await once(child, "spawn");
        child.unref();
      },
    };
  }
  return undefined;
}

/** Returns whether this program came by a Debian package, whose build leaves a note. */
export function isDebian(resourcesPath: string): boolean {
  try {
    return readFileSync(join(resourcesPath, "package-type"), "utf8").trim() === "deb";
  } catch {
    return false;
  }
}

/**
 * Run by root: copies the file to a folder that only root writes, and verifies the copy. Otherwise another
 * program of the user could replace the file after the check.
 */
const INSTALL_COPY = `set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
cp -- "$1" "$dir/tillgate.deb"
echo "$2  $dir/tillgate.deb" | sha512sum --check --status
apt-get install -y --allow-downgrades "$dir/tillgate.deb"`;

/**
 * Installs after the system has requested the machine's password, beside the till. The running program does
 * not read the replaced files any more.
 * @throws if it is refused or fails
 */
async function installPackage(file: string, sha512: string | undefined): Promise<void> {
  if (sha512 === undefined) throw new Error(`there is no checksum for ${file}`);
  const hex = Buffer.from(sha512, "base64").toString("hex");
  const command = ["/bin/sh", "-c", INSTALL_COPY, "tillgate-update", file, hex];
  const child = spawn("pkexec", command, { stdio: "ignore" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`the machine did not install ${file} (pkexec: ${code})`);
}
