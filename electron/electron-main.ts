import type * as electron from "electron/main";

/**
 * The part of Electron's main process the shell uses. It is handed over as a parameter, so that
 * the shell can be run against a stand-in where Electron's runtime is not there.
 */
export type ElectronMain = Pick<
  typeof electron,
  "app" | "autoUpdater" | "BrowserWindow" | "Menu" | "Tray" | "dialog" | "ipcMain" | "safeStorage"
>;
