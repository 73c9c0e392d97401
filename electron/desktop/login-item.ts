import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { App } from "electron/main";

/** Whether the program starts when this user signs in to the machine. */
export interface LoginItem {
  isOn(): boolean;
  set(isOn: boolean): void;
}

/** Electron asks the system on Windows and macOS; Linux desktops start what lies in a folder. */
export function loginItem(
  app: Pick<App, "getLoginItemSettings" | "setLoginItemSettings" | "getPath">,
  platform: NodeJS.Platform,
  program: string,
): LoginItem {
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

/** Quoted as desktop entries are: a path may hold spaces. */
function entryFor(program: string): string {
  const quoted = `"${program.replaceAll(/["`$\\]/g, "\\$&").replaceAll("%", "%%")}"`;
  return `[Desktop Entry]\nType=Application\nName=Tillgate\nExec=${quoted}\nTerminal=false\n`;
}
