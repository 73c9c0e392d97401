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
import type { UpdateFolder } from "./update-record.ts";

/** A start that ends in the middle may be a power cut; this many in a row are a fault. */
const STARTS = 3;

interface Deps {
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
  /** @returns whether the version before is put in the place of this one; else the fault is shown. */
  failed(error: unknown): Promise<boolean>;
  /** This version reached its window. */
  works(): Promise<void>;
}

/** Nothing is undone while it is being developed. */
export const NOT_WATCHED: FirstStart = {
  undoneVersion: undefined,
  goesBackAtOnce: async () => false,
  failed: async () => false,
  works: async () => {},
};

/**
 * A version that came by an update and does not start is undone by the one before, whose installer was kept:
 * it opens the shop with everything there is, or puts the backup from before the update back
 * (rules#backup-go-back). The refusal is on the disk before anything else is done: whenever the power goes,
 * the next start does the same once more. A fault of the machine is no version's.
 */
export function watchFirstStart({ electron, folder, installer, gateway }: Deps): FirstStart {
  const { app, dialog } = electron;
  const version = app.getVersion();
  const { works: before, trying, undone, refused, isReturning } = folder.record;
  const isFirst = before !== undefined && before !== version;
  const starts = (trying?.version === version ? trying.starts : 0) + 1;
  const isUndone = isReturning === true && undone === version;
  if (isFirst && !isUndone) {
    const isNext = isReturning !== true;
    folder.change({
      trying: { version, starts },
      // A person who installs it by hand wants it tried.
      refused: refused.filter((one) => one !== version),
      ...(isNext && { undone: undefined }),
    });
  }

  async function goBack(reason: string): Promise<boolean> {
    const config = checkConfig({ ...gateway, updates: "" });
    const { way } = await findWayBack(config, version);
    const kept = before === undefined ? undefined : await folder.findKept(before);
    const canGoBack = way === "SAME" || way === "BACKUP";
    if (!canGoBack || !kept || !installer) {
      const advice = await adviceAfterFailure(config, version);
      dialog.showErrorBox("Tillgate cannot start", [reason, advice ?? ""].join("\n\n").trim());
      app.exit(1);
      return true;
    }
    const others = refused.filter((one) => one !== version);
    folder.change({ refused: [...others, version], undone: version, isReturning: true });
    process.stderr.write(`Update: ${version} does not start (${reason}); ${before} is put back\n`);
    await installer.install(kept);
    app.exit(0);
    return true;
  }

  return {
    undoneVersion: isUndone ? undefined : folder.record.undone,
    async goesBackAtOnce() {
      if (!isFirst) return false;
      if (isUndone) return goBack("it did not start before");
      return starts > STARTS ? goBack(`${STARTS} starts ended in the middle`) : false;
    },
    async failed(error) {
      const isMachine = error instanceof StartupError && !(error instanceof VersionError);
      if (!isFirst || isMachine) return false;
      try {
        return await goBack(error instanceof Error ? error.message : String(error));
      } catch (fault) {
        process.stderr.write(`Update: ${String(fault)}\n`);
        return false;
      }
    },
    async works() {
      if (before === version && !folder.record.isReturning) return;
      try {
        folder.change({ works: version, trying: undefined, isReturning: false });
        await folder.keepOnly(version);
      } catch (fault) {
        // What cannot be noted keeps nobody from selling.
        process.stderr.write(`Update: ${String(fault)}\n`);
      }
    },
  };
}
