import type { MenuItemConstructorOptions } from "electron/main";
import type { ElectronMain } from "../electron-main.ts";

/**
 * Installs a menu without a shortcut that closes the window: Ctrl+W during a sale would end the
 * program.
 */
export function installMenu({ Menu }: Pick<ElectronMain, "Menu">, options: MenuOptions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)));
}

interface MenuOptions {
  readonly development: boolean;
  /**
   * Replaces the system's quit command, because that command would end kiosk mode without a PIN.
   */
  readonly onQuit: () => void;
}

function menuTemplate({ development, onQuit }: MenuOptions): MenuItemConstructorOptions[] {
  const separator: MenuItemConstructorOptions = { type: "separator" };
  const quit = { label: "Quit", accelerator: "CommandOrControl+Q", click: () => onQuit() };
  return [
    { label: "File", submenu: [printItem(), separator, quit] },
    {
      label: "Edit",
      submenu: [
        { role: "undo" },
        { role: "redo" },
        separator,
        { role: "cut" },
        { role: "copy" },
        { role: "paste" },
        { role: "selectAll" },
      ],
    },
    {
      label: "View",
      submenu: [
        { role: "resetZoom" },
        { role: "zoomIn" },
        { role: "zoomOut" },
        separator,
        { role: "togglefullscreen" },
        ...(development
          ? ([separator, { role: "reload" }, { role: "toggleDevTools" }] as const)
          : []),
      ],
    },
  ];
}

function printItem(): MenuItemConstructorOptions {
  return {
    label: "Print page…",
    accelerator: "CommandOrControl+P",
    click: (_item, window) => {
      if (window !== undefined && "webContents" in window) {
        (window as Electron.BrowserWindow).webContents.print();
      }
    },
  };
}
