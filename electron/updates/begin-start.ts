import { checkConfig } from "../../server/before-start.ts";
import type { ElectronMain } from "../electron-main.ts";
import type { InstallEnv } from "../env.ts";
import { createInstaller } from "./installer.ts";
import { putBack } from "./put-back.ts";
import { countStart } from "./start-count.ts";
import { UpdateFolder } from "./update-record.ts";

interface BeginStartDeps {
  readonly rendererDir: string;
  readonly resourcesDir: string;
  readonly dataDir?: string;
  readonly installEnv: InstallEnv;
}

/**
 * Counts this start before the rest of the program is loaded, so that a version whose program
 * cannot be read is also undone.
 * @param read loads and starts the rest of the program
 */
export async function beginStart(
  electron: Pick<ElectronMain, "app" | "dialog">,
  { installEnv, ...places }: BeginStartDeps,
  read: () => Promise<unknown>,
): Promise<void> {
  const { app, dialog } = electron;
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  const folder = app.isPackaged ? count(app, places) : undefined;
  try {
    await read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${error instanceof Error ? error.stack : reason}\n`);
    await app.whenReady();
    const advice = folder && (await undo(electron, { folder, installEnv, reason }));
    if (advice === "undone") return;
    const said = [`This version of Tillgate cannot be read: ${reason.split("\n")[0]}`, advice];
    dialog.showErrorBox("Tillgate cannot start", said.filter(Boolean).join("\n\n"));
    app.exit(1);
  }
}

/** Counts the start. Ignores errors, which must not prevent selling and are reported later. */
function count(app: ElectronMain["app"], places: Parameters<typeof checkConfig>[0]) {
  try {
    const folder = new UpdateFolder(checkConfig({ ...places, updates: "" }).dataDir);
    countStart(app, folder);
    return folder;
  } catch (error) {
    process.stderr.write(`Update: ${String(error)}\n`);
    return undefined;
  }
}

interface Failed {
  readonly folder: UpdateFolder;
  readonly installEnv: InstallEnv;
  readonly reason: string;
}

/**
 * Undoes a version that was never loaded, and therefore never changed the shop's data.
 * @returns "undone", or instructions for a person, if any
 */
async function undo(
  electron: Pick<ElectronMain, "app" | "dialog">,
  { folder, installEnv, reason }: Failed,
): Promise<string | undefined> {
  const { before, isFirst } = countStart(electron.app, folder);
  if (!isFirst || before === undefined || folder.record.trying?.wasRead) return undefined;
  const byHand = `Install Tillgate ${before} again: it goes on with everything there is.`;
  try {
    const kept = await folder.findKept(before);
    const installer = createInstaller(electron, installEnv);
    if (kept === undefined || !installer?.asksNobody) return byHand;
    await putBack(electron, { folder, installer, before, kept, reason });
    return "undone";
  } catch (fault) {
    process.stderr.write(`Update: ${String(fault)}\n`);
    return byHand;
  }
}
