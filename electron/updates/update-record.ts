import { createHash } from "node:crypto";
import {
  chmodSync,
  createReadStream,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { copyFile, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { flushPath } from "../../server/before-start.ts";

/** Record of the versions on this machine, stored outside the database. */
interface UpdateRecord {
  works?: string;
  /**
   * Version that has not worked yet, its number of starts, and whether its program could be read.
   */
  trying?: undefined | { version: string; starts: number; wasRead?: boolean };
  failed?: string | undefined;
  /** Version that only purchases by API key delay, and the start of the delay in milliseconds. */
  held?: undefined | { version: string; since: number };
  /** Versions that did not start, and are not fetched again. */
  refused: string[];
  /** Last refused version. Cleared when a later version is tried. */
  undone?: string | undefined;
  /** True while the previous version's installer must run. */
  isReturning?: boolean;
  kept: Record<string, { name: string; sha512: string }>;
}

/**
 * Folder of the update record, in the data directory. A version that cannot open the database can
 * also read the record.
 */
export class UpdateFolder {
  readonly dir: string;
  #record: UpdateRecord;

  constructor(dataDir: string) {
    this.dir = join(dataDir, "updates");
    this.#record = readRecord(this.#file);
  }

  get record(): Readonly<UpdateRecord> {
    return this.#record;
  }

  /**
   * Changes the record. After the return, the change is on the disk; after an error, the file is
   * unchanged.
   */
  change(change: Partial<UpdateRecord>): void {
    this.#record = { ...this.#record, ...change };
    mkdirSync(this.dir, { mode: 0o700, recursive: true });
    const fresh = `${this.#file}.new`;
    writeFileSync(fresh, JSON.stringify(this.#record), { mode: 0o600, flush: true });
    renameSync(fresh, this.#file);
    flushPath(this.dir);
  }

  async keep(version: string, file: string): Promise<void> {
    if ((await this.findKept(version)) !== undefined) return;
    const name = basename(file);
    const target = join(this.dir, version, name);
    mkdirSync(dirname(target), { mode: 0o700, recursive: true });
    await copyFile(file, target);
    chmodSync(target, 0o700);
    flushPath(target);
    const sha512 = await digestOf(target);
    this.change({ kept: { ...this.#record.kept, [version]: { name, sha512 } } });
  }

  /**
   * Returns the path of a version's stored installer; undefined if it is missing or its checksum
   * differs.
   */
  async findKept(version: string): Promise<string | undefined> {
    const kept = this.#record.kept[version];
    if (!kept) return undefined;
    const file = join(this.dir, version, basename(kept.name));
    const digest = await digestOf(file).catch(() => undefined);
    return digest === kept.sha512 ? file : undefined;
  }

  async keepOnly(version: string): Promise<void> {
    const { [version]: kept } = this.#record.kept;
    this.change({ kept: kept ? { [version]: kept } : {} });
    for (const entry of await readdir(this.dir, { withFileTypes: true })) {
      if (!entry.isDirectory() || entry.name === version) continue;
      await rm(join(this.dir, entry.name), { recursive: true, force: true });
    }
  }

  get #file(): string {
    return join(this.dir, "versions.json");
  }
}

function readRecord(file: string): UpdateRecord {
  try {
    const found = JSON.parse(readFileSync(file, "utf8")) as Partial<UpdateRecord>;
    if (Array.isArray(found.refused) && typeof found.kept === "object") {
      return found as UpdateRecord;
    }
  } catch {
    // An unreadable record must not prevent selling, so it is treated as empty.
  }
  return { refused: [], kept: {} };
}

export async function digestOf(file: string): Promise<string> {
  const digest = createHash("sha512");
  await pipeline(createReadStream(file), digest);
  return digest.digest("base64");
}

export async function replaceFile(file: string, target: string): Promise<void> {
  const fresh = `${target}.new`;
  rmSync(fresh, { force: true });
  await copyFile(file, fresh);
  chmodSync(fresh, 0o755);
  flushPath(fresh);
  renameSync(fresh, target);
  flushPath(dirname(target));
}
