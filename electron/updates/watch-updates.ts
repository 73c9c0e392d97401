import type { ElectronMain } from "../electron-main.ts";
import type { HostedGateway } from "../gateway-host.ts";
import type { UpdateState } from "../ipc/ipc-map.ts";
import type { Installer } from "./installer.ts";
import type { UpdateFolder } from "./update-record.ts";
import type { Fetched, Updater } from "./updater.ts";

export interface UpdateMeans {
  readonly folder: UpdateFolder;
  /** Undefined without a feed, or in development. */
  readonly updater: Promise<Updater> | undefined;
  /** Undefined if the system installs programs. */
  readonly installer: Installer | undefined;
}

/** Interval of the feed's requests, and of the check whether a fetched version may be installed. */
const REQUEST_INTERVAL_MS = 4 * 60 * 60_000;
const LOOK_EVERY_MS = 60_000;
/**
 * Maximum delay of an update by purchases of programs, which also buy at night. Such a purchase resumes at
 * the next start, which queries the provider first.
 */
const MAX_DELAY_MS = 24 * 60 * 60_000;
/** Number of checks that are skipped after a failure or refusal, so that nobody is asked repeatedly. */
const SKIPPED_CHECKS = 60;

type Gateway = Pick<HostedGateway, "listUnfinished">;

/**
 * Fetches new versions from the owner's feed and installs one when no shift is open and no sale is being sent
 * or waits, so that it interrupts neither a sale nor an uncounted drawer. Purchases of programs delay it for
 * a day at most (rules#update-waits). Without a feed, or in development, nothing is contacted. A feed without
 * an answer is requested again later and never prevents selling. Installers are stored, including this
 * version's, so that the next version can be undone. Steps that may fail run while the till continues, and
 * are repeated; the program ends only after the shop is closed.
 */
export class UpdateWatch {
  readonly #app: Pick<ElectronMain["app"], "getVersion" | "on" | "quit" | "relaunch">;
  readonly #gateway: Gateway;
  readonly #means: UpdateMeans;
  #ready: Fetched | undefined;
  /** True during a request: a second one would fetch the version twice. */
  #isAsking = false;
  #isInstalling = false;
  /** Prepared version, for which the program only has to end. */
  #prepared: string | undefined;
  /** Version for which the program ends. */
  #leavingFor: string | undefined;
  #leftOut = 0;
  /** Ends the wait for a system that should end the program. */
  #stopWaiting: (() => void) | undefined;

  constructor({ app }: Pick<ElectronMain, "app">, gateway: Gateway, means: UpdateMeans) {
    this.#app = app;
    this.#gateway = gateway;
    this.#means = means;
  }

  get state(): UpdateState {
    return { ready: this.#ready !== undefined, ...(this.#hasFailed && { failed: true }) };
  }

  /** True if the program ends for an update, or may: unfinished work was checked. */
  get endsForUpdate(): boolean {
    const bySystem = this.#isInstalling && this.#means.installer === undefined;
    return this.#leavingFor !== undefined || bySystem;
  }

  /** Starts the requests, after this version is known to work, and deletes unneeded files. */
  begin(): void {
    if (!this.#means.updater) return;
    this.#ask();
    const timers = [
      setInterval(() => this.#ask(), REQUEST_INTERVAL_MS).unref(),
      setInterval(() => this.#look(), LOOK_EVERY_MS).unref(),
    ];
    this.#app.on("will-quit", () => timers.forEach(clearInterval));
  }

  /** Cancels the end of the program: a later end installs nothing. */
  stays(): void {
    if (!this.endsForUpdate) return;
    this.#leavingFor = undefined;
    this.#leftOut = SKIPPED_CHECKS;
    this.#stopWaiting?.();
  }

  /** Last action of this program, after the shop is closed: installs the version for which it ends. */
  async finish(): Promise<void> {
    const { installer } = this.#means;
    if (this.#leavingFor === undefined || !installer) return;
    try {
      await installer.finish(this.#leavingFor);
    } catch (error) {
      report(error);
      this.#noteFailed();
      // A working old till is better than none.
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
      // A sale may have started since.
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
    // A gateway without a response may be in the middle of work.
    const found = await this.#gateway.listUnfinished().catch(() => undefined);
    if (!found || found.lines.length > 0 || found.openShifts.length > 0) return false;
    return found.purchases === 0 || this.#isHeldLongEnough(version);
  }

  #isHeldLongEnough(version: string): boolean {
    const { folder } = this.#means;
    const { held } = folder.record;
    const now = Date.now();
    // A clock that was set back restarts the delay.
    if (held?.version === version && held.since <= now) return now - held.since >= MAX_DELAY_MS;
    folder.change({ held: { version, since: now } });
    return false;
  }

  async #prepare({ version, file, sha512 }: Fetched): Promise<void> {
    const { folder, installer, updater } = this.#means;
    if (installer === undefined) {
      const { promise: stays, resolve } = Promise.withResolvers<void>();
      this.#stopWaiting = resolve;
      // Returns only if the system refuses: nothing was closed.
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
    // It failed at the end of the previous run: not at once again.
    this.#leftOut = this.#hasFailed ? SKIPPED_CHECKS : 0;
    await this.#installIfIdle();
  }

  #ask(): void {
    // A later version may be installable.
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
  // Only the first line: the web server's text follows it.
  const [line] = (error instanceof Error ? error.message : String(error)).split("\n");
  process.stderr.write(`Update: ${line}\n`);
}
