import type { ElectronMain } from "../electron-main.ts";
import type { HostedGateway } from "../gateway-host.ts";
import type { UpdateState } from "../ipc/ipc-map.ts";
import type { Installer } from "./installer.ts";
import type { UpdateFolder } from "./update-record.ts";
import type { Fetched, Updater } from "./updater.ts";

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
 * How long an update waits where nothing but purchases that no till sold are under way: programs buy at night too.
 * Such a purchase goes on at the next start, which asks the provider first.
 */
const LONGEST_HELD_MS = 24 * 60 * 60_000;
/** Looks that are left out after what failed or was refused: nobody is asked again and again. */
const LOOKS_LEFT_OUT = 60;

type Gateway = Pick<HostedGateway, "listUnfinished">;

/**
 * Fetches new versions from the feed that the owner named and installs one when no shift is open and
 * nothing is being sent or waits: nobody is interrupted in the middle of a sale or with a drawer that
 * is not counted. Purchases that no till sold hold it back for a day at most (rules#update-waits). Without a feed, or while it is being developed, nothing is contacted. A feed that
 * does not answer is asked again later; it never keeps anybody from selling. What a version is installed
 * from is kept, this one's too, so that the next can be undone. What may fail is done while the till goes on,
 * and tried again; what ends this program comes once the shop is closed.
 */
export class UpdateWatch {
  readonly #app: Pick<ElectronMain["app"], "getVersion" | "on" | "quit" | "relaunch">;
  readonly #gateway: Gateway;
  readonly #means: UpdateMeans;
  #ready: Fetched | undefined;
  /** Queried twice, the updater would fetch it twice. */
  #isAsking = false;
  #isInstalling = false;
  /** What was prepared: nothing is left to do but to end the program. */
  #prepared: string | undefined;
  /** What the program ends for. */
  #leavingFor: string | undefined;
  #leftOut = 0;
  /** Ends the wait for a system that was to end the program. */
  #stopWaiting: (() => void) | undefined;

  constructor({ app }: Pick<ElectronMain, "app">, gateway: Gateway, means: UpdateMeans) {
    this.#app = app;
    this.#gateway = gateway;
    this.#means = means;
  }

  get state(): UpdateState {
    return { ready: this.#ready !== undefined, ...(this.#hasFailed && { failed: true }) };
  }

  /** Whether the program ends, or may, for an update: what is under way was looked at. */
  get endsForUpdate(): boolean {
    const bySystem = this.#isInstalling && this.#means.installer === undefined;
    return this.#leavingFor !== undefined || bySystem;
  }

  /** Asks from now on: once this version is known to work, and what is not needed any more is cleared away. */
  begin(): void {
    if (!this.#means.updater) return;
    this.#ask();
    const timers = [
      setInterval(() => this.#ask(), ASK_EVERY_MS).unref(),
      setInterval(() => this.#look(), LOOK_EVERY_MS).unref(),
    ];
    this.#app.on("will-quit", () => timers.forEach(clearInterval));
  }

  /** The program was to end, and stays: nothing is installed when it ends later on. */
  stays(): void {
    if (!this.endsForUpdate) return;
    this.#leavingFor = undefined;
    this.#leftOut = LOOKS_LEFT_OUT;
    this.#stopWaiting?.();
  }

  /** The last thing that this program does, once the shop is closed: installs what it ends for. */
  async finish(): Promise<void> {
    const { installer } = this.#means;
    if (this.#leavingFor === undefined || !installer) return;
    try {
      await installer.finish(this.#leavingFor);
    } catch (error) {
      report(error);
      this.#noteFailed();
      // A till that works is better than none.
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
      // A sale may have begun meanwhile.
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
    // A gateway that does not answer may be in the middle of anything.
    const found = await this.#gateway.listUnfinished().catch(() => undefined);
    if (!found || found.lines.length > 0 || found.openShifts.length > 0) return false;
    return found.purchases === 0 || this.#isHeldLongEnough(version);
  }

  #isHeldLongEnough(version: string): boolean {
    const { folder } = this.#means;
    const { held } = folder.record;
    const now = Date.now();
    // A clock that was moved back begins it anew.
    if (held?.version === version && held.since <= now) return now - held.since >= LONGEST_HELD_MS;
    folder.change({ held: { version, since: now } });
    return false;
  }

  async #prepare({ version, file, sha512 }: Fetched): Promise<void> {
    const { folder, installer, updater } = this.#means;
    if (installer === undefined) {
      const { promise: stays, resolve } = Promise.withResolvers<void>();
      this.#stopWaiting = resolve;
      // It returns only where the system does not take it: nothing was closed.
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
    this.#leftOut = LOOKS_LEFT_OUT;
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
    // It failed at the end of the start before: not at once again.
    this.#leftOut = this.#hasFailed ? LOOKS_LEFT_OUT : 0;
    await this.#installIfIdle();
  }

  #ask(): void {
    // A later one may be better than one that cannot be installed.
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
  // What a web server said besides has lines of its own.
  const [line] = (error instanceof Error ? error.message : String(error)).split("\n");
  process.stderr.write(`Update: ${line}\n`);
}
