import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MINUTE } from "../../../lib/clock.ts";
import { flushPath } from "../../../lib/write-file.ts";

const OWNER_ONLY = { file: 0o600, dir: 0o700 };
/** Files of a new database. */
const DATABASE_FILE = /^tillgate\.db(?!.*-shm$)/;
/** A new sandbox's first recharge and catalog are at most as old as the template. */
const MAX_AGE_MS = 10 * MINUTE;

/**
 * Keeps the database files of a new sandbox in memory while sandboxes are created. Creating each
 * database with its own migrations and catalog takes most of a second, and leaves 55 MB of garbage.
 */
export class SandboxTemplate {
  readonly #build: (dir: string) => Promise<void>;
  #files: Map<string, Buffer> | undefined;
  #madeAt = 0;
  #usedAt = 0;

  /** @param build creates a new sandbox's database in a directory, and closes it */
  constructor(build: (dir: string) => Promise<void>) {
    this.#build = build;
  }

  get isKept(): boolean {
    return this.#files !== undefined;
  }

  /**
   * Writes the files of a new database. Must be called in turn.
   * @param buildDir directory that does not exist, for a temporary database
   * @param now present time
   */
  async writeTo(dir: string, buildDir: string, now: number): Promise<void> {
    const isOld = Math.abs(now - this.#madeAt) > MAX_AGE_MS;
    if (!this.#files || isOld) {
      this.#files = await this.#make(buildDir);
      this.#madeAt = now;
    }
    this.#usedAt = now;
    await mkdir(dir, { recursive: true, mode: OWNER_ONLY.dir });
    for (const [name, content] of this.#files) {
      await writeFile(join(dir, name), content, { mode: OWNER_ONLY.file, flush: true });
    }
    flushPath(dir);
  }

  /** Drops a template that was last used before `time`. */
  dropUnusedSince(time: number): void {
    if (this.#usedAt < time) this.#files = undefined;
  }

  async #make(dir: string): Promise<Map<string, Buffer>> {
    try {
      await this.#build(dir);
      const names = (await readdir(dir)).filter((name) => DATABASE_FILE.test(name));
      const files = new Map<string, Buffer>();
      for (const name of names) files.set(name, await readFile(join(dir, name)));
      return files;
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  }
}
