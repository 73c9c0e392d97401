import { type GatewayConfig, StartupError } from "./config/config.ts";
import { isPlainToServer, PLAIN_DATABASE_WARNING } from "./config/database.ts";
import { isPlainOnNetwork, PLAIN_HTTP_WARNING, requireSafeNetwork } from "./config/plain-http.ts";
import type { Language } from "./contract/pos/setup.ts";
import type { Unfinished } from "./contract/pos/shifts.ts";
import { noteCleanEnd, takeCleanEnd } from "./db/clean-end.ts";
import { lockDataDir } from "./db/database-files.ts";
import { buildApp } from "./gateway/app.ts";
import type { Overrides } from "./gateway/base.ts";
import { readAhead } from "./gateway/compiled-code.ts";
import { type Context, createContext } from "./gateway/context.ts";
import { DEFAULT_ACCOUNT } from "./gateway/first-start.ts";
import { openNetwork } from "./gateway/network.ts";
import { createSandboxOpener } from "./gateway/open-sandbox.ts";
import { requireUsablePlace } from "./gateway/preflight.ts";
import { damageError, NewerDatabase } from "./gateway/usable-database.ts";
import type { App } from "./http/app-types.ts";
import { LaterApp } from "./http/later-app.ts";
import { ServerSet } from "./http/server-set.ts";
import { noteAddress } from "./lib/address-file.ts";
import { SECOND, systemClock } from "./lib/clock.ts";
import type { Log } from "./lib/log.ts";
import { describeStorageFault } from "./lib/storage-fault.ts";
import { recordAudit, whatChanged } from "./modules/books/audit-trail/index.ts";
import { finishRestore, restoreAsAsked } from "./modules/safety/backups/index.ts";
import { type GoneBack, goBackIfUntouched } from "./modules/safety/updates/index.ts";

export type { StartErrand } from "./background/background.ts";
export { checkConfig, type GatewayConfig, StartupError, VersionError } from "./config/config.ts";
export { Problem } from "./contract/problem.ts";
export { databaseExists } from "./db/database-files.ts";
export { DEFAULT_ACCOUNT } from "./gateway/first-start.ts";
export type { Log } from "./lib/log.ts";
export {
  createRandomKey,
  DESKTOP_SEAL,
  type FileSealer,
  KEYRING_SEAL,
  openKeyringText,
  SealError,
  type Sealer,
  type SealKey,
  sealKeyringText,
  toSealKey,
} from "./lib/sealer.ts";
export { flushPath } from "./lib/write-file.ts";
export { copyShop, type FoundShop, lookAtShop } from "./modules/safety/backups/index.ts";
export {
  adviceAfterFailure,
  FEED_KEY_FILE,
  findWayBack,
  type NewerVersion,
  readFeedKey,
  requireFresh,
  requireSigned,
  SIGNATURE_SUFFIX,
  signFeed,
} from "./modules/safety/updates/index.ts";

type HostSettings = Readonly<Record<string, boolean>>;

export interface UnderWay extends Unfinished {
  /** Number of open purchases without a till, such as purchases by API key. */
  readonly purchases: number;
  readonly language: Language;
}

/** A gateway: Tillgate without the desktop window. */
export interface Gateway {
  /**
   * Listens and starts work. After a crash, first reads a large database completely, and refuses
   * requests during this time.
   * @throws StartupError if the port is not available
   */
  listen(): Promise<{
    url: string;
    host: string;
    port: number;
    apiUrl: string | undefined;
    tillUrl: string | undefined;
  }>;
  /**
   * Checks the whole database when `readAhead` has finished, unless the start has checked it. If
   * the database is damaged, sales stop, and the host should close the gateway.
   * @throws StartupError if the database is damaged; names the remedy
   */
  whenChecked(): Promise<void>;
  /**
   * Loads the parts of the program that a start omits. Must be called before `whenChecked`, which
   * reports loading errors.
   */
  readAhead(): void;
  /**
   * Records that this version works. Every host calls this when all its parts have started. Until
   * then, a version that changed the tables may be undone (rules#backup-go-back).
   */
  noteWorks(): Promise<void>;
  close(): Promise<void>;
  /** Lists work that closing or an update should not interrupt. */
  listUnfinished(): Promise<UnderWay>;
  /** Records the values that an owner has changed in the host's settings in the audit trail. */
  noteSettings(staffId: string, before: HostSettings, after: HostSettings): Promise<void>;
  /** Rejects if the gateway fails to reopen with a restored shop. Otherwise, never settles. */
  whenFailed(): Promise<never>;
  readonly context: Context;
}

