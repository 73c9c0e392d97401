import type { ElectronMain } from "../electron-main.ts";
import type { HostedGateway } from "../gateway-host.ts";
import type { UpdateState } from "../ipc/ipc-map.ts";
import type { Installer } from "./installer.ts";
import type { UpdateFolder } from "./update-record.ts";
import type { Fetched, Updater } from "./updater.ts";

export interface UpdateWatch {
  readonly state: () => UpdateState;
  /** Asks from now on: once this version is known to work, and what is not needed any more is cleared away. */
  readonly begin: () => void;
  /** Installs a version that is ready, unless something is unfinished. */
  readonly installIfIdle: () => Promise<void>;
  readonly stop: () => void;
}

export interface UpdateMeans {
  readonly folder: UpdateFolder;
  /** undefined where no feed is named, or while it is being developed. */
  readonly updater: Promise<Updater> | undefined;
  /** undefined where the system installs programs. */
  readonly installer: Installer | undefined;
}

/**
 * How often the owner's feed is queried, and how often a fetched version checks whether it may be
 * installed.
 */
const ASK_EVERY_MS = 4 * 60 * 60_000;
const LOOK_EVERY_MS = 60_000;

/**
 * Fetches new versions from the feed that the owner named and installs one when no shift is open and
 * nothing is being sent or waits: nobody is interrupted in the middle of a sale or with a drawer that
 * is not counted. Without a feed, or while it is being developed, nothing is contacted. A feed that
 * does not answer is asked again later; it never keeps anybody from selling. What a version is installed
 * from is kept, this one's too, so that the next can be undone.
 */
export function watchUpdates(
  { app }: Pick<ElectronMain, "app">,
  gateway: Pick<HostedGateway, "listUnfinished" | "close">,
  { folder, updater, installer }: UpdateMeans,
): UpdateWatch {
  let ready: Fetched | undefined;
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
      await install(ready).catch(report);
    }
  }

  async function install({ version }: Fetched): Promise<void> {
    if (installer === undefined) {
      // The system ends this program as it likes: the shop is on the disk before.
      await gateway.close();
      (await updater)?.install();
      return;
    }
    const kept = await folder.findKept(version);
    if (kept === undefined) throw new Error(`the installer of ${version} is not as it was fetched`);
    await installer.install(kept);
    app.quit();
  }

  async function fetch(): Promise<void> {
    const fetched = await (await updater)?.fetchNewer(
      (version) => !folder.record.refused.includes(version),
    );
    if (!fetched) return;
    if (installer) {
      if (installer.ownFile !== undefined) await folder.keep(app.getVersion(), installer.ownFile);
      await folder.keep(fetched.version, fetched.file);
    }
    ready = fetched;
    await installIfIdle();
  }

  function ask(): void {
    if (ready || isAsking) {
      return;
    }
    isAsking = true;
    fetch()
      .catch(report)
      .finally(() => {
        isAsking = false;
      });
  }

  function begin(): void {
    if (!updater) return;
    ask();
    timers.push(setInterval(ask, ASK_EVERY_MS).unref());
    timers.push(setInterval(() => void installIfIdle(), LOOK_EVERY_MS).unref());
    app.on("will-quit", stop);
  }
  return { state: () => ({ ready: ready !== undefined }), begin, installIfIdle, stop };
}

function report(error: unknown): void {
  // What a web server said besides has lines of its own.
  const [line] = (error instanceof Error ? error.message : String(error)).split("\n");
  process.stderr.write(`Update: ${line}\n`);
}
