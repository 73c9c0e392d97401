import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  checkConfig,
  type GatewayConfig,
  LastingError,
  StartupError,
  VersionError,
} from "./config/config.ts";
import { isPlainToServer, PLAIN_DATABASE_WARNING } from "./config/database.ts";
import { isPlainOnNetwork, PLAIN_HTTP_WARNING } from "./config/plain-http.ts";
import { keepCompiledCode } from "./gateway/compiled-code.ts";
import { describeStorageFault } from "./lib/storage-fault.ts";
import { PROGRAM_DIR, SERVE_COMMAND } from "./program.ts";
import { VERSION } from "./version.ts";

const USAGE = `Usage: ${SERVE_COMMAND} [--data DIR] [--database ADDRESS] [--backups DIR]
       [--port N] [--host H] [--updates FEED] [--api-listen HOST:PORT] [--till-listen HOST:PORT]
       [--tls-cert FILE --tls-key FILE] [--insecure-http]

Serves the till and the gateway without the desktop shell.
  --data DIR     data directory (TILLGATE_DATA)
  --database ADDRESS  PostgreSQL database instead of a file in the data directory, such as
                 postgres://USER:PASSWORD@HOST:PORT/DATABASE (TILLGATE_DATABASE)
  --backups DIR  backup folder (TILLGATE_BACKUPS, backups in the data directory)
  --port N       port, 0 for any free one (TILLGATE_PORT, 8787)
  --host H       address to listen on (TILLGATE_HOST, 127.0.0.1)
  --updates FEED address or folder of the list of versions (TILLGATE_UPDATES)
  --api-listen HOST:PORT  listener of /v1 for other machines, with TLS (TILLGATE_API_LISTEN)
  --till-listen HOST:PORT listener of the till for enrolled devices, with TLS (TILLGATE_TILL_LISTEN)
  --tls-cert FILE, --tls-key FILE  your certificate and its key, as PEM, instead of the
                 shop's (TILLGATE_TLS_CERT, TILLGATE_TLS_KEY)
  --insecure-http  permits --host to be a network address, although everybody can read the traffic on
                 it (TILLGATE_INSECURE_HTTP=on)`;

/**
 * Exit code if a restart would fail in the same way. `tillgate.service` then does not restart the
 * service.
 */
const LASTING = 70;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        data: { type: "string" },
        database: { type: "string" },
        backups: { type: "string" },
        port: { type: "string" },
        host: { type: "string" },
        updates: { type: "string" },
        "api-listen": { type: "string" },
        "till-listen": { type: "string" },
        "tls-cert": { type: "string" },
        "tls-key": { type: "string" },
        "insecure-http": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    return values;
  } catch (error) {
    throw new LastingError(error instanceof Error ? error.message : String(error));
  }
}

async function serve(): Promise<void> {
  const options = readOptions();
  if (options.help) {
    console.log(USAGE);
    return;
  }
  const config = checkConfig({
    dataDir: options.data,
    database: options.database,
    backupDir: options.backups,
    port: options.port,
    host: options.host,
    updates: options.updates,
    apiListen: options["api-listen"],
    tillListen: options["till-listen"],
    tlsCert: options["tls-cert"],
    tlsKey: options["tls-key"],
    insecureHttp: options["insecure-http"],
    rendererDir: join(PROGRAM_DIR, "out/renderer"),
    resourcesDir: join(PROGRAM_DIR, "resources"),
  });
  keepCompiledCode(config.dataDir);
  const { createGateway } = await import("./index.ts");
  const gateway = await createGateway(config).catch(async (error: unknown) => {
    await adviseAfter(error, config);
    throw error;
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      gateway.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
  gateway.whenFailed().catch(async (error: unknown) => {
    await gateway.close();
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
  try {
    const { url, apiUrl, tillUrl } = await gateway.listen();
    console.log(`Tillgate is listening on ${url}`);
    if (apiUrl !== undefined) console.log(`/v1 answers other machines on ${apiUrl}`);
    if (tillUrl !== undefined) console.log(`The till answers enrolled devices on ${tillUrl}`);
    if (isPlainOnNetwork(config)) console.error(PLAIN_HTTP_WARNING);
    if (config.database !== undefined && isPlainToServer(config.database)) {
      console.error(PLAIN_DATABASE_WARNING);
    }
    gateway.readAhead();
    await gateway.whenChecked();
    await gateway.noteWorks();
  } catch (error) {
    await gateway.close().catch(() => {});
    await adviseAfter(error, config);
    const fault = describeStorageFault(error);
    if (fault === undefined) throw error;
    throw new StartupError(`Tillgate ended: ${fault}. Start it again once that is repaired.`);
  }
}

/**
 * Prints how to return to the previous version, except after errors of the machine, which would
 * also occur in that version.
 */
async function adviseAfter(error: unknown, config: GatewayConfig): Promise<void> {
  if (error instanceof StartupError && !(error instanceof VersionError)) return;
  if (config.database !== undefined) return;
  const { adviceAfterFailure } = await import("./modules/safety/updates/index.ts");
  const advice = await adviceAfterFailure(config, VERSION);
  if (advice !== undefined) console.error(advice);
}

serve().catch((error: unknown) => {
  if (!(error instanceof StartupError)) throw error;
  console.error(error.message);
  process.exitCode = error.isLasting ? LASTING : 1;
});