/**
 * Opens the gateway of a data directory. The gateway does not listen yet.
 * @throws StartupError, for example if the directory is unusable
 */
export async function createGateway(
  config: GatewayConfig,
  overrides: Overrides = {},
): Promise<Gateway> {
  requireSafeNetwork(config);
  const who = { accountId: DEFAULT_ACCOUNT, clock: overrides.clock ?? systemClock };
  if (config.database === undefined) await restoreAsAsked(config, who);
  const first = await openOrGoBack(config, overrides, who);
  return config.database === undefined ? openAgainWhenAsked(first, config, overrides) : first;
}

async function openOrGoBack(
  config: GatewayConfig,
  overrides: Overrides,
  who: Parameters<typeof goBackIfUntouched>[1],
): Promise<Gateway> {
  try {
    return await openGateway(config, overrides);
  } catch (error) {
    if (!(error instanceof NewerDatabase)) throw error;
    const goneBack = await goBackIfUntouched(config, who);
    if (!goneBack) throw error;
    return openGateway(config, overrides, goneBack);
  }
}

/** Reopens the gateway on the same port after the set-up screen has restored a shop. */
function openAgainWhenAsked(first: Gateway, config: GatewayConfig, overrides: Overrides): Gateway {
  let current = first;
  let port: number | undefined;
  let isClosed = false;
  let opening: Promise<void> | undefined;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  watch();

  function watch(): void {
    void current.context.whenToOpenAgain.then(() => {
      if (isClosed || port === undefined) return;
      opening = reopen({ ...config, port }).catch(failed.reject);
    });
  }

  async function reopen(again: GatewayConfig): Promise<void> {
    await current.close();
    current = await openGateway(again, overrides);
    watch();
    try {
      await current.listen();
    } catch (error) {
      await current.close();
      throw error;
    }
    current.readAhead();
    await current.whenChecked();
    await current.noteWorks();
  }

  return {
    get context() {
      return current.context;
    },
    async listen() {
      const listening = await current.listen();
      port = listening.port;
      return listening;
    },
    whenChecked: () => current.whenChecked(),
    readAhead: () => current.readAhead(),
    noteWorks: () => current.noteWorks(),
    listUnfinished: () => current.listUnfinished(),
    noteSettings: (...change) => current.noteSettings(...change),
    whenFailed: () => failed.promise,
    async close() {
      isClosed = true;
      await opening;
      await current.close();
    },
  };
}

