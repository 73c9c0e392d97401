import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { type DestinationStream, type Level, multistream, pino } from "pino";
import type { GatewayConfig } from "../config/config.ts";

/** Maximum size of a file before the next one is started. */
const FILE_BYTES = 5 * 1024 * 1024;
/** Number of files beside the current one. */
const FILES_KEPT = 5;

/** Removed here in case of a mistake elsewhere; no code logs a secret on purpose. */
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

/** A destination of lines, and their minimum level. */
type Target = { stream: DestinationStream; level: Level };

export interface OpenLog {
  log: FastifyBaseLogger;
  /** Resolves when all lines are in the file. */
  close(): Promise<void>;
}

/**
 * The structured log: to standard output at the owner's level, and completely to a file that this
 * process rotates. A log that cannot be written stops no sale.
 * @param stream of a test, which receives every line
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

/** Drops every line for a file that cannot be opened: its stream would buffer them all, or end the program. */
function openFile(path: string) {
  try {
    const file = openLogFile(path);
    let state: "opening" | "open" | "failed" = "opening";
    let hasFailed = false;
    file.stream.once("ready", () => {
      state = "open";
    });
    file.stream.on("error", (error) => {
      if (state === "opening") {
        state = "failed";
        file.giveUp();
      }
      if (!hasFailed) complain(path, error);
      hasFailed = true;
    });
    return {
      stream: {
        write(line: string) {
          if (state !== "failed") file.stream.write(line);
        },
      },
      async close() {
        if (state !== "failed") await file.close();
      },
    };
  } catch (error) {
    complain(path, error);
    return undefined;
  }
}

function complain(path: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The log ${path} cannot be written: ${reason}.\n`);
}

interface LogFile {
  readonly stream: ReturnType<typeof pino.destination>;
  /** Resolves when everything is in the file, or cannot be. */
  close(): Promise<void>;
  /** Stops writing to it, also at the end of the process. */
  giveUp(): void;
}

/**
 * Opens the newest of a log's numbered files, `till.1.log` of `till.log`, readable by its owner
 * only. The next one is started in a pause of the log, and the oldest is removed.
 * @throws if the directory cannot be created or read; write errors are "error" events
 */
function openLogFile(path: string): LogFile {
  const directory = dirname(path);
  // Not recursive: that hangs below /proc, and a directory further up is a disk that is missing.
  if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 });
  const extension = extname(path) || ".log";
  const base = basename(path, extname(path));
  const fileOf = (number: number) => join(directory, `${base}.${number}${extension}`);

  function numbers(): number[] {
    return readdirSync(directory).flatMap((name) => {
      const isOurs = name.startsWith(`${base}.`) && name.endsWith(extension);
      const between = isOurs ? name.slice(base.length + 1, -extension.length) : "";
      return /^\d+$/.test(between) ? [Number(between)] : [];
    });
  }

  let number = Math.max(1, ...numbers());
  let bytes = statSync(fileOf(number), { throwIfNoEntry: false })?.size ?? 0;
  let isClosing = false;
  const file = pino.destination({ dest: fileOf(number), mode: 0o600, sync: false });

  function beginNext(): void {
    if (isClosing) return;
    file.flush((error) => {
      if (isClosing) return;
      try {
        if (error) throw error;
        file.reopen(fileOf(number));
        for (const old of numbers()) {
          if (old < number - FILES_KEPT) rmSync(fileOf(old), { force: true });
        }
      } catch (fault) {
        file.emit("error", fault);
      }
    });
  }

  file.on("write", (written) => {
    bytes += written;
    if (bytes < FILE_BYTES) return;
    bytes = 0;
    number += 1;
    file.once("drain", beginNext);
  });
  // pino flushes a file that is not closed when the process ends, and throws where that cannot be.
  const giveUp = () => void file.emit("close");
  return {
    stream: file,
    giveUp,
    async close() {
      if (isClosing) return;
      isClosing = true;
      const closed = new Promise((resolve) => {
        file.once("close", resolve);
        file.once("error", resolve);
      });
      file.end();
      await closed;
      giveUp();
    },
  };
}
