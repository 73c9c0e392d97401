import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApp } from "../bootstrap.ts";
import type { InstallEnv } from "../env.ts";
import { ElectronStandIn } from "./electron-stand-in.ts";
import { createNodeExecutor, ReleaseFeed } from "./release-feed.ts";

interface Start {
  readonly version?: string;
  readonly installEnv?: Partial<InstallEnv>;
  readonly isPageEmpty?: boolean;
  readonly hasOwnPort?: boolean;
  readonly port?: number;
  readonly pressed?: number;
  readonly feed?: string;
}

/**
 * A machine with the desktop program and a feed of versions. Gateway and updater are not stand-ins.
 */
export class UpdatingShop {
  readonly folder = mkdtempSync(join(tmpdir(), "tillgate-updating-"));
  readonly program = join(this.folder, "Tillgate.AppImage");
  readonly dataDir = join(this.folder, "data");
  readonly #running: ElectronStandIn[] = [];
  readonly feed: ReleaseFeed;
  readonly #resourcesDir: string;

  private constructor(feed: ReleaseFeed) {
    this.feed = feed;
    this.#resourcesDir = feed.makeResources(join(this.folder, "resources"));
    writeFileSync(join(this.folder, "index.html"), "<!doctype html><title>The till</title>");
    this.writeProgram(this.program, "version 1.2.3");
  }

  static async open(): Promise<UpdatingShop> {
    return new UpdatingShop(await ReleaseFeed.start());
  }

  get inPlace(): string {
    return readFileSync(this.program, "utf8");
  }

  get record(): Record<string, unknown> {
    const text = readFileSync(join(this.dataDir, "updates", "versions.json"), "utf8");
    return JSON.parse(text) as Record<string, unknown>;
  }

  writeProgram(file: string, text: string): void {
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  }

  async start({ version = "1.2.3", ...given }: Start = {}): Promise<ElectronStandIn> {
    const { isPageEmpty = false, pressed = 0, feed = this.feed.url, port = 0 } = given;
    const electron = new ElectronStandIn({ isPackaged: true, version, isPageEmpty });
    electron.pressed = pressed;
    this.#running.push(electron);
    await startApp(electron.asElectron(), {
      gateway: {
        dataDir: this.dataDir,
        port,
        hasOwnPort: given.hasOwnPort ?? false,
        logLevel: "silent",
        rendererDir: this.folder,
        resourcesDir: this.#resourcesDir,
      },
      preload: join(this.folder, "preload.cjs"),
      updateFeed: feed === "" ? undefined : feed,
      installEnv: {
        platform: "linux",
        resourcesPath: this.folder,
        appImage: this.program,
        localAppData: undefined,
        ...given.installEnv,
      },
      updateExecutor: createNodeExecutor(),
      longestForPage_ms: 100,
    });
    return electron;
  }

  async quit(electron: ElectronStandIn): Promise<void> {
    for (const window of electron.windows) window.isClosed = true;
    electron.asElectron().app.quit();
    await electron.ended;
  }

  async state(electron: ElectronStandIn): Promise<unknown> {
    return electron.invoke("update:state", { url: `${electron.windows[0]?.url}/`, parent: null });
  }

  async close(): Promise<void> {
    for (const electron of this.#running) {
      if (electron.exitCode === undefined) await this.quit(electron);
    }
    await this.feed.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
