import { createWriteStream } from "node:fs";
import { copyFile, type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { platform } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ReportParts } from "./report-parts.ts";

/** What has to be mended before a file can be written, by the system's error code. */
const WRITE_FAULTS: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file is larger than the disk allows",
  EROFS: "the disk cannot be written",
  EIO: "the disk cannot be read or written",
  ENODEV: "the disk is not there",
  ENXIO: "the disk is not there",
  ENOENT: "the directory is not there",
  ENOTDIR: "a file is where the directory should be",
  EISDIR: "a directory is where the file should be",
  ENOTEMPTY: "a directory is where the file should be",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
};

/**
 * In words, a fault of the file system that has to be mended; undefined for any other error, and for
 * what passes by itself (too many open files, a file that is in use).
 */
export function describeWriteFault(error: unknown): string | undefined {
  const code = String(codeOf(error));
  return Object.hasOwn(WRITE_FAULTS, code) ? WRITE_FAULTS[code] : undefined;
}

/** Where the files of reports of a data directory are. */
export function reportsDirectory(dataDir: string): string {
  return join(dataDir, "reports");
}

/**
 * The files of reports, in a directory of their own. A file has its name when it is whole and on
 * the disk, not before; until then it is `….part`, which the next attempt writes over.
 */
export class ReportFiles {
  readonly #dataDir: string;
  readonly #directory: string;
  readonly #parts: ReportParts | undefined;
  readonly #fetching = new Map<string, Promise<void>>();

  /** @param parts where several processes hand the files out, which then have them from there */
  constructor(dataDir: string, parts?: ReportParts) {
    this.#dataDir = dataDir;
    this.#directory = reportsDirectory(dataDir);
    this.#parts = parts;
  }

  /** Writes what comes, no faster than the disk takes it. Replaces what has the name. */
  async write(name: string, content: AsyncIterable<string | Uint8Array>): Promise<void> {
    await this.#makeDirectory();
    const whole = join(this.#directory, name);
    const part = `${whole}.part`;
    try {
      const file = createWriteStream(part, { mode: 0o600, flush: true });
      await pipeline(content, file);
      await rename(part, whole);
    } catch (error) {
      // The reason why it could not be written matters more than a failed clean-up.
      await rm(part, { force: true }).catch(() => {});
      throw error;
    }
    await syncDirectory(this.#directory);
  }

  /** Lets every process have a file that was written here. To be waited for before anything names it. */
  async share(name: string): Promise<void> {
    await this.#parts?.keep(name, join(this.#directory, name));
  }

  /** Opens a file that was written; undefined when it was removed since. */
  async open(name: string): Promise<FileHandle | undefined> {
    const file = await this.#openHere(name);
    if (file || !this.#parts) return file;
    // Who asks meanwhile waits for the same.
    const fetching = this.#fetching.get(name) ?? this.#fetch(name, this.#parts);
    this.#fetching.set(name, fetching);
    await fetching.finally(() => this.#fetching.delete(name));
    return this.#openHere(name);
  }

  async #fetch(name: string, parts: ReportParts): Promise<void> {
    const content = await parts.read(name);
    if (content) await this.write(name, content);
  }

  async #openHere(name: string): Promise<FileHandle | undefined> {
    try {
      return await open(join(this.#directory, name));
    } catch (error) {
      if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
      throw error;
    }
  }

  /** Copies a file that was written. @throws what the file system says, also where it was removed since */
  async copy(name: string, to: string): Promise<void> {
    // It is here once it was opened.
    await (await this.open(name))?.close();
    await copyFile(join(this.#directory, name), to);
  }

  /** Removes those of these files that are there still. */
  async remove(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.#parts?.remove(names);
    const there = new Set(await readdir(this.#directory).catch(() => []));
    for (const name of names) {
      if (there.has(name)) await rm(join(this.#directory, name), { force: true });
    }
  }

  async #makeDirectory(): Promise<void> {
    try {
      await mkdir(this.#directory, { mode: 0o700 });
    } catch (error) {
      if (codeOf(error) === "EEXIST") return;
      throw error;
    }
    await syncDirectory(this.#dataDir);
  }
}

/** Puts new names on the disk. Windows does so by itself, and opens no directory. */
async function syncDirectory(directory: string): Promise<void> {
  if (platform() === "win32") return;
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
