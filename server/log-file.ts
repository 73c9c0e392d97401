import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { pino } from "pino";

/** A file is closed at this size, and the next begun. */
const FILE_BYTES = 5 * 1024 * 1024;
/** As many are kept beside the one that is written. */
const FILES_KEPT = 5;

export interface LogFile {
  readonly stream: ReturnType<typeof pino.destination>;
  /** Resolves when everything is in the file. */
  close(): Promise<void>;
}

/**
 * Opens the newest of a log's numbered files, `till.1.log` of `till.log`, for its owner alone. The
 * next one is begun in a pause of the log, and the oldest is removed.
 * @throws when the directory cannot be made or read; faults of writing are "error" events
 */
export function openLogFile(path: string): LogFile {
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
  return {
    stream: file,
    async close() {
      if (isClosing) return;
      isClosing = true;
      const closed = new Promise((resolve) => {
        file.once("close", resolve);
      });
      file.end();
      await closed;
    },
  };
}
