import type { FastifyBaseLogger } from "fastify";
import { type DestinationStream, type Level, multistream, pino } from "pino";
import type { GatewayConfig } from "./config/config.ts";
import { openLogFile } from "./log-file.ts";

/** Named here so that a mistake elsewhere writes no secret; nothing of ours logs one. */
const SECRETS = [
  "authorization",
  "cookie",
  "epin",
  "key",
  "newPin",
  "ownerPin",
  "pin",
  "secret",
  "token",
];

/** Where a line goes, and from which level on. */
type Target = { stream: DestinationStream; level: Level };

export interface OpenLog {
  log: FastifyBaseLogger;
  /** Resolves when everything is in the file. */
  close(): Promise<void>;
}

/**
 * The structured log: to standard output as loud as the owner likes, and in whole to a file that
 * is rolled in this process. A log that cannot be written stops no sale.
 * @param stream a test's own, which gets every line
 */
export async function openLog(
  config: Pick<GatewayConfig, "logLevel" | "logFile">,
  { toFile = false, stream }: { toFile?: boolean; stream?: DestinationStream | undefined } = {},
): Promise<OpenLog> {
  const targets: Target[] = [];
  if (config.logLevel !== "silent") {
    targets.push({ stream: pino.destination({ fd: 1, sync: true }), level: config.logLevel });
  }
  if (stream) targets.push({ stream, level: "debug" });
  const file = toFile && config.logFile !== undefined ? openFile(config.logFile) : undefined;
  if (file) {
    targets.push({ stream: file.stream, level: config.logLevel === "debug" ? "debug" : "info" });
  }
  const log = pino(
    {
      level: targets.length === 0 ? "silent" : lowestLevel(targets),
      redact: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    },
    multistream(targets),
  );
  return {
    log,
    async close() {
      await file?.close();
    },
  };
}

function lowestLevel(targets: Target[]): Level {
  const { values } = pino.levels;
  const [first, ...others] = targets.map(({ level }) => level);
  return others.reduce(
    (low, level) => ((values[level] ?? 0) < (values[low] ?? 0) ? level : low),
    first ?? "info",
  );
}

function openFile(path: string) {
  try {
    const file = openLogFile(path);
    let hasFailed = false;
    file.stream.on("error", (error) => {
      if (!hasFailed) complain(path, error);
      hasFailed = true;
    });
    return file;
  } catch (error) {
    complain(path, error);
    return undefined;
  }
}

function complain(path: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The log ${path} cannot be written: ${reason}.\n`);
}
