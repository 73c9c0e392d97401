import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type {
  App,
  BrowserWindow,
  MenuItemConstructorOptions,
  Tray,
  WebContents,
} from "electron/main";
import { OWN_PIN_HEADER } from "../../server/contract/pos/operation.ts";
import type { Language } from "../../server/contract/pos/setup.ts";
import { sessionOperations } from "../../server/contract/pos/staff.ts";
import type { ElectronMain } from "../electron-main.ts";
import type { HostedGateway } from "../gateway-host.ts";
import { IpcRefusedError } from "../ipc/ipc-arguments.ts";
import type { IpcHandlers } from "../ipc/ipc-main.ts";
import {
  type DesktopChange,
  type DesktopSettings,
  type KioskEnd,
  type KioskEnded,
  LINK_ARRIVED,
  QUIT_ASKED,
  type SaleLink,
} from "../ipc/ipc-map.ts";
import { LEAVE_WORDS } from "../leaving/leave-words.ts";
import { focusWindow } from "../windows/till-window.ts";
import { DESKTOP_WORDS, fill } from "./desktop-words.ts";

/** Refresh interval of the tray. */
const REFRESH_INTERVAL_MS = 15_000;

const FIRST: KeptSettings = { kiosk: false, tray: true };

interface DesktopDeps {
  readonly gateway: HostedGateway;
  readonly isUpdateReady: () => boolean;
  readonly language: Language;
  readonly icon: string;
  readonly platform: NodeJS.Platform;
  readonly program: string;
  /** Set by `--kiosk`: kiosk mode for this start, regardless of the stored settings. */
  readonly startsInKiosk: boolean;
}

export interface DesktopControl {
  readonly handlers: Pick<
    IpcHandlers,
    "desktop:settings" | "desktop:change" | "kiosk:end" | "link:take"
  >;
  attach(window: BrowserWindow): void;
  /** Ends the program. In kiosk mode this requires an owner's PIN. */
  quit(): void;
  open(link: SaleLink | undefined): void;
}

export function desktopControl(electron: ElectronMain, deps: DesktopDeps): DesktopControl {
  const { app } = electron;
  const file = join(app.getPath("userData"), "desktop.json");
  const login = loginItem(app, deps.platform, deps.program);
  let till: { window: BrowserWindow; kiosk: ReturnType<typeof kioskOf> } | undefined;
  let waiting: SaleLink | undefined;
  const tray = gatewayTray(electron, {
    gateway: deps.gateway,
    isUpdateReady: deps.isUpdateReady,
    language: deps.language,
    icon: deps.icon,
    onOpen: () => till && focusWindow(till.window),
    onQuit: quit,
  });

  function quit(): void {
    if (!till?.kiosk.isOn()) return app.quit();
    void askToQuit(electron, till.window, deps);
  }

  function settings(): DesktopSettings {
    const kiosk = till?.kiosk.isOn() ?? false;
    return { startsAtLogin: login.isOn(), kiosk, tray: tray.isOn() };
  }

  async function change(contents: WebContents, wish: DesktopChange): Promise<DesktopSettings> {
    const staffId = await requireOwner(contents, deps.gateway);
    if (wish.kiosk === false && till?.kiosk.isOn()) {
      throw new IpcRefusedError("Kiosk mode ends by the owner's PIN.");
    }
    return keep(staffId, wish);
  }

  async function keep(staffId: string, wish: DesktopChange): Promise<DesktopSettings> {
    // The audit entry is written before the change, so that no change is unrecorded.
    const was = settings();
    await deps.gateway.noteSettings(staffId, { ...was }, { ...was, ...wish });
    const kept = readSettings(file);
    writeSettings(file, { kiosk: wish.kiosk ?? kept.kiosk, tray: wish.tray ?? kept.tray });
    apply(wish, login);
    return settings();
  }

  function apply({ startsAtLogin, kiosk, tray: isShown }: DesktopChange, item: Toggle): void {
    if (startsAtLogin !== undefined) item.set(startsAtLogin);
    if (kiosk !== undefined) till?.kiosk.set(kiosk);
    if (isShown !== undefined) tray.set(isShown);
  }

  return {
    handlers: {
      "desktop:settings": async () => settings(),
      "desktop:change": change,
      "kiosk:end": (contents, end) =>
        endKiosk(contents, end, { app, gateway: deps.gateway, keep, settings }),
      "link:take": async () => {
        const link = waiting;
        waiting = undefined;
        return link ?? null;
      },
    },
    attach(window) {
      till = { window, kiosk: kioskOf(electron, window) };
      const kept = readSettings(file);
      if (kept.kiosk || deps.startsInKiosk) till.kiosk.set(true);
      tray.set(kept.tray);
      app.on("will-quit", () => tray.set(false));
    },
    quit,
    open(link) {
      if (link !== undefined) waiting = link;
      if (till === undefined) return;
      focusWindow(till.window);
      if (link !== undefined) till.window.webContents.send(LINK_ARRIVED);
    },
  };
}

