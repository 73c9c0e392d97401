import { createRequire } from "node:module";
import { Arch, Platform } from "electron-builder";
import { describe, expect, it } from "vitest";
import { desktopConfig } from "./desktop-package.ts";

// electron-builder's function that expands targets, which the package does not export.
const { computeArchToTargetNamesMap } = createRequire(
  createRequire(import.meta.url).resolve("electron-builder"),
)("app-builder-lib/out/targets/targetFactory.js");

const config = desktopConfig({
  electronVersion: "1.0.0",
  runtime: undefined,
  icons: { linux: "", windows: "", mac: "" },
  output: "",
  feed: undefined,
  signing: { windows: false, mac: false, notarised: false },
  afterRemove: "",
});

describe.each([
  [Platform.LINUX, config.linux, ["AppImage", "deb"]],
  [Platform.WINDOWS, config.win, ["nsis"]],
  [Platform.MAC, config.mac, ["dmg", "zip"]],
] as const)("installers for %s", (platform, options, kinds) => {
  // With native code for another processor, the program could not open a database.
  it.each([Arch.x64, Arch.arm64])("support only the requested processor (%s)", (arch) => {
    const order = platform.createTarget(undefined, arch).get(platform);
    const packager = { platformSpecificBuildOptions: options };
    const made = computeArchToTargetNamesMap(order, packager, platform);
    expect(Array.from(made)).toEqual([[arch, kinds]]);
  });
});

it("the names of installers contain the processor, because all builds use one folder", () => {
  expect(config.artifactName).toContain("-${" + "arch}.");
  for (const own of [config.linux, config.win, config.mac, config.nsis, config.deb, config.dmg]) {
    expect(own?.artifactName).toBeUndefined();
  }
});
