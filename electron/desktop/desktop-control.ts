import { join } from "node:path";
import type { BrowserWindow, WebContents } from "electron/main";
import type { Language } from "../../server/contract/pos/setup.ts";
import type { ElectronMain } from "../electron-main.ts";
import type { HostedGateway } from "../gateway-host.ts";
import { IpcRefusedError } from "../ipc/ipc-arguments.ts";
import type { IpcHandlers } from "../ipc/ipc-main.ts";
import {
  type DesktopChange,
  type DesktopSettings,
  LINK_ARRIVED,
  type SaleLink,
} from "../ipc/ipc-map.ts";
import { focusWindow } from "../windows/till-window.ts";
import { readSettings, writeSettings } from "./desktop-settings.ts";
import { DESKTOP_WORDS } from "./desktop-words.ts";
import { kioskOf } from "./kiosk.ts";
import { type LoginItem, loginItem } from "./login-item.ts";
import { gatewayTray } from "./tray.ts";

interface DesktopDeps {
  readonly gateway: HostedGateway;
  readonly isUpdateReady: () => boolean;
  readonly language: Language;
  /** Of the tray. */
  readonly icon: string;
  readonly platform: NodeJS.Platform;
  /** What is started at login. */
  readonly program: string;
  /** `--kiosk`: for this start, whatever the settings say. */
  readonly startsInKiosk: boolean;
}

export interface DesktopControl {
  readonly handlers: Pick<IpcHandlers, "desktop:settings" | "desktop:change" | "link:take">;
  /** What the settings say is done to the till's window, once. */
  attach(window: BrowserWindow): void;
  /** A person wants the program to end: kiosk mode is left by an owner's PIN alone. */
  quit(): void;
  /** Shows the window, and gives its page the link. */
  open(link: SaleLink | undefined): void;
}

/** What an owner sets of the desktop program, and the links that it opens. */
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
    const { kioskTitle, kioskBody, kioskOk } = DESKTOP_WORDS[deps.language];
    const says = { message: kioskTitle, detail: kioskBody, buttons: [kioskOk] };
    void electron.dialog.showMessageBox(till.window, { type: "info", ...says });
  }

  function settings(): DesktopSettings {
    const kiosk = till?.kiosk.isOn() ?? false;
    return { startsAtLogin: login.isOn(), kiosk, tray: tray.isOn() };
  }

  async function change(contents: WebContents, wish: DesktopChange): Promise<DesktopSettings> {
    const staffId = await requireOwner(contents, deps.gateway);
    // On record first: what cannot be recorded is not changed.
    const was = settings();
    await deps.gateway.noteSettings(staffId, { ...was }, { ...was, ...wish });
    const kept = readSettings(file);
    writeSettings(file, { kiosk: wish.kiosk ?? kept.kiosk, tray: wish.tray ?? kept.tray });
    apply(wish, login);
    return settings();
  }

  function apply({ startsAtLogin, kiosk, tray: isShown }: DesktopChange, item: LoginItem): void {
    if (startsAtLogin !== undefined) item.set(startsAtLogin);
    if (kiosk !== undefined) till?.kiosk.set(kiosk);
    if (isShown !== undefined) tray.set(isShown);
  }

  return {
    handlers: {
      "desktop:settings": async () => settings(),
      "desktop:change": change,
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

/**
 * The gateway is asked who is signed in, by the page's own session: a page's word is not enough.
 * @returns the owner's id
 */
async function requireOwner(contents: WebContents, { origin }: HostedGateway): Promise<string> {
  const url = `${origin}/pos/session`;
  const cookies = await contents.session.cookies.get({ url });
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const answer = await fetch(url, { headers: { cookie } });
  const { staff } = (await answer.json()) as { staff?: { role?: string; staffId?: string } };
  if (staff?.role !== "owner" || staff.staffId === undefined) {
    throw new IpcRefusedError("Only an owner who is signed in sets this.");
  }
  return staff.staffId;
}
