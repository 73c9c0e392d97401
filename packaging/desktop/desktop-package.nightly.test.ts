import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { extractAll, listPackage } from "@electron/asar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBuilt } from "../../electron/launch/ensure-built.ts";
import { VERSION } from "../../server/version.ts";
import {
  makeDesktopPackage,
  makeStandInRuntime,
  readSigning,
  requireFuses,
  sayWhatIsMissing,
  writeAfterRemove,
} from "./desktop-package.ts";
import { fusedProgram } from "./packed-folder.ts";

const ROOT = join(import.meta.dirname, "../..");
const FEED = "https://updates.example/tillgate";
const UNSIGNED = { windows: false, mac: false, notarised: false };
let dir: string;
beforeAll(async () => {
  await ensureBuilt(ROOT);
  dir = await mkdtemp(join(tmpdir(), "tillgate-desktop-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function make(arch: "x64" | "arm64") {
  const into = join(dir, arch);
  const runtime = join(into, "runtime");
  await makeStandInRuntime(runtime, "45.4.1");
  const order = { platform: "linux", arch, runtime, feed: FEED, signing: UNSIGNED } as const;
  return makeDesktopPackage(ROOT, into, { ...order, onlyFolder: true });
}

describe("a desktop package made with a stand-in for Electron", () => {
  it("contains only needed files, has the right fuses, and starts the till", async () => {
    const { folder } = await make("x64");
    const archive = join(folder, "resources/app.asar");
    const inside = listPackage(archive, { isPack: false });
    const needed = ["out/main/main.js", "out/main/background-thread.js", "out/preload/preload.cjs"];
    for (const file of [
      ...needed,
      "out/renderer/index.html",
      "resources/desktop/tray.png",
      "THIRD-PARTY-LICENSES.txt",
    ]) {
      expect(inside).toContain(`/${file}`);
    }
    const own = inside.filter((name) => !name.startsWith("/node_modules/"));
    expect(
      own.filter((name) => /\.(ts|tsx|map|c)$|\.test\.|^\/(server|e2e|docs)\//.test(name)),
    ).toEqual([]);
    expect(inside.filter((name) => /\.(ts|map|c|gyp)$/.test(name))).toEqual([]);
    const unpacked = join(
      folder,
      "resources/app.asar.unpacked/node_modules/better-sqlite3/prebuilds",
    );
    expect(readdirSync(unpacked)).toEqual(["linux-x64.node"]);

    const update = await readFile(join(folder, "resources/app-update.yml"), "utf8");
    expect(update).toContain(`url: ${FEED}`);
    await requireFuses(join(folder, "tillgate"));

    const bill = join(folder, `../Tillgate-${VERSION}-linux-x64.cdx.json`);
    const { components } = JSON.parse(await readFile(bill, "utf8"));
    const libraries = components.map(({ name }: { name: string }) => name);
    expect(libraries).toEqual(
      expect.arrayContaining(["electron", "electron-updater", "fastify", "react"]),
    );

    const program = join(dir, "inside");
    extractAll(archive, program);
    const dataDir = join(dir, "data");
    const run = join(ROOT, "electron/testing/run-built-app.ts");
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [run, dataDir, join(program, "out/main/main.js")],
      { env: { ...process.env, TILLGATE_DATA: dataDir, TILLGATE_PORT: "0" } },
    );
    const shown = JSON.parse(stdout);
    expect(shown.page).toContain('<div id="root">');
    expect(shown.status).toMatchObject({ setUp: false });
    expect(shown.backup).toMatch(/^tillgate-.*\.db$/);
  });

  it("contains native code of the target's processor", async () => {
    const { folder } = await make("arm64");
    const unpacked = join(
      folder,
      "resources/app.asar.unpacked/node_modules/better-sqlite3/prebuilds",
    );
    expect(readdirSync(unpacked)).toEqual(["linux-arm64.node"]);
  });

  it("fails the check of fuses for every target system if one fuse is wrong", async () => {
    const runtime = join(dir, "other-systems");
    await makeStandInRuntime(runtime, "45.4.1");
    const framework = "Contents/Frameworks/Electron Framework.framework/Electron Framework";
    for (const [platform, file] of [
      ["win32", "Tillgate.exe"],
      ["darwin", `Tillgate.app/${framework}`],
    ] as const) {
      await mkdir(dirname(join(runtime, file)), { recursive: true });
      await copyFile(join(runtime, "electron"), join(runtime, file));
      const program = join(runtime, fusedProgram(platform));
      await expect(requireFuses(program)).rejects.toThrow("enableCookieEncryption");
    }
  });

  it("fails the check if a fuse is wrong", async () => {
    const runtime = join(dir, "untouched");
    await makeStandInRuntime(runtime, "45.4.1");
    await expect(requireFuses(join(runtime, "electron"))).rejects.toThrow("enableCookieEncryption");
  });
});

it("a failed download during the desktop build is reported in one line, and nothing is built", async () => {
  // The download fails: no server listens on this port, and the cache is empty.
  const away = "http://127.0.0.1:9/";
  const cache = join(dir, "cache");
  const env = {
    ...process.env,
    XDG_CACHE_HOME: cache,
    ELECTRON_BUILDER_CACHE: cache,
    electron_config_cache: cache,
    ELECTRON_MIRROR: away,
    ELECTRON_BUILDER_BINARIES_MIRROR: away,
  };
  const script = join(import.meta.dirname, "dist-desktop.ts");
  for (const options of [["--folder"], ["--stand-in"]]) {
    const out = join(dir, "away");
    const failed = await promisify(execFile)(process.execPath, [script, "--out", out, ...options], {
      env,
    }).then(
      () => expect.unreachable(),
      (error: { code: number; stderr: string }) => error,
    );
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/^Not made: .*It needs the network once: .*\n$/m);
    expect(failed.stderr).not.toMatch(/^ +at /m);
  }
});

it("removing the desktop program does not delete the shop's data, and prints its folder", async () => {
  const script = await readFile(await writeAfterRemove(join(dir, "after-remove")), "utf8");
  expect(script).toContain("update-alternatives --remove");
  expect(script).toContain("is still in ~/.local/share/tillgate");
  expect(script).not.toMatch(/rm -rf?[^\n]*(share|data)/);
  const windows = await readFile(join(import.meta.dirname, "uninstall.nsh"), "utf8");
  expect(windows).toContain("$LOCALAPPDATA\\Tillgate");
});

it("a desktop build without signing and feed reports the missing settings", () => {
  const nothing = { signing: readSigning({}), feed: undefined, feedKey: undefined };
  expect(sayWhatIsMissing({ platform: "win32", ...nothing })).toEqual([
    "Not signed: Windows warns who installs it. It needs WIN_CSC_LINK.",
    "No feed: it finds no updates. It needs --feed.",
  ]);
  expect(sayWhatIsMissing({ platform: "darwin", ...nothing })).toHaveLength(3);
  const signing = readSigning({ CSC_LINK: "key.p12", APPLE_API_KEY: "key" });
  expect(sayWhatIsMissing({ platform: "darwin", signing, feed: FEED, feedKey: "key.pem" })).toEqual(
    [],
  );
});
