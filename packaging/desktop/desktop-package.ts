import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Arch, build, Platform } from "electron-builder";
import type { Target } from "../shipped-libraries.ts";
import { makeAppFolder } from "./app-folder.ts";
import { desktopConfig, type Making } from "./builder-config.ts";
import { writeAfterRemove } from "./deb-after-remove.ts";
import { requireFuses } from "./fuses.ts";
import { makeIcons } from "./icons.ts";

const PLATFORMS = { linux: Platform.LINUX, win32: Platform.WINDOWS, darwin: Platform.MAC } as const;
export type DesktopPlatform = keyof typeof PLATFORMS;

interface DesktopOrder extends Pick<Making, "runtime" | "feed" | "signing"> {
  readonly platform: DesktopPlatform;
  readonly arch: Target["arch"];
  /** The program's folder alone, without installers. */
  readonly onlyFolder: boolean;
  /** The public key that it believes a feed of updates by. */
  readonly feedKey?: string | undefined;
}

/** @returns the folder that the program was unpacked into, and the installers that were made */
export async function makeDesktopPackage(
  root: string,
  into: string,
  { platform, arch, onlyFolder, runtime, feed, feedKey, signing }: DesktopOrder,
): Promise<{ folder: string; installers: string[] }> {
  const work = join(into, "desktop-work");
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  const app = join(work, "app");
  await makeAppFolder(root, app, { platform, arch }, feedKey);
  const icons = await makeIcons(join(work, "icons"));
  const config = desktopConfig({
    electronVersion: await readElectronVersion(root),
    runtime,
    icons,
    output: into,
    feed,
    signing,
    afterRemove: await writeAfterRemove(join(work, "after-remove")),
  });
  const target = onlyFolder ? "dir" : undefined;
  const targets = PLATFORMS[platform].createTarget(target, Arch[arch]);
  const installers = await build({ targets, config, projectDir: app, publish: "never" });
  const folder = join(into, folderName(platform, arch));
  if (platform === "linux") await requireFuses(join(folder, "tillgate"));
  await rm(work, { recursive: true, force: true });
  return { folder, installers };
}

/** As the packer calls it. */
function folderName(platform: DesktopPlatform, arch: Target["arch"]): string {
  const suffix = arch === "x64" ? "" : `-${arch}`;
  if (platform === "darwin") return `mac${suffix}`;
  return `${platform === "win32" ? "win" : platform}${suffix}-unpacked`;
}

/** Exactly the one that was tried. */
async function readElectronVersion(root: string): Promise<string> {
  const { version } = JSON.parse(
    await readFile(join(root, "node_modules/electron/package.json"), "utf8"),
  ) as { version: string };
  return version;
}
