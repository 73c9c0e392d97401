import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** What is kept of this machine's desktop program; whether it starts at login the system knows. */
export interface KeptSettings {
  readonly kiosk: boolean;
  readonly tray: boolean;
}

const FIRST: KeptSettings = { kiosk: false, tray: true };

/** The settings; those of a first start where there are none, or the file is not readable. */
export function readSettings(file: string): KeptSettings {
  try {
    const { kiosk, tray } = JSON.parse(readFileSync(file, "utf8")) as Partial<KeptSettings>;
    return { kiosk: kiosk === true, tray: tray !== false };
  } catch {
    return FIRST;
  }
}

/** Written beside and renamed: a power cut leaves the settings of before. */
export function writeSettings(file: string, settings: KeptSettings): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, `${JSON.stringify(settings)}\n`);
  renameSync(`${file}.part`, file);
}
