import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startApp } from "../bootstrap.ts";
import { ElectronStandIn } from "../testing/electron-stand-in.ts";

/** An update and the shop's work: the real gateway, and a system updater that a test speaks for. */
const FEED = "https://updates.example/tillgate";
let folder: string;
let running: ElectronStandIn[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  folder = await mkdtemp(join(tmpdir(), "tillgate-update-"));
  await writeFile(join(folder, "index.html"), "<!doctype html><title>The till</title>");
  running = [];
});
afterEach(async () => {
  vi.useRealTimers();
  for (const electron of running) {
    if (electron.exitCode === undefined) {
      for (const window of electron.windows) window.isClosed = true;
      electron.asElectron().app.quit();
      await electron.ended;
    }
  }
  await rm(folder, { recursive: true, force: true });
});

async function start(feed: string | undefined, isPackaged = true): Promise<ElectronStandIn> {
  const electron = new ElectronStandIn({ isPackaged });
  running.push(electron);
  await startApp(electron.asElectron(), {
    gateway: {
      dataDir: join(folder, "data"),
      port: 0,
      logLevel: "silent",
      rendererDir: folder,
      resourcesDir: join(import.meta.dirname, "../../resources"),
    },
    preload: join(folder, "preload.cjs"),
    updateFeed: feed,
  });
  return electron;
}

/** An owner at the till of a shop that is set up. */
async function openShop(electron: ElectronStandIn) {
  const { url } = electron.windows[0]!;
  const json = { "content-type": "application/json" };
  const body = { shopName: "S", currency: "USD", language: "en", ownerPin: "471183" };
  const request = { method: "POST", headers: json, body: JSON.stringify(body) };
  const answer = await fetch(`${url}/pos/setup`, request);
  const cookie = answer.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  return async (path: string, sent: object) => {
    const posted = { method: "POST", headers: { ...json, cookie }, body: JSON.stringify(sent) };
    expect((await fetch(`${url}/pos${path}`, posted)).status).toBe(200);
  };
}

async function stateSaid(electron: ElectronStandIn): Promise<unknown> {
  const url = `${electron.windows[0]!.url}/`;
  return electron.invoke("update:state", { url, parent: null });
}

test("nothing is contacted where no feed is named, nor while it is being developed", async () => {
  for (const [feed, isPackaged] of [
    [undefined, true],
    [FEED, false],
  ] as const) {
    const electron = await start(feed, isPackaged);
    vi.advanceTimersByTime(24 * 60 * 60_000);
    expect(electron.autoUpdater).toMatchObject({ feedUrl: undefined, asked: 0 });
    expect(await stateSaid(electron)).toEqual({ ready: false });
    electron.asElectron().app.quit();
    await electron.ended;
  }
});

test("a version that is fetched waits for the shift to end, and says so meanwhile", async () => {
  const electron = await start(FEED);
  const post = await openShop(electron);
  const shiftId = "0b6f3a52-6a2e-4c1b-9f0e-1f2a3b4c5d6e";
  await post("/shifts", { shiftId, float: 0 });
  expect(electron.autoUpdater).toMatchObject({ feedUrl: FEED, asked: 1 });
  expect(await stateSaid(electron)).toEqual({ ready: false });

  electron.autoUpdater.emit("update-downloaded");
  expect(await stateSaid(electron)).toEqual({ ready: true });
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(electron.autoUpdater.installed).toBe(0);
  expect(electron.questions).toEqual([]);

  await post(`/shifts/${shiftId}/close`, { counted: 0 });
  vi.advanceTimersByTime(60_000);
  await electron.ended;
  expect(electron.autoUpdater.installed).toBe(1);
  expect([electron.exitCode, electron.questions]).toEqual([0, []]);
});

test("a version is installed at once where nothing is open", async () => {
  const electron = await start(FEED);
  electron.autoUpdater.emit("update-downloaded");
  await electron.ended;
  expect(electron.autoUpdater.installed).toBe(1);
});

test("the feed is asked again every four hours, never twice at once, and may fail", async () => {
  const electron = await start(FEED);
  vi.advanceTimersByTime(9 * 60 * 60_000);
  expect(electron.autoUpdater.asked).toBe(1);
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  electron.autoUpdater.emit("error", new Error("the feed does not answer"));
  expect(written).toHaveBeenCalledWith("Update: the feed does not answer\n");
  written.mockRestore();
  vi.advanceTimersByTime(4 * 60 * 60_000);
  expect(electron.autoUpdater.asked).toBe(2);
  electron.autoUpdater.emit("update-not-available");
  vi.advanceTimersByTime(4 * 60 * 60_000);
  expect(electron.autoUpdater.asked).toBe(3);
});

test("a feed that anybody on the way could answer for is refused, in one line", async () => {
  const electron = await start("http://updates.example");
  expect(electron.exitCode).toBe(1);
  expect(electron.errorBoxes[0]?.content).toBe("TILLGATE_UPDATES must be an https address.");
  expect(electron.windows).toEqual([]);
});
