import type * as electron from "electron/main";

/** The part of Electron's main process that the shell uses. Tests pass a stand-in. */
export type ElectronMain = Pick<
  typeof electron,
  "app" | "autoUpdater" | "BrowserWindow" | "Menu" | "Tray" | "dialog" | "ipcMain" | "safeStorage"
>;
