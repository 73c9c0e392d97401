/** Environment variables as strings. Only this file reads them; `config.ts` validates them. */
export interface Environment {
  dataDir: string | undefined;
  database: string | undefined;
  port: string | undefined;
  host: string | undefined;
  logLevel: string | undefined;
  logFile: string | undefined;
  backupDir: string | undefined;
  allowedHosts: string | undefined;
  trustedProxies: string | undefined;
  updates: string | undefined;
  insecureHttp: string | undefined;
  apiListen: string | undefined;
  tillListen: string | undefined;
  tlsCert: string | undefined;
  tlsKey: string | undefined;
  userDataDir: string | undefined;
  /** `PGSSLMODE`, which also sets the encryption mode of PostgreSQL's own programs. */
  pgSslMode: string | undefined;
}

export function readEnvironment(): Environment {
  const { env } = process;
  return {
    dataDir: env.TILLGATE_DATA,
    database: env.TILLGATE_DATABASE,
    port: env.TILLGATE_PORT,
    host: env.TILLGATE_HOST,
    logLevel: env.TILLGATE_LOG,
    logFile: env.TILLGATE_LOG_FILE,
    backupDir: env.TILLGATE_BACKUPS,
    allowedHosts: env.TILLGATE_ALLOWED_HOSTS,
    trustedProxies: env.TILLGATE_TRUSTED_PROXIES,
    updates: env.TILLGATE_UPDATES,
    insecureHttp: env.TILLGATE_INSECURE_HTTP,
    apiListen: env.TILLGATE_API_LISTEN,
    tillListen: env.TILLGATE_TILL_LISTEN,
    tlsCert: env.TILLGATE_TLS_CERT,
    tlsKey: env.TILLGATE_TLS_KEY,
    userDataDir: env.XDG_DATA_HOME ?? env.LOCALAPPDATA,
    pgSslMode: env.PGSSLMODE,
  };
}

/** Returns whether npm runs this process, whose shell does not pass signals on. */
export function isRunByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined;
}

/** Returns the environment for system commands, whose output must not depend on the language. */
export function commandEnvironment(): Record<string, string | undefined> {
  return { ...process.env, LC_ALL: "C" };
}
