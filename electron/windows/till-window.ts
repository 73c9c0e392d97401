import type { BrowserWindow } from "electron/main";
import type { ElectronMain } from "../electron-main.ts";
import { VERSION_ARGUMENT } from "../ipc/ipc-map.ts";
import { lockedPreferences } from "./lockdown.ts";

export interface TillWindowOptions {
  readonly url: string;
  readonly preload: string;
  readonly development: boolean;
}

export async function createTillWindow(
  { app, BrowserWindow }: Pick<ElectronMain, "app" | "BrowserWindow">,
  { url, preload, development }: TillWindowOptions,
): Promise<BrowserWindow> {
  const window = new BrowserWindow({
    title: "Tillgate",
    width: 1280,
    height: 800,
    minWidth: 960,
    minHeight: 640,
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      ...lockedPreferences(preload, development),
      additionalArguments: [`${VERSION_ARGUMENT}${app.getVersion()}`],
    },
  });
  window.once("ready-to-show", () => window.show());
  await window.loadURL(url);
  return window;
}

export function focusWindow(window: BrowserWindow): void {
  if (window.isDestroyed()) {
    return;
  }
  if (window.isMinimized()) {
    window.restore();
  }
  window.show();
  window.focus();
}
