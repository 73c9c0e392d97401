import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ElectronMain } from "../electron-main.ts";
import type { InstallEnv } from "../env.ts";
import { replaceFile } from "./update-record.ts";

/** Puts versions in this program's place without asking anybody. */
export interface Installer {
  /** What this very version can be installed from again; undefined where nobody kept it. */
  readonly ownFile: string | undefined;
  /** Installs it, and starts it once this program has ended. */
  install(file: string): Promise<void>;
}

/**
 * @returns undefined where the system installs programs: macOS, and a Debian package, which wants the
 * machine's password
 */
export function createInstaller(
  { app }: Pick<ElectronMain, "app">,
  { platform, appImage, localAppData }: InstallEnv,
): Installer | undefined {
  if (platform === "linux" && appImage !== undefined) {
    return {
      ownFile: appImage,
      async install(file) {
        await replaceFile(file, appImage);
        app.relaunch({ execPath: appImage, args: [] });
      },
    };
  }
  if (platform === "win32") {
    // Where the installer keeps itself.
    const own = localAppData && join(localAppData, "tillgate-updater", "installer.exe");
    return {
      ownFile: own && existsSync(own) ? own : undefined,
      async install(file) {
        const args = ["--updated", "/S", "--force-run"];
        const child = spawn(file, args, { detached: true, stdio: "ignore" });
        await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
        child.unref();
      },
    };
  }
  return undefined;
}
