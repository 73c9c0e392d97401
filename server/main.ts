import { join } from "node:path";
import { parseArgs } from "node:util";
import { keepCompiledCode, readAhead } from "./compiled-code.ts";
import { checkConfig, type GatewayConfig, StartupError, VersionError } from "./config/config.ts";
import { PROGRAM_DIR, SERVE_COMMAND } from "./program.ts";
import { VERSION } from "./version.ts";

const USAGE = `Usage: ${SERVE_COMMAND} [--data DIR] [--backups DIR] [--port N] [--host H]
       [--updates FEED]

Serves the till and the gateway without the desktop shell.
  --data DIR     data directory (TILLGATE_DATA)
  --backups DIR  where backups are kept (TILLGATE_BACKUPS, backups in the data directory)
  --port N       port, 0 for any free one (TILLGATE_PORT, 8787)
  --host H       address to listen on (TILLGATE_HOST, 127.0.0.1)
  --updates FEED address or folder that says which version is the newest (TILLGATE_UPDATES)`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        data: { type: "string" },
        backups: { type: "string" },
        port: { type: "string" },
        host: { type: "string" },
        updates: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    return values;
  } catch (error) {
    throw new StartupError(error instanceof Error ? error.message : String(error));
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
    backupDir: options.backups,
    port: options.port,
    host: options.host,
    updates: options.updates,
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
  try {
    const { url } = await gateway.listen();
    console.log(`Tillgate is listening on ${url}`);
    readAhead();
    await gateway.whenChecked();
  } catch (error) {
    await gateway.close();
    throw error;
  }
}

/** A fault of the machine would be there with another version too. */
async function adviseAfter(error: unknown, config: GatewayConfig): Promise<void> {
  if (error instanceof StartupError && !(error instanceof VersionError)) return;
  const { adviceAfterFailure } = await import("./modules/updates/index.ts");
  const advice = await adviceAfterFailure(config, VERSION);
  if (advice !== undefined) console.error(advice);
}

try {
  await serve();
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