interface KioskDeps {
  readonly app: ElectronMain["app"];
  readonly gateway: HostedGateway;
  keep(staffId: string, wish: DesktopChange): Promise<DesktopSettings>;
  settings(): DesktopSettings;
}

async function endKiosk(
  contents: WebContents,
  { pin, quits }: KioskEnd,
  { app, gateway, keep, settings }: KioskDeps,
): Promise<KioskEnded> {
  const staffId = await requireOwner(contents, gateway);
  const refusal = await checkPin(contents, gateway, pin);
  if (refusal) return { refusal };
  if (!quits) return { settings: await keep(staffId, { kiosk: false }) };
  app.quit();
  return { settings: settings() };
}

/**
 * Asks for the owner's PIN on the page. If no owner is signed in, a message explains how to end
 * kiosk mode.
 */
async function askToQuit(
  { dialog }: ElectronMain,
  window: BrowserWindow,
  { gateway, language }: DesktopDeps,
): Promise<void> {
  const isOwner = await requireOwner(window.webContents, gateway).then(
    () => true,
    () => false,
  );
  if (isOwner) return window.webContents.send(QUIT_ASKED);
  const { kioskTitle, kioskBody, kioskOk } = DESKTOP_WORDS[language];
  const says = { message: kioskTitle, detail: kioskBody, buttons: [kioskOk] };
  await dialog.showMessageBox(window, { type: "info", ...says });
}

/**
 * Reads the signed-in person from the gateway with the page's session cookie, because a page could
 * claim any identity.
 * @returns the owner's id
 */
async function requireOwner(contents: WebContents, { origin }: HostedGateway): Promise<string> {
  const url = `${origin}/pos/session`;
  const answer = await fetch(url, { headers: { cookie: await cookieOf(contents, url) } });
  const { staff } = (await answer.json()) as { staff?: { role?: string; staffId?: string } };
  if (staff?.role !== "owner" || staff.staffId === undefined) {
    throw new IpcRefusedError("Only an owner who is signed in sets this.");
  }
  return staff.staffId;
}

type KioskRefusal = Extract<KioskEnded, { refusal: unknown }>["refusal"];

/** @returns the reason of the refusal; undefined if the PIN is correct */
async function checkPin(
  contents: WebContents,
  { origin }: HostedGateway,
  pin: string,
): Promise<KioskRefusal | undefined> {
  const url = `${origin}/pos${sessionOperations.confirm.path}`;
  const cookie = await cookieOf(contents, url);
  const answer = await fetch(url, {
    method: "POST",
    headers: { cookie, [OWN_PIN_HEADER]: pin },
  });
  if (answer.ok) return undefined;
  return { status: answer.status, body: (await answer.json()) as KioskRefusal["body"] };
}

async function cookieOf(contents: WebContents, url: string): Promise<string> {
  const cookies = await contents.session.cookies.get({ url });
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** Settings that the program stores. The system stores whether the program starts at sign-in. */
interface KeptSettings {
  readonly kiosk: boolean;
  readonly tray: boolean;
}

function readSettings(file: string): KeptSettings {
  try {
    const { kiosk, tray } = JSON.parse(readFileSync(file, "utf8")) as Partial<KeptSettings>;
    return { kiosk: kiosk === true, tray: tray !== false };
  } catch {
    return FIRST;
  }
}

/** Writes atomically: after a power cut the old settings remain. */
function writeSettings(file: string, settings: KeptSettings): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, `${JSON.stringify(settings)}\n`);
  renameSync(`${file}.part`, file);
}

interface Toggle {
  isOn(): boolean;
  set(isOn: boolean): void;
}

