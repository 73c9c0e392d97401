import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "./launch/ensure-built.ts";

const ROOT = join(import.meta.dirname, "..");

beforeAll(() => ensureBuilt(ROOT), 300_000);

test("the built main script hosts the gateway, serves the built till and ends", {
  tags: ["thorough"],
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "tillgate-built-app-"));
  const script = join(import.meta.dirname, "testing/run-built-app.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, folder], {
    env: {
      ...process.env,
      TILLGATE_DATA: folder,
      TILLGATE_PORT: "0",
      TILLGATE_LOG: "silent",
    },
  });
  await rm(folder, { recursive: true, force: true });

  const shown = JSON.parse(stdout) as { page: string; status: unknown; backup: string };
  expect(shown.page).toContain('<div id="root">');
  // The script's path is absolute, because the till can be reloaded at any route.
  expect(shown.page).toMatch(/<script type="module"[^>]* src="\/assets\//);
  expect(shown.status).toMatchObject({ setUp: false });
  // A backup runs in a thread. The bundle must find the thread's script.
  expect(shown.backup).toMatch(/^tillgate-.*\.backup$/);
});

test("the built preload is one CommonJS script that a sandbox can run, and exposes only the shell's functions", async () => {
  const source = await readFile(join(ROOT, "out/preload/preload.cjs"), "utf8");
  const exposed: Record<string, Record<string, unknown>> = {};
  const asked: unknown[][] = [];
  runInNewContext(source, {
    process: { argv: ["electron", "--tillgate-version=1.2.3"] },
    require: (name: string) => {
      expect(name).toBe("electron");
      return {
        contextBridge: {
          exposeInMainWorld: (key: string, value: Record<string, unknown>) => {
            exposed[key] = value;
          },
        },
        ipcRenderer: { invoke: (...args: unknown[]) => asked.push(args) },
      };
    },
  });

  expect(Object.keys(exposed)).toEqual(["tillgate"]);
  expect(Object.keys(exposed.tillgate!).toSorted()).toEqual([
    "changeDesktop",
    "desktopSettings",
    "endKiosk",
    "isThere",
    "onLink",
    "onQuitAsked",
    "print",
    "printers",
    "updateState",
    "version",
  ]);
  expect(exposed.tillgate!.version).toBe("1.2.3");
  (exposed.tillgate!.print as (options: unknown) => void)({ paperWidthMm: 58, paperHeightMm: 90 });
  expect(asked).toEqual([["receipt:print", { paperWidthMm: 58, paperHeightMm: 90 }]]);
});
