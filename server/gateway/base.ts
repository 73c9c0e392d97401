import { statfs } from "node:fs/promises";
import type { FastifyBaseLogger } from "fastify";
import type { DestinationStream } from "pino";
import { Background, type StartErrand } from "../background/background.ts";
import type { GatewayConfig } from "../config/config.ts";
import { nameOfDatabase } from "../config/database.ts";
import { findFirewall } from "../config/firewalls.ts";
import { LastingError, StartupError } from "../config/startup-error.ts";
import type { Environment } from "../contract/common.ts";
import { NO_ACCOUNT } from "../db/account-lock.ts";
import type { Claimant } from "../db/claimant.ts";
import { getConnections, type OnStatement } from "../db/connections.ts";
import type { Db } from "../db/database.ts";
import { databaseFile, makeDataDir, placeOnce } from "../db/database-files.ts";
import { watchReference } from "../db/reference-watch.ts";
import { OwnMemory } from "../db/shared-memory.ts";
import { watchFile } from "../db/sqlite/presence.ts";
import { createTransactor, type Transactor } from "../db/transactor.ts";
import { WriteHealth } from "../db/write-health.ts";
import { CONNECTION_LIMITS, type ConnectionLimits } from "../http/connections.ts";
import { RATE_LIMIT, type RateLimit } from "../http/rate-limit.ts";
import { JobLeases, placeOf } from "../jobs/job-leases.ts";
import { JobRunner } from "../jobs/job-runner.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import type { SendOutgoing } from "../lib/guarded-request.ts";
import { type Ids, randomIds } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import {
  createFileSealer,
  type FileSealer,
  SealError,
  type Sealer,
  sealKeyFile,
} from "../lib/sealer.ts";
import type { Sandbox } from "../modules/operations/sandbox/index.ts";
import { noteMissing } from "../modules/safety/storage/index.ts";
import { machineNames } from "../modules/shop/certificates/index.ts";
import type { FindFirewall } from "../modules/shop/reach/index.ts";
import { type RequireEnvironment, requireTillEnvironment } from "../modules/shop/shop/index.ts";
import type { Provider } from "../providers/provider.ts";
import { VERSION } from "../version.ts";
import { DEFAULT_ACCOUNT } from "./first-start.ts";
import { openLog } from "./log.ts";
import { openUsableDatabase } from "./usable-database.ts";
import type { FoundRestored, PostgresMeans } from "./usable-postgres.ts";

/** Purpose of the derived key that identifies a key file without revealing the file's key. */
const PURPOSE = "which key file this is";

export interface Overrides {
  clock?: Clock;
  /**
   * Clock for signatures, timeouts of other servers, rate limits and the audit trail. Default:
   * `clock`.
   */
  machineClock?: Clock;
  sandbox?: Sandbox;
  version?: string;
  /** Failed version that the host has replaced with this version. */
  undoneVersion?: string;
  ids?: Ids;
  /** Base-2 logarithm of scrypt's cost parameter. */
  pinCost?: number;
  rateLimit?: RateLimit;
  connectionLimits?: ConnectionLimits;
  /** Encrypts stored secrets. Default: with the key file in the data directory. */
  sealer?: (parts: { keyFile: FileSealer; log: Log }) => Sealer;
  automaticBackups?: boolean;
  automaticAlerts?: boolean;
  /** Default: true. */
  recordsRequests?: boolean;
  /** Whether the database is that of a sandbox (`OpenOptions`). */
  isLight?: boolean;
  auditAtStart?: boolean;
  smallFileBytes?: number;
  logStream?: DestinationStream;
  /** Replaces the log of the configuration. */
  log?: FastifyBaseLogger;
  sendOutgoing?: SendOutgoing;
  providers?: Partial<Record<Environment, Provider>>;
  readNames?: () => string[];
  findFirewall?: FindFirewall;
  requireEnvironment?: RequireEnvironment;
  /** @returns undefined if the system does not report the free bytes */
  readFreeBytes?: () => Promise<number | undefined>;
  startErrand?: StartErrand;
  strictTransactions?: boolean;
  onStatement?: OnStatement;
}

/**
 * A file up to this size is read before the gateway listens, because that is faster than starting a
 * thread: SQLite reads 190 MB per second. A larger file is read after the gateway listens, and
 * sales wait.
 */
const SMALL_FILE_BYTES = 64_000_000;