/**
 * Controls kiosk mode: the till fills the screen, without window controls and other programs. Only
 * an owner's PIN, a system shutdown or an update ends kiosk mode; no key does.
 */
function kioskOf(
  { app, autoUpdater }: Pick<ElectronMain, "app" | "autoUpdater">,
  window: BrowserWindow,
): Toggle {
  let isQuitting = false;
  const letGo = () => {
    isQuitting = true;
  };
  app.on("before-quit", letGo);
  // An update closes the windows before the program quits.
  autoUpdater.on("before-quit-for-update", letGo);
  // Runs before all other listeners, which then see that the close is already prevented.
  window.prependListener("close", (event: { preventDefault(): void }) => {
    if (window.isKiosk() && !isQuitting) {
      event.preventDefault();
    }
  });
  window.on("session-end", letGo);
  return {
    isOn: () => window.isKiosk(),
    set(isOn) {
      window.setKiosk(isOn);
      window.setMenuBarVisibility(false);
    },
  };
}

interface TrayDeps {
  readonly gateway: Pick<HostedGateway, "listUnfinished">;
  readonly isUpdateReady: () => boolean;
  readonly onOpen: () => void;
  readonly onQuit: () => void;
  readonly icon: string;
  readonly language: Language;
}

function gatewayTray(
  { Tray: SystemTray, Menu }: Pick<ElectronMain, "Tray" | "Menu">,
  { gateway, isUpdateReady, onOpen, onQuit, icon, language: first }: TrayDeps,
): Toggle {
  let tray: Tray | undefined;
  let timer: NodeJS.Timeout | undefined;
  let language = first;

  async function refresh(): Promise<void> {
    const lines = await describeState();
    if (tray === undefined) return;
    const words = DESKTOP_WORDS[language];
    const state = lines.map((label): MenuItemConstructorOptions => ({ label, enabled: false }));
    tray.setToolTip(["Tillgate", ...lines].join("\n"));
    tray.setContextMenu(
      Menu.buildFromTemplate([
        ...state,
        { type: "separator" },
        { label: words.open, click: onOpen },
        { label: words.quit, click: onQuit },
      ]),
    );
  }

  async function describeState(): Promise<string[]> {
    try {
      const unfinished = await gateway.listUnfinished();
      language = unfinished.language;
      const words = DESKTOP_WORDS[language];
      const number = unfinished.lines.length;
      const { purchases } = unfinished;
      return [
        words.running,
        ...(number > 0 ? [fill(words.waiting, { number })] : []),
        ...(purchases > 0 ? [fill(LEAVE_WORDS[language].purchases, { number: purchases })] : []),
        ...(isUpdateReady() ? [words.updateReady] : []),
      ];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return [fill(DESKTOP_WORDS[language].stopped, { reason })];
    }
  }

  return {
    isOn: () => tray !== undefined,
    set(isOn) {
      if (isOn === (tray !== undefined)) return;
      if (!isOn) {
        clearInterval(timer);
        tray?.destroy();
        tray = undefined;
        return;
      }
      tray = new SystemTray(icon);
      tray.on("click", onOpen);
      timer = setInterval(() => void refresh(), REFRESH_INTERVAL_MS).unref();
      void refresh();
    },
  };
}

export function loginItem(
  app: Pick<App, "getLoginItemSettings" | "setLoginItemSettings" | "getPath">,
  platform: NodeJS.Platform,
  program: string,
): Toggle {
  if (platform !== "linux") {
    return {
      isOn: () => app.getLoginItemSettings().openAtLogin,
      set: (isOn) => app.setLoginItemSettings({ openAtLogin: isOn }),
    };
  }
  const folder = join(app.getPath("appData"), "autostart");
  const file = join(folder, "tillgate.desktop");
  return {
    isOn: () => existsSync(file),
    set(isOn) {
      if (!isOn) {
        rmSync(file, { force: true });
        return;
      }
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, entryFor(program));
    },
  };
}

/** Quotes the path as desktop entries require, because it may contain spaces. */
function entryFor(program: string): string {
  const quoted = `"${program.replaceAll(/["`$\\]/g, "\\$&").replaceAll("%", "%%")}"`;
  return `[Desktop Entry]\nType=Application\nName=Tillgate\nExec=${quoted}\nTerminal=false\n`;
}
