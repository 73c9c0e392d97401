import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { copyFirstStart } from "../../server/testing/first-day.ts";
import { startOnKeptThread } from "../../server/testing/kept-threads.ts";
import { startApp } from "../bootstrap.ts";
import { readKeptPort } from "../first-start/kept-port.ts";
import { ElectronStandIn } from "../testing/electron-stand-in.ts";
import { PreventableEvent } from "../testing/window-stand-in.ts";
import { loginItem } from "./desktop-control.ts";

let folder: string;
let running: ElectronStandIn[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillgate-desktop-"));
  await writeFile(join(folder, "index.html"), "<!doctype html>");
  await copyFirstStart(join(folder, "data"));
  running = [];
});
afterEach(async () => {
  for (const electron of running) {
    if (electron.exitCode !== undefined) continue;
    for (const window of electron.windows) window.isClosed = true;
    electron.asElectron().app.quit();
    await electron.ended;
  }
  await rm(folder, { recursive: true, force: true });
});

async function start(args: readonly string[] = []) {
  const electron = new ElectronStandIn({ isPackaged: true, userData: join(folder, "user") });
  running.push(electron);
  await startApp(electron.asElectron(), {
    gateway: {
      dataDir: join(folder, "data"),
      port: 0,
      logLevel: "silent",
      rendererDir: folder,
      resourcesDir: join(import.meta.dirname, "../../resources"),
      startErrand: startOnKeptThread,
    },
    preload: join(folder, "preload.cjs"),
    args,
    program: "/opt/Till gate/tillgate",
  });
  const [window] = electron.windows;
  if (!window) throw new Error("no window was opened");
  const top = { url: window.url, parent: null };
  const ask = (channel: string, ...given: unknown[]) => electron.invoke(channel, top, ...given);
  return { electron, window, ask };
}