/** @param goneBack the undone update to a newer version, if any */
async function openGateway(
  config: GatewayConfig,
  overrides: Overrides,
  goneBack?: GoneBack,
): Promise<Gateway> {
  const stack = new AsyncDisposableStack();
  let closed: Promise<void> | undefined;
  const isFile = config.database === undefined;
  const lock = takeLock(config.dataDir);
  stack.defer(() => lock.release());
  try {
    requireUsablePlace({ dataDir: config.dataDir, clock: overrides.clock ?? systemClock });
    if (isFile) await finishRestore(config.dataDir);
    const endedClean = isFile && takeCleanEnd(config.dataDir);
    const ctx = await createContext(config, overrides, { isGateway: true, endedClean });
    stack.defer(() => disposeAndNote(ctx));
    if (goneBack) ctx.log.error({ ...goneBack }, "update failed to start: its change was undone");
    const servers = new ServerSet();
    const till = new LaterApp();
    const app = await buildApp(ctx, servers, till);
    stack.defer(() => app.close());
    ctx.namedSandboxes?.load(createSandboxOpener(ctx));
    const work = new Work(ctx);
    stack.defer(() => work.stop());
    let checked: Promise<void> | undefined;
    let ahead: Promise<void> | undefined;
    return {
      context: ctx,
      async whenChecked() {
        await Promise.all([checked, ahead]);
        if (closed) return;
        checked ??= requireWhole(ctx, config);
        await checked;
      },
      async listen() {
        const own = await listenOn(app, config, ctx.log);
        stack.defer(await noteAddress({ ...config, log: ctx.log }, own));
        const network = await openNetwork(ctx, app, servers);
        stack.defer(() => network.close());
        if (ctx.check.when === "before work") {
          checked = requireWhole(ctx, config).then(async () => {
            if (closed) return;
            await ctx.countMissing();
            await work.start();
          });
          // Handles the rejection, because some hosts do not await `checked`.
          checked.catch((error: unknown) => ctx.log.error({ err: error }, "sales stopped"));
        } else {
          await work.start();
        }
        return { ...own, apiUrl: network.apiUrl, tillUrl: network.tillUrl };
      },
      readAhead() {
        if (!closed) ahead = readAheadOf(ctx, till, stack);
      },
      listUnfinished: () => listUnfinished(ctx),
      noteWorks: async () => closed ?? noteWorks(ctx),
      noteSettings: (...change) => noteSettings(ctx, ...change),
      whenFailed: () => new Promise<never>(() => undefined),
      close() {
        closed ??= stack.disposeAsync();
        return closed;
      },
    };
  } catch (error) {
    await stack.disposeAsync();
    const fault = describeStorageFault(error);
    if (fault) throw new StartupError(`Tillgate cannot start on ${config.dataDir}: ${fault}.`);
    throw error;
  }
}

function warnOfPlainWays(config: GatewayConfig, log: Log): void {
  if (isPlainOnNetwork(config)) log.warn(PLAIN_HTTP_WARNING);
  if (config.database !== undefined && isPlainToServer(config.database)) {
    log.warn(PLAIN_DATABASE_WARNING);
  }
}

/** Interval of attempts to start work while the database prevents it. */
const START_INTERVAL_MS = SECOND;

/** Starts a gateway's work once the database is usable (rules#fault-after-listening). */
class Work {
  readonly #ctx: Context;
  #isStopped = false;
  #tries: Promise<void> | undefined;
  #cancelWait = () => {};

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Resolves when work has started, or is being retried in the background. */
  async start(): Promise<void> {
    try {
      await this.#ctx.start();
    } catch (error) {
      this.#note(error);
      this.#tries = this.#tryAgain();
      // Handles the rejection, because some callers never stop the work.
      this.#tries.catch((lasting: unknown) =>
        this.#ctx.log.error({ err: lasting }, "the gateway cannot start work"),
      );
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelWait();
    await this.#tries?.catch(() => {});
  }

  async #tryAgain(): Promise<void> {
    for (;;) {
      await this.#wait();
      if (this.#isStopped) return;
      try {
        await this.#ctx.start();
        return;
      } catch (error) {
        this.#note(error);
      }
    }
  }

  /** @throws the error unless it is a storage error */
  #note(error: unknown): void {
    const { health, log } = this.#ctx;
    if (describeStorageFault(error) === undefined) throw error;
    health.failed(error);
    log.error({ err: error }, "the gateway cannot start work yet, retrying");
  }

  /** Waits in real time, because a test's clock may not advance. */
  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = systemClock.wakeAt(systemClock.now() + START_INTERVAL_MS, resolve);
      this.#cancelWait = () => {
        cancel();
        resolve();
      };
    });
  }
}

