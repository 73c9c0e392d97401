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
import { countStart, takeBackStart } from "./start-count.ts";
import type { UpdateFolder } from "./update-record.ts";

/** A start that ends in the middle may be a power cut; this many in a row are a fault. */
const STARTS = 3;

interface AfterUpdateDeps {
  readonly electron: Pick<ElectronMain, "app" | "dialog">;
  readonly folder: UpdateFolder;
  readonly installer: Installer | undefined;
  readonly gateway: GatewayOptions;
}

/** Watches the first start of a version that came by an update. */
export interface FirstStart {
  /** The version that this one was put in the place of. */
  readonly undoneVersion: string | undefined;
  /** Whether the version before is being put in the place of this one: then nothing is to be started. */
  goesBackAtOnce(): Promise<boolean>;
  /** Whether the version before could be put in the place of this one now. */
  canGoBack(): Promise<boolean>;
  /** @returns whether the version before is put in the place of this one; else the fault is shown. */
  failed(error: unknown): Promise<boolean>;
  /** A person ended this start, or the machine did. */
  isNotCounted(): void;
  /** The page of this version is there. */
  works(): Promise<void>;
}

/** Nothing is undone while it is being developed. */
export const NOT_WATCHED: FirstStart = {
  undoneVersion: undefined,
  goesBackAtOnce: async () => false,
  canGoBack: async () => false,
  failed: async () => false,
  isNotCounted: () => {},
  works: async () => {},
};

/**
 * A version that came by an update and does not start is undone by the one before, whose installer was kept:
 * it opens the shop with everything there is, or puts the backup from before the update back
 * (rules#backup-go-back). A fault of the machine is no version's.
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

  /** @returns the way, or what to do by hand */
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
      return starts > STARTS ? goBack(`${STARTS} starts ended in the middle`) : false;
    },
    async canGoBack() {
      return isFirst && !hasWorked && (await findWay()).kept !== undefined;
    },
    async failed(error) {
      if (!isFirst || hasWorked) return false;
      if (error instanceof StartupError && !(error instanceof VersionError)) {
        takeBackStart(folder);
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
      if (isFirst) takeBackStart(folder);
    },
    async works() {
      hasWorked = true;
      if (before === version && !folder.record.isReturning) return;
      try {
        const over = { trying: undefined, failed: undefined, held: undefined };
        folder.change({ works: version, ...over, isReturning: false });
        await folder.keepOnly(version);
      } catch (fault) {
        // What cannot be noted keeps nobody from selling.
        process.stderr.write(`Update: ${String(fault)}\n`);
      }
    },
  };
}
