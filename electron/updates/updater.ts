import { type KeyObject, randomUUID } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type * as electronUpdater from "electron-updater";
import type { AppUpdater, UpdateInfo } from "electron-updater";
import { requireFresh, requireSigned, SIGNATURE_SUFFIX } from "../../server/index.ts";
import type { ElectronMain } from "../electron-main.ts";
import type { InstallEnv } from "../env.ts";
import type { Feed } from "./feed.ts";
import { isDebian } from "./installer.ts";
import { digestOf } from "./update-record.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._+-]*$/;

export interface Fetched {
  readonly version: string;
  readonly file: string;
  readonly sha512: string;
}

export interface Updater {
  fetchNewer(mayFetch: (version: string) => boolean): Promise<Fetched | undefined>;
  /**
   * Makes the system install the last fetched version, which ends this program.
   * @throws Error if the system refuses; the program then continues
   */
  install(): Promise<never>;
}

export interface UpdaterOptions {
  readonly feed: Feed;
  readonly env: InstallEnv;
  readonly dir: string;
  readonly executor?: unknown;
}

type Library = typeof electronUpdater;

/**
 * Creates an updater based on electron-updater, which checks the checksum, the signature and the
 * staged roll-out.
 */
export async function createUpdater(
  { app }: Pick<ElectronMain, "app">,
  options: UpdaterOptions,
): Promise<Updater> {
  const imported = (await import("electron-updater")) as Library & { default?: Library };
  const updater = makeUpdater(imported.default ?? imported, adapterOf(app, options), options.env);
  await setExecutor(updater, options.executor);
  updater.autoDownload = true;
  updater.autoInstallOnAppQuit = false;
  updater.disableWebInstaller = true;
  updater.allowPrerelease = false;
  updater.logger = { info: () => {}, warn: () => {}, error: () => {} };
  await setFeed(updater, options.feed);
  const isSupported = updater.isUpdateSupported;
  return {
    async fetchNewer(mayFetch) {
      updater.isUpdateSupported = async (info) => mayFetch(info.version) && isSupported(info);
      const result = await updater.checkForUpdates();
      if (!result?.isUpdateAvailable || !result.downloadPromise) return undefined;
      const [file] = await result.downloadPromise;
      if (file === undefined) return undefined;
      const { version, files } = result.updateInfo;
      const sha512 = await digestOf(file);
      if (!files.some((one) => one.sha512 === sha512)) {
        throw new Error(`the installer of ${version} is not as the feed says`);
      }
      return { version, file, sha512 };
    },
    install: () =>
      new Promise((_resolve, reject) => {
        updater.once("error", reject);
        updater.quitAndInstall(true, true);
      }),
  };
}

function makeUpdater(
  library: Library,
  adapter: ReturnType<typeof adapterOf>,
  { platform, resourcesPath }: InstallEnv,
): AppUpdater {
  if (platform === "win32") return new library.NsisUpdater(undefined, adapter);
  if (platform === "darwin") return new library.MacUpdater(undefined, adapter);
  return isDebian(resourcesPath)
    ? new library.DebUpdater(undefined, adapter)
    : new library.AppImageUpdater(undefined, adapter);
}

function adapterOf(app: ElectronMain["app"], { env, dir, feed }: UpdaterOptions) {
  const ofInstaller = join(env.resourcesPath, "app-update.yml");
  return {
    version: app.getVersion(),
    name: "tillgate",
    isPackaged: app.isPackaged,
    appUpdateConfigPath: existsSync(ofInstaller) ? ofInstaller : writeConfig(dir, feed),
    userDataPath: dir,
    baseCachePath: dir,
    whenReady: () => app.whenReady(),
    relaunch: () => app.relaunch(),
    quit: () => app.quit(),
    onQuit: () => {},
  };
}

function writeConfig(dir: string, { place }: Feed): string {
  mkdirSync(dir, { mode: 0o700, recursive: true });
  const file = join(dir, "app-update.yml");
  const config = { provider: "generic", url: place, updaterCacheDirName: "fetched" };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

async function setExecutor(updater: AppUpdater, given: unknown): Promise<void> {
  let executor = given;
  if (executor === undefined) {
    const { ElectronHttpExecutor } = await import("electron-updater/out/electronHttpExecutor.js");
    executor = new ElectronHttpExecutor((_info, answer) => answer("", ""));
  }
  Object.assign(updater, { httpExecutor: executor });
}

async function setFeed(updater: AppUpdater, { place, key }: Feed): Promise<void> {
  const isFolder = !/^https?:/i.test(place);
  const url = isFolder ? (await serveFolder(place)).url : place;
  // Partial downloads from a local folder save nothing.
  updater.disableDifferentialDownload = isFolder;
  if (key) {
    const SignedProvider = await signedProvider(key, url);
    updater.setFeedURL({ provider: "custom", updateProvider: SignedProvider });
  } else updater.setFeedURL({ provider: "generic", url });
}

/**
 * Serves a folder to this program, because the updater reads only web servers. A secret in the URL
 * keeps other programs out.
 */
async function serveFolder(folder: string): Promise<{ url: string; server: Server }> {
  const secret = `/${randomUUID()}/`;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://feed").pathname;
    const name = path.startsWith(secret) ? path.slice(secret.length) : "";
    if (!NAME.test(name)) {
      response.writeHead(404).end();
      return;
    }
    const file = join(folder, name);
    stat(file).then(
      ({ size }) => {
        response.writeHead(200, { "content-length": size });
        createReadStream(file)
          .on("error", () => response.destroy())
          .pipe(response);
      },
      () => response.writeHead(404).end(),
    );
  });
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${secret}`, server };
}

/**
 * Returns the class of a provider that requires an unexpired, signed list of versions. `NAME.sig`
 * contains the signature of the list `NAME`.
 */
async function signedProvider(key: KeyObject, url: string) {
  const { GenericProvider } = await import("electron-updater/out/providers/GenericProvider.js");
  const { parseUpdateInfo } = await import("electron-updater/out/providers/Provider.js");
  const { getChannelFilename, newUrlFromBase } = await import("electron-updater/out/util.js");
  type Given = ConstructorParameters<typeof GenericProvider>;
  const base = new URL(url.endsWith("/") ? url : `${url}/`);

  return class SignedProvider extends GenericProvider {
    constructor(_config: unknown, updater: Given[1], runtime: Given[2]) {
      super({ provider: "generic", url }, updater, runtime);
    }

    override async getLatestVersion(): Promise<UpdateInfo> {
      const file = getChannelFilename(this.getDefaultChannelName());
      const address = newUrlFromBase(file, base);
      const text = (await this.httpRequest(address)) ?? "";
      const beside = newUrlFromBase(`${file}${SIGNATURE_SUFFIX}`, base);
      const signature = (await this.httpRequest(beside)) ?? "";
      requireSigned(Buffer.from(text), signature, key);
      const info: UpdateInfo & { expires?: string } = parseUpdateInfo(text, file, address);
      requireFresh(info.expires, { now: Date.now(), isSigned: true });
      return info;
    }
  };
}
