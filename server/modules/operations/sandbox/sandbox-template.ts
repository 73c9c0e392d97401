import { constants, copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { MINUTE } from "../../../lib/clock.ts";
import { flushPath } from "../../../lib/write-file.ts";

const OWNER_ONLY = 0o700;
/** Files of a new database. */
const DATABASE_FILE = /^tillgate\.db(?!.*-shm$)/;
/** A new sandbox's first recharge and catalog are at most as old as the template. */
const MAX_AGE_MS = 10 * MINUTE;

/**
 * Keeps the database of a new sandbox in a directory while sandboxes are created. Creating each
 * database with its own migrations and catalog takes most of a second, and leaves 55 MB of garbage.
 * The system copies the files: their content in this process would let malloc keep as much memory.
 */
export class SandboxTemplate {
  readonly #dir: string;
  readonly #build: (dir: string) => Promise<void>;
  /** Undefined while there is no template. */
  #madeAt: number | undefined;
  #usedAt = 0;

  /** @param build creates a new sandbox's database in a directory, and closes it */
  constructor(dir: string, build: (dir: string) => Promise<void>) {
    this.#dir = dir;
    this.#build = build;
  }

  get isKept(): boolean {
    return this.#madeAt !== undefined;
  }

  /**
   * Copies the files of a new database to a directory. Must be called in turn.
   * @param now present time
   */
  async copyTo(dir: string, now: number): Promise<void> {
    const isFresh = this.#madeAt !== undefined && Math.abs(now - this.#madeAt) <= MAX_AGE_MS;
    if (!isFresh) await this.#make(now);
    this.#usedAt = now;
    try {
      await this.#copy(dir);
    } catch (error) {
      // The template's files may be missing.
      await this.drop();
      throw error;
    }
  }

  /** Removes a template that was last used before `time`. Must be called in turn. */
  async dropUnusedSince(time: number): Promise<void> {
    if (this.#usedAt < time) await this.drop();
  }

  /** Removes the template. Must be called in turn. */
  async drop(): Promise<void> {
    this.#madeAt = undefined;
    await rm(this.#dir, { recursive: true, force: true });
  }

  async #make(now: number): Promise<void> {
    await this.drop();
    try {
      await this.#build(this.#dir);
    } catch (error) {
      await this.drop();
      throw error;
    }
    this.#madeAt = now;
  }

  async #copy(dir: string): Promise<void> {
    await mkdir(dir, { recursive: true, mode: OWNER_ONLY });
    const names = (await readdir(this.#dir)).filter((name) => DATABASE_FILE.test(name));
    for (const name of names) {
      await copyFile(join(this.#dir, name), join(dir, name), constants.COPYFILE_FICLONE);
      flushPath(join(dir, name));
    }
    flushPath(dir);
  }
}
