import { checkConfig, readFeedKey } from "../../server/index.ts";
import type { ElectronMain } from "../electron-main.ts";
import type { InstallEnv } from "../env.ts";
import type { GatewayOptions } from "../gateway-options.ts";
import { type FirstStart, NOT_WATCHED, watchFirstStart } from "./after-update.ts";
import { checkFeed } from "./feed.ts";
import { createInstaller } from "./installer.ts";
import { countStart, uncountStart } from "./start-count.ts";
import { UpdateFolder } from "./update-record.ts";
import { createUpdater } from "./updater.ts";
import type { UpdateMeans } from "./watch-updates.ts";

export interface UpdateDeps {
  readonly gateway: GatewayOptions;
  readonly updateFeed?: string | undefined;
  readonly installEnv?: InstallEnv;
  readonly updateExecutor?: unknown;
}

const NOT_INSTALLED: InstallEnv = {
  platform: process.platform,
  resourcesPath: "",
  appImage: undefined,
  localAppData: undefined,
};

/**
 * Prepares the updater and the installer before the gateway is opened.
 * @throws StartupError if the feed is not permitted
 */
export async function prepareUpdates(
  electron: Pick<ElectronMain, "app" | "dialog">,
  { gateway, updateFeed, installEnv = NOT_INSTALLED, updateExecutor }: UpdateDeps,
): Promise<{ firstStart: FirstStart; means: UpdateMeans }> {
  const { app } = electron;
  const folder = new UpdateFolder(checkConfig({ ...gateway, updates: "" }).dataDir);
  if (app.isPackaged) countStart(app, folder);
  const feed = await findFeed(updateFeed, gateway, folder);
  if (!app.isPackaged) {
    const means = { folder, updater: undefined, installer: undefined };
    return { firstStart: NOT_WATCHED, means };
  }
  const installer = createInstaller(electron, installEnv);
  const options = { env: installEnv, dir: folder.dir, executor: updateExecutor };
  const updater = feed && createUpdater(electron, { ...options, feed });
  // Prevents an unhandled rejection. The caller that awaits the updater handles its error.
  updater?.catch(() => undefined);
  return {
    firstStart: watchFirstStart({ electron, folder, installer, gateway }),
    means: { folder, updater, installer },
  };
}

/**
 * @throws StartupError if the feed is not permitted; such a start does not count against the
 * version
 */
async function findFeed(
  place: string | undefined,
  { resourcesDir }: GatewayOptions,
  folder: UpdateFolder,
) {
  try {
    return checkFeed(place, await readFeedKey(resourcesDir));
  } catch (error) {
    uncountStart(folder);
    throw error;
  }
}