/** Only logs errors, because the shop can sell, and the next start repeats the record. */
async function noteWorks({ updates, log }: Context): Promise<void> {
  try {
    await updates.noteWorks();
  } catch (error) {
    log.error(
      { err: error },
      "the start of this version was not recorded; the next start records it",
    );
  }
}

/** @throws StartupError if the port is not available */
async function listenOn(app: App, config: GatewayConfig, log: Log) {
  const { host } = config;
  try {
    await app.listen({ host, port: config.port });
  } catch (error) {
    throw new StartupError(portProblem(error, config));
  }
  warnOfPlainWays(config, log);
  const address = app.server.address();
  const port = typeof address === "object" && address ? address.port : config.port;
  return { url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, host, port };
}

/**
 * Starts to load the till.
 * @returns promise that resolves when the till is loaded, or closing has cancelled the loading
 */
function readAheadOf(
  { phones, log }: Context,
  till: LaterApp,
  stack: AsyncDisposableStack,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const makeTill = () => void till.make().then(() => resolve(), reject);
  stack.defer(readAhead([makeTill, () => phones.readAhead()], log));
  stack.defer(resolve);
  // Handles the rejection, because some hosts do not await the promise.
  promise.catch((error: unknown) => log.error({ err: error }, "the till cannot be served"));
  return promise;
}

/** @throws StartupError if the file is damaged */
async function requireWhole({ check, log }: Context, config: GatewayConfig): Promise<void> {
  const reason = await check.run();
  if (reason !== undefined) {
    throw await damageError(config, reason, { wasChanged: check.when === "beside work" });
  }
  if (check.when !== "at opening") log.info("the whole database was read and is in order");
}

async function listUnfinished({ accountId, shop, shifts }: Context): Promise<UnderWay> {
  const found = await shop.find(accountId);
  const unfinished = await shifts.listUnfinished(accountId);
  const purchases = await shifts.countPurchasesUnderWay(accountId);
  return { ...unfinished, purchases, language: found?.language ?? "en" };
}

async function noteSettings(
  { accountId, clock, transactor }: Context,
  staffId: string,
  before: HostSettings,
  after: HostSettings,
): Promise<void> {
  const detail = whatChanged(before, after);
  if (Object.keys(detail).length === 0) return;
  const entry = { accountId, staffId, action: "settings.change", subject: accountId } as const;
  await transactor.transact(accountId, (tx) =>
    recordAudit(tx, { ...entry, detail, at: clock.now() }),
  );
}

async function disposeAndNote(ctx: Context): Promise<void> {
  await ctx.dispose();
  const { check, health, config } = ctx;
  if (config.database !== undefined) return;
  if (check.isTrusted && health.fault === undefined) noteCleanEnd(config.dataDir);
}

function takeLock(dataDir: string): { release(): void } {
  let lock: { release(): void } | undefined;
  try {
    lock = lockDataDir(dataDir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(`The data directory ${dataDir} cannot be used: ${reason}.`);
  }
  if (!lock) {
    throw new StartupError(`Another Tillgate is running on the data directory ${dataDir}.`);
  }
  return lock;
}

function portProblem(error: unknown, config: GatewayConfig): string {
  const code = (error as NodeJS.ErrnoException).code;
  const where = `${config.host}:${config.port}`;
  if (code === "EADDRINUSE") return `The port ${where} is in use. Choose another with --port.`;
  if (code === "EACCES") return `The port ${where} needs rights that this user does not have.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return `${config.host} is not an address of this machine.`;
  }
  return `The port ${where} cannot be opened: ${error instanceof Error ? error.message : code}.`;
}

export async function holdsShop(address: string): Promise<boolean> {
  const postgres = await import("./gateway/usable-postgres.ts");
  return postgres.holdsShop(address);
}
