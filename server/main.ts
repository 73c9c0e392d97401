import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkConfig, createGateway, StartupError } from "./index.ts";
import { PROGRAM_DIR, SERVE_COMMAND } from "./program.ts";

const USAGE = `Usage: ${SERVE_COMMAND} [--data DIR] [--backups DIR] [--port N] [--host H]

Serves the till and the gateway without the desktop shell.
  --data DIR     data directory (TILLGATE_DATA)
  --backups DIR  where backups are kept (TILLGATE_BACKUPS, backups in the data directory)
  --port N       port, 0 for any free one (TILLGATE_PORT, 8787)
  --host H       address to listen on (TILLGATE_HOST, 127.0.0.1)`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        data: { type: "string" },
        backups: { type: "string" },
        port: { type: "string" },
        host: { type: "string" },
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
    rendererDir: join(PROGRAM_DIR, "out/renderer"),
    resourcesDir: join(PROGRAM_DIR, "resources"),
  });
  const gateway = await createGateway(config);
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
    await gateway.whenChecked();
  } catch (error) {
    await gateway.close();
    throw error;
  }
}

try {
  await serve();
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
