import {
  adviceAfterFailure,
  checkConfig,
  findWayBack,
  StartupError,
  VersionError,
} from "../../server/index.ts";
import type { ElectronMain } from "../electron-main.ts";
import type { GatewayOptions } from "../gateway-options.ts";
import type { Installer } from "./installer.ts";
import { putBack } from "./put-back.ts";
import { countStart, uncountStart } from "./start-count.ts";
import type { UpdateFolder } from "./update-record.ts";

/** Number of interrupted starts that count as an error. Fewer may be power failures. */
const MAX_STARTS = 3;

interface AfterUpdateDeps {
  readonly electron: Pick<ElectronMain, "app" | "dialog">;
  readonly folder: UpdateFolder;
  readonly installer: Installer | undefined;
  readonly gateway: GatewayOptions;
}

export interface FirstStart {
  readonly undoneVersion: string | undefined;
  /**
   * @returns true if the previous version is replacing this version, so that the caller must stop
   */
  goesBackAtOnce(): Promise<boolean>;
  canGoBack(): Promise<boolean>;
  /** @returns true if the previous version replaces this version, or if the error was shown */
  failed(error: unknown): Promise<boolean>;
  /** Takes back the count of this start, because a person or the machine ended it. */
  isNotCounted(): void;
  works(): Promise<void>;
}

/** Used in development, where versions are not undone. */
export const NOT_WATCHED: FirstStart = {
  undoneVersion: undefined,
  goesBackAtOnce: async () => false,
  canGoBack: async () => false,
  failed: async () => false,
  isNotCounted: () => {},
  works: async () => {},
};

/**
 * Undoes an installed update that does not start, with the previous version's stored installer. The
 * shop keeps all data, or returns to the backup from before the update (rules#backup-go-back).
 * Errors of the machine do not count against a version.
 */
export function watchFirstStart({
  electron,
  folder,
  installer,
  gateway,
}: AfterUpdateDeps): FirstStart {
  const { app, dialog } = electron;
  const version = app.getVersion();
  const { before, isFirst, isUndone, starts } = countStart(app, folder);
  let hasWorked = false;
  if (isFirst && !isUndone) folder.change({ trying: { version, starts, wasRead: true } });

  /** @returns the previous version with its stored installer, or instructions for a person */
  async function findWay() {
    const config = checkConfig({ ...gateway, updates: "" });
    const { way } = await findWayBack(config, version);
    const kept = before === undefined ? undefined : await folder.findKept(before);
    if ((way === "SAME" || way === "BACKUP") && kept !== undefined && installer?.asksNobody) {
      return { kept, installer };
    }
    return { advice: await adviceAfterFailure(config, version) };
  }

  async function goBack(reason: string): Promise<boolean> {
    const { kept, advice, installer: by } = await findWay();
    if (kept === undefined || !by) {
      dialog.showErrorBox("Tillgate cannot start", [reason, advice ?? ""].join("\n\n").trim());
      app.exit(1);
      return true;
    }
    await putBack(electron, { folder, installer: by, before, kept, reason });
    return true;
  }

  return {
    undoneVersion: isUndone ? undefined : folder.record.undone,
    async goesBackAtOnce() {
      if (!isFirst) return false;
      if (isUndone) return goBack("it did not start before");
      return starts > MAX_STARTS ? goBack(`${MAX_STARTS} starts ended in the middle`) : false;
    },
    async canGoBack() {
      return isFirst && !hasWorked && (await findWay()).kept !== undefined;
    },
    async failed(error) {
      if (!isFirst || hasWorked) return false;
      if (error instanceof StartupError && !(error instanceof VersionError)) {
        uncountStart(folder);
        return false;
      }
      try {
        return await goBack(error instanceof Error ? error.message : String(error));
      } catch (fault) {
        process.stderr.write(`Update: ${String(fault)}\n`);
        return false;
      }
    },
    isNotCounted() {
      if (isFirst) uncountStart(folder);
    },
    async works() {
      hasWorked = true;
      if (before === version && !folder.record.isReturning) return;
      try {
        const over = { trying: undefined, failed: undefined, held: undefined };
        folder.change({ works: version, ...over, isReturning: false });
        await folder.keepOnly(version);
      } catch (fault) {
        // A failure to write the record must not prevent selling.
        process.stderr.write(`Update: ${String(fault)}\n`);
      }
    },
  };
}
