import type { BrowserWindow } from "electron/main";
import type { ElectronMain } from "../electron-main.ts";

export interface Kiosk {
  isOn(): boolean;
  set(isOn: boolean): void;
}

/**
 * The till alone on the screen, with no window to close and no other program beside it. An owner
 * ends it in the settings, after their PIN, and no key quits before that; the system's own shutdown and an update
 * end the program all the same.
 */
export function kioskOf(
  { app, autoUpdater }: Pick<ElectronMain, "app" | "autoUpdater">,
  window: BrowserWindow,
): Kiosk {
  let isQuitting = false;
  const letGo = () => {
    isQuitting = true;
  };
  app.on("before-quit", letGo);
  // An update closes the windows before the program quits.
  autoUpdater.on("before-quit-for-update", letGo);
  // Before all others that listen: a close by a key is nobody's wish here.
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