export type OpenBase = Awaited<ReturnType<typeof openBase>>;

export interface Host {
  /** False for a short command. A command neither reads the whole database nor logs to a file. */
  isGateway: boolean;
  /** True if the previous gateway ended normally, and the database has not changed since then. */
  endedClean?: boolean;
}

/**
 * Opens the dependencies of every module. `stack` closes all of them, even if a later step fails.
 * @throws StartupError if the data directory cannot be used
 */
export async function openBase(
  config: GatewayConfig,
  overrides: Overrides,
  host: Host,
  stack: AsyncDisposableStack,
) {
  const { clock = systemClock, machineClock = clock, ids = randomIds, logStream } = overrides;
  const background = new Background(overrides.startErrand);
  const health = new WriteHealth(machineClock);
  const { version = VERSION, smallFileBytes = SMALL_FILE_BYTES } = overrides;
  const endedClean = host.endedClean ?? false;
  const wholeFile = host.isGateway ? { endedClean, smallFileBytes } : undefined;
  const restored = new RestoredReports();
  const onRestored = (found: FoundRestored) => restored.report(found);
  const means = { wholeFile, background, clock, ids, health, version, onRestored };
  const { db, check } = await openDatabaseOf(config, means, overrides);
  const isFile = config.database === undefined;
  stack.defer(() => db.destroy());
  const log = overrides.log ?? (await openLogOf(config, host, logStream, stack));
  restored.reportTo(log);
  const presence = isFile ? watchFile(databaseFile(config.dataDir)) : { isThere: () => true };
  const transactor = createTransactor(db, {
    health,
    clock: machineClock,
    // On PostgreSQL, a transaction also waits for the network.
    isStrict: isFile && (overrides.strictTransactions ?? false),
  });
  /** Runs before any other write. */
  const countMissing = async () => {
    // A database server does not lose commits.
    if (isFile) await noteMissing({ db, transactor, dataDir: config.dataDir, clock });
  };
  if (check.when !== "before work") await countMissing();
  const watch = watchReference(db, transactor);
  const keyFile = createFileSealer(config.dataDir, placeOnce);
  const sealer = overrides.sealer?.({ keyFile, log }) ?? keyFile;
  getConnections(db).keepSealed(sealer);
  const memory = getConnections(db).shareMemory?.(clock) ?? new OwnMemory(clock);
  const common = { db, transactor, watch, clock, machineClock, ids, log };
  // Only with the real clock: a test's clock would advance a second at a time while other processes
  // write.
  const stamp = clock === systemClock ? () => watch.foreign() : undefined;
  const isWritable = () => health.fault === undefined;
  await requireKeyOf(config, { db, transactor, isGateway: host.isGateway });
  const reopening = Promise.withResolvers<void>();
  const place = isFile ? undefined : placeOf(config.dataDir);
  const leases = place === undefined ? undefined : new JobLeases({ ...common, place });
  const claimant: Claimant | undefined = leases && { owner: leases.owner, place: `${place} ` };
  const jobs = new JobRunner({ ...common, ...sleepOf(overrides), stamp, isWritable, leases });
  return {
    ...common,
    memory,
    claimant,
    accountId: DEFAULT_ACCOUNT,
    version,
    config,
    rateLimit: overrides.rateLimit ?? RATE_LIMIT,
    connectionLimits: overrides.connectionLimits ?? CONNECTION_LIMITS,
    readNames: overrides.readNames ?? machineNames,
    findFirewall: overrides.findFirewall ?? findFirewall,
    requireEnvironment: overrides.requireEnvironment ?? requireTillEnvironment,
    readFreeBytes: overrides.readFreeBytes ?? (() => readFreeBytes(config.dataDir)),
    background,
    openAgain: () => reopening.resolve(),
    whenToOpenAgain: reopening.promise,
    health,
    check,
    countMissing,
    presence,
    keyFile,
    sealer,
    jobs,
  };
}

/**
 * Only the gateway itself sets its sandbox's clock, so the job runner can sleep until the next job.
 */
function sleepOf({ sandbox }: Overrides): { maxSleep_ms?: number } {
  return sandbox ? { maxSleep_ms: Infinity } : {};
}

async function openLogOf(
  config: GatewayConfig,
  { isGateway }: Host,
  stream: DestinationStream | undefined,
  stack: AsyncDisposableStack,
): Promise<FastifyBaseLogger> {
  const { log, close } = await openLog(config, { toFile: isGateway, stream });
  stack.defer(close);
  return log;
}