async function signIn({ window }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const owner = { shopName: "Sol", currency: "USD", language: "fr", ownerPin: "471183" };
  const answer = await fetch(`${window.url}/pos/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(owner),
  });
  window.webContents.session.cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
}

async function changesOf({ window }: Awaited<ReturnType<typeof start>>): Promise<unknown[]> {
  const answer = await fetch(`${window.url}/pos/audit-trail?limit=50&action=settings.change`, {
    headers: { cookie: window.webContents.session.cookie },
  });
  const { list } = (await answer.json()) as { list: { staff?: object; detail: object }[] };
  expect(list.every(({ staff }) => staff !== undefined)).toBe(true);
  return list.map(({ detail }) => detail);
}

async function quit({ electron, window }: Awaited<ReturnType<typeof start>>): Promise<void> {
  electron.asElectron().app.quit();
  await electron.ended;
  expect(window.isClosed).toBe(true);
}

describe("the owner's settings", () => {
  test("survive a restart, and can be changed only by an owner", async () => {
    const first = await start();
    await expect(first.ask("desktop:change", { kiosk: true })).rejects.toThrow("Only an owner");
    expect(first.window.kiosk).toBe(false);
    await signIn(first);
    const set = await first.ask("desktop:change", { kiosk: true, tray: false });
    expect(await changesOf(first)).toEqual([
      { kiosk: true, "kiosk.was": false, tray: false, "tray.was": true },
    ]);
    // Setting the same value again is not recorded as a change.
    await first.ask("desktop:change", { kiosk: true });
    expect(await changesOf(first)).toHaveLength(1);
    expect(set).toMatchObject({ kiosk: true, tray: false });
    expect([first.window.kiosk, first.electron.trays[0]?.isDestroyed]).toEqual([true, true]);
    await quit(first);

    const second = await start();
    expect(await second.ask("desktop:settings")).toMatchObject({ kiosk: true, tray: false });
    expect(second.electron.trays).toEqual([]);
  });

  test.each([[{ kiosk: 1 }], [{ devTools: true }], [null], ["kiosk"]])(
    "refuse the unknown switch %j",
    async (wish) => {
      const till = await start();
      await signIn(till);
      await expect(till.ask("desktop:change", wish)).rejects.toMatchObject({
        name: "IpcRefusedError",
      });
    },
  );

  test("start the program at sign-in with an autostart file on Linux", () => {
    const app = { getPath: () => folder } as unknown as Parameters<typeof loginItem>[0];
    const item = loginItem(app, "linux", "/opt/Till gate/tillgate");
    const file = join(folder, "autostart/tillgate.desktop");
    expect(item.isOn()).toBe(false);
    item.set(true);
    expect(readFileSync(file, "utf8")).toContain('Exec="/opt/Till gate/tillgate"\n');
    expect(item.isOn()).toBe(true);
    item.set(false);
    expect(existsSync(file)).toBe(false);
  });

  test("start the program at sign-in with the system's login items on Windows and macOS", () => {
    const electron = new ElectronStandIn();
    const item = loginItem(electron.asElectron().app, "win32", "tillgate.exe");
    item.set(true);
    expect([item.isOn(), electron.startsAtLogin]).toEqual([true, true]);
  });
});

describe("kiosk mode", () => {
  test("hides the window controls, and ends only with the owner's PIN", {
    tags: ["thorough"],
  }, async () => {
    const till = await start(["--kiosk"]);
    expect(till.window.kiosk).toBe(true);
    till.window.close();
    await new Promise(setImmediate);
    expect(till.window.isClosed).toBe(false);
    expect(till.electron.questions).toEqual([]);
    // The window stays open, so the port file is not written.
    expect(readKeptPort(join(folder, "data"))).toBeUndefined();
    await signIn(till);
    await expect(till.ask("desktop:change", { kiosk: false })).rejects.toThrow("PIN");
    const wrong = await till.ask("kiosk:end", { pin: "112233", quits: false });
    expect(wrong).toMatchObject({ refusal: { status: 401, body: { errorCode: "PIN_WRONG" } } });
    expect(till.window.kiosk).toBe(true);
    await till.ask("kiosk:end", { pin: "471183", quits: false });
    till.window.close();
    await till.electron.ended;
    expect(till.electron.exitCode).toBe(0);
  });

  test("requires the owner's PIN for the quit shortcut", {
    tags: ["thorough"],
  }, async () => {
    const till = await start(["--kiosk"]);
    const quit = () => {
      const items = till.electron.menu.flatMap(({ submenu }) =>
        Array.isArray(submenu) ? submenu : [],
      );
      const item = items.find(({ accelerator }) => accelerator === "CommandOrControl+Q");
      expect(item).toBeDefined();
      (item!.click as () => void)();
    };
    quit();
    await new Promise(setImmediate);
    expect(till.window.isClosed).toBe(false);
    await expect.poll(() => JSON.stringify(till.electron.questions)).toContain("quiosco");
    await signIn(till);
    quit();
    await expect.poll(() => till.window.webContents.sent).toContain("kiosk:quit-asked");
    await till.ask("kiosk:end", { pin: "471183", quits: true });
    await till.electron.ended;
    expect(till.electron.exitCode).toBe(0);
  });

  test("does not prevent an update from ending the program", async () => {
    const till = await start(["--kiosk"]);
    till.electron.autoUpdater.emit("before-quit-for-update");
    till.window.close();
    await till.electron.ended;
    expect(till.electron.exitCode).toBe(0);
  });
});

describe("the tray", () => {
  test("shows the gateway's state in the shop's language", async () => {
    const till = await start();
    const tray = till.electron.trays[0]!;
    await expect.poll(() => tray.toolTip).toContain("running");
    await signIn(till);
    await till.ask("desktop:change", { tray: false });
    await till.ask("desktop:change", { tray: true });
    const shown = till.electron.trays[1]!;
    await expect.poll(() => shown.toolTip).toBe("Tillgate\nTillgate fonctionne");
    const labels = shown.menu.map(({ label }) => label);
    expect(labels).toEqual(["Tillgate fonctionne", undefined, "Ouvrir la caisse", "Quitter"]);
    till.window.minimized = true;
    shown.emit("click");
    expect(till.window.calls.at(-1)).toBe("focus");
  });
});

describe("a sale link", () => {
  test("reaches the page exactly once if the link started the program", async () => {
    const { electron, ask } = await start(["tillgate", "tillgate://sale/42"]);
    expect(electron.schemes).toEqual(["tillgate"]);
    expect(await ask("link:take")).toEqual({ number: "42" });
    expect(await ask("link:take")).toBeNull();
  });

  test("opens in the existing window, by a second start or by an event of macOS", async () => {
    const { electron, window, ask } = await start();
    window.minimized = true;
    electron.app.emit("second-instance", {}, ["tillgate", "tillgate://sale/7"]);
    expect(window.calls.slice(-3)).toEqual(["restore", "show", "focus"]);
    expect(window.webContents.sent).toEqual(["link:arrived"]);
    expect(await ask("link:take")).toEqual({ number: "7" });
    const event = new PreventableEvent();
    electron.app.emit("open-url", event, "tillgate://sale/8");
    expect([event.prevented, await ask("link:take")]).toEqual([true, { number: "8" }]);
    electron.app.emit("second-instance", {}, ["tillgate", "tillgate://office/settings"]);
    expect(await ask("link:take")).toBeNull();
  });
});
