import { checkConfig, readFeedKey } from "../../server/index.ts";
import type { ElectronMain } from "../electron-main.ts";
import type { InstallEnv } from "../env.ts";
import type { GatewayOptions } from "../gateway-options.ts";
import { type FirstStart, NOT_WATCHED, watchFirstStart } from "./after-update.ts";
import { checkFeed } from "./feed.ts";
import { createInstaller } from "./installer.ts";
import { countStart, takeBackStart } from "./start-count.ts";
import { UpdateFolder } from "./update-record.ts";
import { createUpdater } from "./updater.ts";
import type { UpdateMeans } from "./watch-updates.ts";

export interface UpdateDeps {
  readonly gateway: GatewayOptions;
  /** Where new versions come from; undefined for nowhere. */
  readonly updateFeed?: string | undefined;
  /** How this program is installed; not at all where it is left out. */
  readonly installEnv?: InstallEnv;
  /** How the feed is asked, where not by Electron. */
  readonly updateExecutor?: unknown;
}

const NOT_INSTALLED: InstallEnv = {
  platform: process.platform,
  resourcesPath: "",
  appImage: undefined,
  localAppData: undefined,
};

/**
 * What updates stand on, before the gateway is opened.
 * @throws StartupError where the feed is none that may be asked
 */
export async function prepareUpdates(
  electron: Pick<ElectronMain, "app" | "dialog">,
  { gateway, updateFeed, installEnv = NOT_INSTALLED, updateExecutor }: UpdateDeps,
): Promise<{ firstStart: FirstStart; means: UpdateMeans }> {
  const { app } = electron;
  const folder = new UpdateFolder(checkConfig({ ...gateway, updates: "" }).dataDir);
  if (app.isPackaged) countStart(app, folder);
  const feed = await findFeed(updateFeed, gateway, folder);
  // Nothing is fetched or kept while it is being developed.
  if (!app.isPackaged) {
    const means = { folder, updater: undefined, installer: undefined };
    return { firstStart: NOT_WATCHED, means };
  }
  const installer = createInstaller(electron, installEnv);
  const options = { env: installEnv, dir: folder.dir, executor: updateExecutor };
  const updater = feed && createUpdater(electron, { ...options, feed });
  // The one that asks for it is told why; nobody may ever ask.
  updater?.catch(() => undefined);
  return {
    firstStart: watchFirstStart({ electron, folder, installer, gateway }),
    means: { folder, updater, installer },
  };
}

/** @throws StartupError where it is none that may be asked: no fault of this version's */
async function findFeed(
  place: string | undefined,
  { resourcesDir }: GatewayOptions,
  folder: UpdateFolder,
) {
  try {
    return checkFeed(place, await readFeedKey(resourcesDir));
  } catch (error) {
    takeBackStart(folder);
    throw error;
  }
}