async function readFreeBytes(dir: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(dir);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

class RestoredReports {
  readonly #waiting: FoundRestored[] = [];
  #log: Log | undefined;

  report(found: FoundRestored): void {
    if (!this.#log) {
      this.#waiting.push(found);
      return;
    }
    this.#log.error(
      { ...found },
      "the database was restored, or another server has it: the provider is asked about open purchases",
    );
  }

  reportTo(log: Log): void {
    this.#log = log;
    for (const found of this.#waiting.splice(0)) this.report(found);
  }
}

/** Does nothing on SQLite. */
async function requireKeyOf(
  { database, dataDir }: GatewayConfig,
  given: Pick<Parameters<typeof requireSharedKey>[0], "db" | "transactor" | "isGateway">,
): Promise<void> {
  if (database === undefined) return;
  await requireSharedKey({ ...given, dataDir, name: nameOfDatabase(database) });
  makeDataDir(dataDir);
}

async function openDatabaseOf(
  config: GatewayConfig,
  means: Parameters<typeof openUsableDatabase>[1] & Pick<PostgresMeans, "onRestored">,
  { onStatement, isLight = false }: Overrides,
): ReturnType<typeof openUsableDatabase> {
  const { database, dataDir } = config;
  const { onRestored } = means;
  if (database === undefined) {
    return openUsableDatabase(config, { ...means, isLight }, onStatement);
  }
  const { openUsablePostgres } = await import("./usable-postgres.ts");
  const isGateway = means.wholeFile !== undefined;
  return openUsablePostgres(database, { ...means, dataDir, isGateway, onRestored }, onStatement);
}

interface BaseDeps {
  db: Db;
  transactor: Transactor;
  dataDir: string;
  name: string;
  isGateway: boolean;
}

/**
 * Requires that all processes of a shop on PostgreSQL have the same key file. With another file a
 * process would refuse every PIN, and encrypt data that others cannot read
 * (rules#access-one-key-file). The first start stores the file's id, and creates a missing file.
 * @throws StartupError if this process has another key file, or none
 */
async function requireSharedKey(deps: BaseDeps): Promise<void> {
  const { db, dataDir, name } = deps;
  const own = keyIdOf(dataDir);
  const known = (await findKeyId(db)) ?? (await noteKeyId(deps, own));
  if (known === undefined || known === keyIdOf(dataDir)) return;
  const file = sealKeyFile(dataDir);
  const what = own === undefined ? "is not there" : "is another one";
  throw new LastingError(
    `The shop in the database ${name} has a key file, which opens its PINs and secrets: ${file} ${what}. Nothing was changed. Copy secrets.key from the data directory of another process of this shop, or write it with the words of the recovery sheet: tillgate recovery key --phrase FILE. Where neither is left, docs/operate.md says what to do.`,
  );
}

/** @returns the stored id; undefined if a command inspects a shop that no gateway has opened */
async function noteKeyId(
  { db, transactor, dataDir, isGateway }: BaseDeps,
  own: string | undefined,
): Promise<string | undefined> {
  if (!isGateway && (await hasPeople(db))) return undefined;
  if (own === undefined) makeDataDir(dataDir);
  const key_id = own ?? keyIdOf(dataDir, { create: true });
  if (key_id === undefined) return undefined;
  await transactor.transact(NO_ACCOUNT, async (tx) => {
    const row = { one: 1, key_id } as const;
    const values = tx.insertInto("key_files").values(row);
    await values.onConflict((conflict) => conflict.doNothing()).execute();
  });
  return findKeyId(db);
}

/**
 * Returns whether the shop has staff. A shop with staff has a key file, because PINs require it.
 */
async function hasPeople(db: Db): Promise<boolean> {
  return (await db.selectFrom("staff").select("staff_id").limit(1).execute()).length > 0;
}

async function findKeyId(db: Db): Promise<string | undefined> {
  return (await db.selectFrom("key_files").select("key_id").executeTakeFirst())?.key_id;
}

function keyIdOf(dataDir: string, options = { create: false }): string | undefined {
  try {
    return createFileSealer(dataDir, placeOnce).derive(PURPOSE, options)?.id;
  } catch (error) {
    throw error instanceof SealError ? new StartupError(error.message) : error;
  }
}
