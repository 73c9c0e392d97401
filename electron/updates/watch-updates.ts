import { StartupError } from "../../server/index.ts";
import type { ElectronMain } from "../electron-main.ts";
import type { HostedGateway } from "../gateway-host.ts";
import type { UpdateState } from "../ipc/ipc-map.ts";

export interface UpdateWatch {
  readonly state: () => UpdateState;
  /** Installs a version that is ready, unless something is unfinished. */
  readonly installIfIdle: () => Promise<void>;
  readonly stop: () => void;
}

/**
 * How often the owner's feed is queried, and how often a fetched version checks whether it may be
 * installed.
 */
const ASK_EVERY_MS = 4 * 60 * 60_000;
const LOOK_EVERY_MS = 60_000;

/** @throws StartupError unless it is an https address: its operator decides what runs here */
export function checkFeed(feedUrl: string | undefined): void {
  if (feedUrl === undefined || URL.parse(feedUrl)?.protocol === "https:") {
    return;
  }
  throw new StartupError("TILLGATE_UPDATES must be an https address.");
}

/**
 * Fetches new versions from the feed that the owner named and installs one when no shift is open and
 * nothing is being sent or waits: nobody is interrupted in the middle of a sale or with a drawer that
 * is not counted. Without a feed, or while it is being developed, nothing is contacted. A feed that
 * does not answer is asked again later; it never keeps anybody from selling.
 */
export function watchUpdates(
  { app, autoUpdater }: Pick<ElectronMain, "app" | "autoUpdater">,
  gateway: Pick<HostedGateway, "listUnfinished">,
  feedUrl: string | undefined,
): UpdateWatch {
  let ready = false;
  // Queried twice, the updater would fetch it twice.
  let isAsking = false;
  let isLeaving = false;
  const timers: NodeJS.Timeout[] = [];
  const stop = () => timers.splice(0).forEach(clearInterval);

  async function installIfIdle(): Promise<void> {
    if (!ready || isLeaving) {
      return;
    }
    // A gateway that does not answer may be in the middle of anything.
    const found = await gateway.listUnfinished().catch(() => undefined);
    if (found && found.lines.length === 0 && found.openShifts.length === 0 && !isLeaving) {
      // Once: where the app stays open in spite of it, the new version comes at the next start.
      isLeaving = true;
      autoUpdater.quitAndInstall();
    }
  }

  if (feedUrl !== undefined && app.isPackaged) {
    const stopAsking = () => {
      isAsking = false;
    };
    autoUpdater.on("update-not-available", stopAsking);
    autoUpdater.on("error", (error) => {
      stopAsking();
      report(error);
    });
    autoUpdater.on("update-downloaded", () => {
      stopAsking();
      ready = true;
      void installIfIdle();
    });
    const ask = () => {
      if (ready || isAsking) {
        return;
      }
      isAsking = true;
      try {
        autoUpdater.checkForUpdates();
      } catch (error) {
        stopAsking();
        report(error);
      }
    };
    try {
      autoUpdater.setFeedURL({ url: feedUrl });
      ask();
      timers.push(setInterval(ask, ASK_EVERY_MS).unref());
      timers.push(setInterval(() => void installIfIdle(), LOOK_EVERY_MS).unref());
      app.on("will-quit", stop);
    } catch (error) {
      // Not every system has an updater.
      report(error);
    }
  }
  return { state: () => ({ ready }), installIfIdle, stop };
}

function report(error: unknown): void {
  process.stderr.write(`Update: ${error instanceof Error ? error.message : String(error)}\n`);
}
