import { isIP } from "node:net";
import { homedir, platform } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { checkDatabase } from "./database.ts";
import { readEnvironment } from "./env.ts";
import { checkNetwork, type NetworkConfig, type NetworkOptions } from "./network.ts";
import { LastingError } from "./startup-error.ts";

const LARGEST_PREFIX: Record<number, number> = { 4: 32, 6: 128 };

export { LastingError, StartupError, VersionError } from "./startup-error.ts";

export const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface GatewayConfig extends NetworkConfig {
  /** Directory of the database and the report files. Only one gateway may use it at a time. */
  dataDir: string;
  /** Address of the PostgreSQL database; undefined for a database file in the data directory. */
  database?: string | undefined;
  /** Backup folder. Created only if it is the default folder, in the data directory. */
  backupDir: string;
  host: string;
  /** 0 uses any free port. */
  port: number;
  /** Folder with the built pages of the till. */
  rendererDir: string;
  /** Folder with the sandbox catalog, the phone prefixes and the reference rates. */
  resourcesDir: string;
  logLevel: LogLevel;
  /** Path of the log file; undefined for no file. */
  logFile: string | undefined;
  /** Host names that requests may use besides `host`. */
  allowedHosts: string[];
  /** Proxies and load balancers whose forwarded client addresses are trusted; default: none. */
  trustedProxies?: string[];
  /** URL or folder of the feed with the newest server version; undefined disables update checks. */
  updates?: string | undefined;
}

/** Command-line options. An omitted option takes its environment variable, or else the default. */
export interface ConfigOptions extends NetworkOptions {
  dataDir?: string | undefined;
  database?: string | undefined;
  host?: string | undefined;
  port?: string | number | undefined;
  logLevel?: string | undefined;
  backupDir?: string | undefined;
  updates?: string | undefined;
  rendererDir: string;
  resourcesDir: string;
}

const DEFAULT_PORT = 8787;
const LARGEST_PORT = 65_535;

/** @throws StartupError that names the invalid option or variable */
export function checkConfig(options: ConfigOptions): GatewayConfig {
  const env = readEnvironment();
  const host = options.host ?? env.host ?? "127.0.0.1";
  if (host.trim() === "" || /[\s/]/.test(host)) {
    throw new LastingError(`--host (TILLGATE_HOST) must be an address or a name, not "${host}".`);
  }
  const dataDir = resolve(checkDataDir(options.dataDir ?? env.dataDir));
  return {
    dataDir,
    database: checkDatabase(options.database ?? env.database),
    backupDir: resolve(checkBackupDir(options.backupDir ?? env.backupDir, dataDir)),
    host,
    port: checkPort(options.port ?? env.port ?? DEFAULT_PORT),
    rendererDir: options.rendererDir,
    resourcesDir: options.resourcesDir,
    logFile: checkLogFile(env.logFile, dataDir),
    logLevel: checkLogLevel(options.logLevel ?? env.logLevel ?? "warn"),
    allowedHosts: (env.allowedHosts ?? "").split(",").flatMap((name) => name.trim() || []),
    trustedProxies: checkProxies(env.trustedProxies),
    updates: checkUpdates(options.updates ?? env.updates),
    ...checkNetwork(options, env),
  };
}

/** Accepts a URL or an absolute folder path. An empty text means no feed. */
function checkUpdates(updates: string | undefined): string | undefined {
  if (updates === undefined || updates.trim() === "") return undefined;
  if (/^https?:\/\//i.test(updates) ? URL.canParse(updates) : isAbsolute(updates)) return updates;
  throw new LastingError(
    `--updates (TILLGATE_UPDATES) must be an address or the full path of a folder, not "${updates}".`,
  );
}

function checkDataDir(dataDir: string | undefined): string {
  if (dataDir === undefined) return defaultDataDir();
  if (dataDir.trim() === "") {
    throw new LastingError("--data (TILLGATE_DATA) must name a directory.");
  }
  return dataDir;
}

function checkBackupDir(backupDir: string | undefined, dataDir: string): string {
  if (backupDir === undefined) return join(dataDir, "backups");
  if (backupDir.trim() === "") {
    throw new LastingError("--backups (TILLGATE_BACKUPS) must name a directory.");
  }
  return backupDir;
}

function checkPort(port: string | number): number {
  const number = /^\d{1,5}$/.test(String(port)) ? Number(port) : Number.NaN;
  if (!(number <= LARGEST_PORT)) {
    throw new LastingError(
      `--port (TILLGATE_PORT) must be a number from 0 to ${LARGEST_PORT}, not "${port}".`,
    );
  }
  return number;
}

function checkLogFile(logFile: string | undefined, dataDir: string): string | undefined {
  if (logFile === undefined) return join(dataDir, "logs", "tillgate.log");
  if (logFile.trim() === "") {
    throw new LastingError('TILLGATE_LOG_FILE must name a file, or be "off".');
  }
  return logFile === "off" ? undefined : resolve(logFile);
}

function checkLogLevel(level: string): LogLevel {
  const known = LOG_LEVELS.find((name) => name === level);
  if (known) return known;
  throw new LastingError(`TILLGATE_LOG must be one of ${LOG_LEVELS.join(", ")}, not "${level}".`);
}

/** Returns the user's data folder, which the desktop till and the command line share. */
function defaultDataDir(): string {
  const base = readEnvironment().userDataDir;
  switch (platform()) {
    case "win32":
      return join(base ?? join(homedir(), "AppData", "Local"), "Tillgate");
    case "darwin":
      return join(homedir(), "Library", "Application Support", "Tillgate");
    default:
      return join(base ?? join(homedir(), ".local", "share"), "tillgate");
  }
}

/**
 * Parses a comma-separated list of addresses and networks such as `10.0.8.0/24`. The text may be
 * empty.
 * @throws StartupError for other entries, such as a host name, which could resolve to another
 * machine later
 */
function checkProxies(text = ""): string[] {
  const proxies = text.split(",").flatMap((proxy) => proxy.trim() || []);
  for (const proxy of proxies) {
    const [address = "", prefix = "1", ...rest] = proxy.split("/");
    const largest = LARGEST_PREFIX[isIP(address)] ?? 0;
    const isPrefix = /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= largest;
    if (isPrefix && rest.length === 0) continue;
    throw new LastingError(
      `TILLGATE_TRUSTED_PROXIES must be addresses, or networks as in 10.0.8.0/24, not "${proxy}".`,
    );
  }
  return proxies;
}
