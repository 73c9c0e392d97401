import type * as electron from "electron/main";

/**
 * The part of Electron's main process that the shell uses. It is a parameter, so that the shell can run with
 * a stand-in without Electron's runtime.
 */
export type ElectronMain = Pick<
  typeof electron,
  "app" | "autoUpdater" | "BrowserWindow" | "Menu" | "Tray" | "dialog" | "ipcMain" | "safeStorage"
>;
