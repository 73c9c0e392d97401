import type { ElectronMain } from "../electron-main.ts";
import type { HostedGateway } from "../gateway-host.ts";
import type { UpdateState } from "../ipc/ipc-map.ts";
import type { Installer } from "./installer.ts";
import type { UpdateFolder } from "./update-record.ts";
import type { Fetched, Updater } from "./updater.ts";

export interface UpdateMeans {
  readonly folder: UpdateFolder;
  /** Undefined without a feed, and in development. */
  readonly updater: Promise<Updater> | undefined;
  /** Undefined if the system installs updates. */
  readonly installer: Installer | undefined;
}

const REQUEST_INTERVAL_MS = 4 * 60 * 60_000;
const LOOK_EVERY_MS = 60_000;
/** Maximum time for which purchases by API key delay an update. They resume at the next start. */
const MAX_DELAY_MS = 24 * 60 * 60_000;
/** Number of checks skipped after a failure, so that people are not asked repeatedly. */
const SKIPPED_CHECKS = 60;

type Gateway = Pick<HostedGateway, "listUnfinished">;

/**
 * Fetches new versions from the owner's feed. Installs a version when no shift is open and no sale
 * is unfinished. Purchases by API key delay it for a day at most (rules#update-waits). Stores every
 * installer, so that the next version can be undone.
 */
export class UpdateWatch {
  readonly #app: Pick<ElectronMain["app"], "getVersion" | "on" | "quit" | "relaunch">;
  readonly #gateway: Gateway;
  readonly #means: UpdateMeans;
  #ready: Fetched | undefined;
  #isAsking = false;
  #isInstalling = false;
  /** Version that is ready to be installed when this program ends. */
  #prepared: string | undefined;
  #leavingFor: string | undefined;
  #leftOut = 0;
  #stopWaiting: (() => void) | undefined;

  constructor({ app }: Pick<ElectronMain, "app">, gateway: Gateway, means: UpdateMeans) {
    this.#app = app;
    this.#gateway = gateway;
    this.#means = means;
  }

  get state(): UpdateState {
    return { ready: this.#ready !== undefined, ...(this.#hasFailed && { failed: true }) };
  }

  /** True if the program is ending for an update, or waits until the system ends it. */
  get endsForUpdate(): boolean {
    const bySystem = this.#isInstalling && this.#means.installer === undefined;
    return this.#leavingFor !== undefined || bySystem;
  }

  /** Starts to request the feed. Called when this version's page is visible. */
  begin(): void {
    if (!this.#means.updater) return;
    this.#ask();
    const timers = [
      setInterval(() => this.#ask(), REQUEST_INTERVAL_MS).unref(),
      setInterval(() => this.#look(), LOOK_EVERY_MS).unref(),
    ];
    this.#app.on("will-quit", () => timers.forEach(clearInterval));
  }

  /** Cancels the installation, because the program stays open. */
  stays(): void {
    if (!this.endsForUpdate) return;
    this.#leavingFor = undefined;
    this.#leftOut = SKIPPED_CHECKS;
    this.#stopWaiting?.();
  }

  async finish(): Promise<void> {
    const { installer } = this.#means;
    if (this.#leavingFor === undefined || !installer) return;
    try {
      await installer.finish(this.#leavingFor);
    } catch (error) {
      report(error);
      this.#noteFailed();
      // Restarts the old version, because an old till is better than none.
      this.#app.relaunch();
    }
  }

  get #hasFailed(): boolean {
    const { record } = this.#means.folder;
    return this.#ready !== undefined && record.failed === this.#ready.version;
  }

  async #installIfIdle(): Promise<void> {
    const isLeaving = this.#leavingFor !== undefined;
    if (!this.#ready || this.#isInstalling || isLeaving || this.#leftOut > 0) return;
    this.#isInstalling = true;
    try {
      if (this.#prepared === undefined && (await this.#mayInstall(this.#ready))) {
        await this.#prepare(this.#ready);
      }
      // Checks again, because a sale may have started during the preparation.
      if (this.#prepared !== undefined && (await this.#mayInstall(this.#ready))) {
        this.#leavingFor = this.#prepared;
        this.#app.quit();
      }
    } catch (error) {
      report(error);
      this.#noteFailed();
    } finally {
      this.#isInstalling = false;
    }
  }

  async #mayInstall({ version }: Fetched): Promise<boolean> {
    // A gateway that does not respond may be busy with a sale.
    const found = await this.#gateway.listUnfinished().catch(() => undefined);
    if (!found || found.lines.length > 0 || found.openShifts.length > 0) return false;
    return found.purchases === 0 || this.#isHeldLongEnough(version);
  }

  #isHeldLongEnough(version: string): boolean {
    const { folder } = this.#means;
    const { held } = folder.record;
    const now = Date.now();
    // Restarts the delay if the clock was set back.
    if (held?.version === version && held.since <= now) return now - held.since >= MAX_DELAY_MS;
    folder.change({ held: { version, since: now } });
    return false;
  }

  async #prepare({ version, file, sha512 }: Fetched): Promise<void> {
    const { folder, installer, updater } = this.#means;
    if (installer === undefined) {
      const { promise: stays, resolve } = Promise.withResolvers<void>();
      this.#stopWaiting = resolve;
      // `install` settles only if the system refuses the installation.
      await Promise.race([(await updater)?.install(), stays]);
      return;
    }
    const found = installer.asksNobody ? await folder.findKept(version) : file;
    if (found === undefined) {
      throw new Error(`the installer of ${version} is not as it was fetched`);
    }
    await installer.prepare(found, sha512);
    this.#prepared = found;
  }

  #noteFailed(): void {
    this.#leftOut = SKIPPED_CHECKS;
    this.#means.folder.change({ failed: this.#ready?.version });
  }

  async #fetch(): Promise<void> {
    const { folder, installer, updater } = this.#means;
    const fetched = await (await updater)?.fetchNewer(
      (version) => !folder.record.refused.includes(version),
    );
    if (!fetched || fetched.version === this.#ready?.version) return;
    if (installer?.asksNobody) {
      const { ownFile } = installer;
      if (ownFile !== undefined) await folder.keep(this.#app.getVersion(), ownFile);
      await folder.keep(fetched.version, fetched.file);
    }
    this.#ready = fetched;
    this.#prepared = undefined;
    // Skips checks if an installation failed at the end of the previous run.
    this.#leftOut = this.#hasFailed ? SKIPPED_CHECKS : 0;
    await this.#installIfIdle();
  }

  #ask(): void {
    // After a failure, requests the feed again, because it may offer a later version that works.
    const isWaiting = this.#ready !== undefined && !this.#hasFailed;
    if (this.#isAsking || this.#isInstalling || isWaiting) return;
    this.#isAsking = true;
    this.#fetch()
      .catch(report)
      .finally(() => {
        this.#isAsking = false;
      });
  }

  #look(): void {
    if (this.#leftOut > 0) this.#leftOut -= 1;
    void this.#installIfIdle();
  }
}

function report(error: unknown): void {
  // Prints only the first line, because the rest is the web server's text.
  const [line] = (error instanceof Error ? error.message : String(error)).split("\n");
  process.stderr.write(`Update: ${line}\n`);
}
