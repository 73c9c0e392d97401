import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { _electron, expect, test } from "@playwright/test";
import { readLaunchEnv } from "../electron/env.ts";
import { ensureBuilt } from "../electron/launch/ensure-built.ts";
import { findRuntime } from "../electron/launch/runtime.ts";

const ROOT = join(import.meta.dirname, "..");
const { hasDisplay, runtimeDir } = readLaunchEnv(process.platform);
const runtime = findRuntime(ROOT, runtimeDir);

function obstacle(): string | undefined {
  if (runtime === undefined) {
    return "Electron's runtime is not on this machine: the shell's own tests ran against a stand-in";
  }
  return hasDisplay ? undefined : "There is no display on this machine for a window";
}

const reason = obstacle();
if (reason !== undefined) {
  process.stdout.write(`electron.spec.ts is skipped. ${reason}.\n`);
}

test("the till opens in a locked window, and the gateway ends with the program", async () => {
  test.skip(reason !== undefined, reason ?? "");
  await ensureBuilt(ROOT);
  const folder = await mkdtemp(join(tmpdir(), "tillgate-desktop-"));
  const app = await _electron.launch({
    executablePath: runtime!,
    args: [
      ROOT,
      `--user-data-dir=${folder}`,
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
    env: {
      ...process.env,
      TILLGATE_DATA: join(folder, "data"),
      TILLGATE_PORT: "0",
      XDG_CONFIG_HOME: folder,
    },
  });
  try {
    const page = await app.firstWindow();
    await page.waitForLoadState();
    const url = new URL(page.url());
    expect(url.hostname).toBe("127.0.0.1");

    const world = await page.evaluate(() => ({
      version: window.tillgate?.version,
      node: typeof Reflect.get(window, "require") + typeof Reflect.get(window, "process"),
      opened: window.open("https://example.com/") === null,
    }));
    expect(world).toEqual({ version: "0.1.0", node: "undefinedundefined", opened: true });

    await page.evaluate(() => location.assign("https://example.com/"));
    await expect.poll(() => page.url()).toContain(url.origin);
    expect(await page.evaluate(() => fetch("https://example.com/").catch(() => "no"))).toBe("no");

    await app.close();
    await expect(fetch(url.origin)).rejects.toThrow("fetch failed");
  } finally {
    await app.close().catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
});
