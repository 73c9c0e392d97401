import { existsSync, mkdirSync } from "node:fs";
import { dirname, extname } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { type DestinationStream, type Level, multistream, pino } from "pino";
import openRollingFile from "pino-roll";
import type { GatewayConfig } from "./config/config.ts";

/** A file is closed at this size, and the next begun; as many as these are kept. */
const FILE_SIZE = "5m";
const FILES_KEPT = 5;

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
  const file = toFile && config.logFile !== undefined ? await openFile(config.logFile) : undefined;
  if (file) targets.push({ stream: file, level: config.logLevel === "debug" ? "debug" : "info" });
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
      if (!file || file.destroyed) return;
      const closed = new Promise((resolve) => {
        file.once("close", resolve);
      });
      file.end();
      await closed;
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

async function openFile(path: string) {
  const extension = extname(path) || ".log";
  const base = path.slice(0, path.length - extname(path).length);
  try {
    // Not recursive: that hangs below /proc, and a directory further up is a disk that is missing.
    if (!existsSync(dirname(path))) mkdirSync(dirname(path), { mode: 0o700 });
    const file = await openRollingFile({
      file: base,
      extension,
      size: FILE_SIZE,
      limit: { count: FILES_KEPT, removeOtherLogFiles: true },
      mode: 0o600,
    });
    let hasFailed = false;
    file.on("error", (error) => {
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
