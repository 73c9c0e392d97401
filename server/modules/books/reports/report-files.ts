import { createWriteStream } from "node:fs";
import { copyFile, type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { platform } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CLAIMS } from "../../../db/account-lock.ts";
import type { Db } from "../../../db/database.ts";
import { readPart } from "../../../db/moving/file-rows.ts";
import type { Transactor } from "../../../db/transactor.ts";

/**
 * Stores report files in database rows, for processes without a shared disk. The complete file is
 * stored before any other row names it. The job's lease prevents simultaneous writes of a file.
 */
export class ReportParts {
  readonly #db: Db;
  readonly #transactor: Transactor;

  constructor({ db, transactor }: { db: Db; transactor: Transactor }) {
    this.#db = db;
    this.#transactor = transactor;
  }

  async keep(name: string, path: string): Promise<void> {
    await this.remove([name]);
    const file = await open(path);
    try {
      for (let part = 0; ; part++) {
        const content = await readPart(file);
        // Even an empty file has one part, so that other processes find it.
        if (content.length === 0 && part > 0) return;
        await this.#transactor.transact(CLAIMS, (tx) =>
          tx.insertInto("report_parts").values({ file_name: name, part, content }).execute(),
        );
      }
    } finally {
      await file.close();
    }
  }

  async read(name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const first = await this.#readPart(name, 0);
    return first && this.#readAll(name, first);
  }

  async remove(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.#transactor.transact(CLAIMS, (tx) =>
      tx.deleteFrom("report_parts").where("file_name", "in", names).execute(),
    );
  }

  async *#readAll(name: string, first: Uint8Array): AsyncGenerator<Uint8Array> {
    let content: Uint8Array | undefined = first;
    for (let part = 1; content; part++) {
      yield content;
      content = await this.#readPart(name, part);
    }
  }

  async #readPart(name: string, part: number): Promise<Uint8Array | undefined> {
    const row = await this.#db
      .selectFrom("report_parts")
      .select("content")
      .where("file_name", "=", name)
      .where("part", "=", part)
      .executeTakeFirst();
    return row?.content;
  }
}

/** Problems that a person can fix, by the system's error code. */
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
 * Describes a file system error that a person has to fix. Returns undefined for other errors and
 * for temporary errors (too many open files, a file in use).
 */
export function describeWriteFault(error: unknown): string | undefined {
  const code = String(codeOf(error));
  return Object.hasOwn(WRITE_FAULTS, code) ? WRITE_FAULTS[code] : undefined;
}

export function reportsDirectory(dataDir: string): string {
  return join(dataDir, "reports");
}

/**
 * Report files in their own directory. A file ends with `.part` until it is complete and flushed to
 * the disk. The next attempt overwrites a partial file.
 */
export class ReportFiles {
  readonly #dataDir: string;
  readonly #directory: string;
  readonly #parts: ReportParts | undefined;
  readonly #fetching = new Map<string, Promise<void>>();

  /** @param parts stores files for other processes; undefined if there is only one process */
  constructor(dataDir: string, parts?: ReportParts) {
    this.#dataDir = dataDir;
    this.#directory = reportsDirectory(dataDir);
    this.#parts = parts;
  }

  /** Reads `content` only as fast as the disk can write it. Replaces a file of the same name. */
  async write(name: string, content: AsyncIterable<string | Uint8Array>): Promise<void> {
    await this.#makeDirectory();
    const whole = join(this.#directory, name);
    const part = `${whole}.part`;
    try {
      const file = createWriteStream(part, { mode: 0o600, flush: true });
      await pipeline(content, file);
      await rename(part, whole);
    } catch (error) {
      // The original error is more important than a failed clean-up.
      await rm(part, { force: true }).catch(() => {});
      throw error;
    }
    await syncDirectory(this.#directory);
  }

  /** Makes a written file available to all processes. Must finish before any row names the file. */
  async share(name: string): Promise<void> {
    await this.#parts?.keep(name, join(this.#directory, name));
  }

  /** Returns undefined if the file has been removed. */
  async open(name: string): Promise<FileHandle | undefined> {
    const file = await this.#openHere(name);
    if (file || !this.#parts) return file;
    // Concurrent requests for a file share one download.
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

  /** @throws the error of the file system, also if the file has been removed */
  async copy(name: string, to: string): Promise<void> {
    // `open` downloads a missing file to this disk.
    await (await this.open(name))?.close();
    await copyFile(join(this.#directory, name), to);
  }

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

/** Flushes new directory entries. Windows does so automatically, and cannot open a directory. */
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
