import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ElectronStandIn } from "../testing/electron-stand-in.ts";
import { createInstaller } from "./installer.ts";

let folder: string;
let electron: ElectronStandIn;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tillgate-installer-"));
  electron = new ElectronStandIn({ isPackaged: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const installerFor = (
  platform: NodeJS.Platform,
  more: { appImage?: string; local?: string } = {},
) =>
  createInstaller(electron.asElectron(), {
    platform,
    resourcesPath: folder,
    appImage: more.appImage,
    localAppData: more.local,
  });

function writeProgram(name: string, code = 0): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\necho "$@" >> "${folder}/given"\nexit ${code}\n`);
  chmodSync(file, 0o755);
  return file;
}
const given = () => readFileSync(join(folder, "given"), "utf8");

test("Windows: the setup runs silently as the program's last action, with the option to restart it", async () => {
  const setup = writeProgram("Tillgate-1.3.0.exe");
  const installer = installerFor("win32", { local: folder })!;
  expect([installer.asksNobody, installer.ownFile]).toEqual([true, undefined]);
  await installer.prepare(setup);
  expect(existsSync(join(folder, "given"))).toBe(false);
  await installer.finish(setup);
  await vi.waitFor(() => expect(given()).toBe("--updated /S --force-run\n"), 5_000);
  await expect(installer.finish(join(folder, "gone.exe"))).rejects.toThrow("ENOENT");

  mkdirSync(join(folder, "tillgate-updater"));
  const own = writeProgram("tillgate-updater/installer.exe");
  expect(installerFor("win32", { local: folder })?.ownFile).toBe(own);
});

test("Debian: the system asks for the password while the till is open, and the program restarts after the installation", async () => {
  writeFileSync(join(folder, "package-type"), "deb\n");
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
  const installer = installerFor("linux")!;
  expect([installer.asksNobody, installer.ownFile]).toEqual([false, undefined]);

  const deb = join(folder, "tillgate.deb");
  writeFileSync(deb, "the package");
  const sha512 = createHash("sha512").update("the package").digest("base64");
  writeProgram("pkexec", 126);
  await expect(installer.prepare(deb, sha512)).rejects.toThrow("pkexec: 126");
  await expect(installer.prepare(deb)).rejects.toThrow("there is no checksum");

  // This stand-in for pkexec runs the command at once, as if the password were entered.
  writeFileSync(join(folder, "pkexec"), '#!/bin/sh\nexec "$@"\n');
  writeFileSync(
    join(folder, "apt-get"),
    `#!/bin/sh\nfor last; do :; done\necho "$1 $2 $3 $(cat "$last")" >> "${folder}/given"\n`,
  );
  chmodSync(join(folder, "apt-get"), 0o755);
  rmSync(join(folder, "given"));
  await installer.prepare(deb, sha512);
  expect(given()).toBe("install -y --allow-downgrades the package\n");
  // The package is replaced after the check. Root verifies its own copy and refuses it.
  writeFileSync(deb, "another package");
  await expect(installer.prepare(deb, sha512)).rejects.toThrow("did not install");
  expect(given()).toBe("install -y --allow-downgrades the package\n");
  expect(electron.relaunched).toEqual([]);
  await installer.finish("/fetched/tillgate.deb");
  expect(electron.relaunched).toEqual([process.execPath]);

  vi.stubEnv("PATH", join(folder, "nowhere"));
  await expect(installer.prepare(deb, sha512)).rejects.toThrow("ENOENT");
});

test("Linux: the new AppImage replaces the old one, and is started", async () => {
  const program = writeProgram("Tillgate.AppImage");
  const next = join(folder, "Tillgate-1.3.0.AppImage");
  writeFileSync(next, "version 1.3.0");
  const installer = installerFor("linux", { appImage: program })!;
  expect([installer.asksNobody, installer.ownFile]).toEqual([true, program]);
  await installer.prepare(next);
  expect([readFileSync(program, "utf8"), electron.relaunched]).toEqual(["version 1.3.0", []]);
  await installer.finish(next);
  expect(electron.relaunched).toEqual([program]);
});

test("macOS and programs without an installer leave the installation to the system", () => {
  expect(installerFor("darwin")).toBeUndefined();
  expect(installerFor("linux")).toBeUndefined();
});
