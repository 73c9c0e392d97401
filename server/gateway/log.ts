import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { type DestinationStream, type Level, multistream, pino } from "pino";
import type { GatewayConfig } from "../config/config.ts";

const FILE_BYTES = 5 * 1024 * 1024;
const FILES_KEPT = 5;

/**
 * Properties removed from the log. No code logs them on purpose; the list protects against
 * mistakes.
 */
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

type Target = { stream: DestinationStream; level: Level };

export interface OpenLog {
  log: FastifyBaseLogger;
  close(): Promise<void>;
}

/**
 * Opens the structured log: on standard output at the configured level, and in a rotated file at
 * all levels. A log that cannot be written does not stop sales.
 * @param stream receives every line in tests
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

/**
 * Opens the log file. If that fails, drops all lines, because the stream would buffer them, or end
 * the program.
 */
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
  close(): Promise<void>;
  /** Stops writing to the file, even at the end of the process. */
  giveUp(): void;
}

/**
 * Opens the newest of a log's numbered files (`till.1.log` for `till.log`). While no lines are
 * waiting, starts a new file and deletes the oldest.
 * @throws if the directory cannot be created or read; write errors are "error" events
 */
function openLogFile(path: string): LogFile {
  const directory = dirname(path);
  // `recursive` would hang below /proc. A missing parent directory means a missing disk.
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
  // Without "close", pino would flush the file when the process ends, and throw on failure.
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
