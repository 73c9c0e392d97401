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

/** What this machine knows of versions, whatever becomes of the database. */
interface UpdateRecord {
  /** The version that last reached its window. */
  works?: string;
  /** One that came after it, how often it was started, and whether it could be read. */
  trying?: undefined | { version: string; starts: number; wasRead?: boolean };
  /** A version that could not be installed: it is tried again, and not at once. */
  failed?: string | undefined;
  /** One that only purchases which no till sold held back, and since when. */
  held?: undefined | { version: string; since: number };
  /** What did not start is not fetched again. */
  refused: string[];
  /** The last of them, while the one before is being put in its place, and until a later one is tried. */
  undone?: string | undefined;
  /** Its installer is to be run: until another version works. */
  isReturning?: boolean;
  /** Installers, by version. */
  kept: Record<string, { name: string; sha512: string }>;
}

/** Beside the database: a version that cannot open that must be able to read this. */
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

  /** On the disk when this returns, or as it was. */
  change(change: Partial<UpdateRecord>): void {
    this.#record = { ...this.#record, ...change };
    mkdirSync(this.dir, { mode: 0o700, recursive: true });
    const fresh = `${this.#file}.new`;
    writeFileSync(fresh, JSON.stringify(this.#record), { mode: 0o600, flush: true });
    renameSync(fresh, this.#file);
    flushPath(this.dir);
  }

  /** Keeps a copy of a version's installer, once. */
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

  /** The installer of a version, where it is as it was kept. */
  async findKept(version: string): Promise<string | undefined> {
    const kept = this.#record.kept[version];
    if (!kept) return undefined;
    const file = join(this.dir, version, basename(kept.name));
    const digest = await digestOf(file).catch(() => undefined);
    return digest === kept.sha512 ? file : undefined;
  }

  /** Forgets every installer but one's. */
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

/** A record that cannot be read is of no use, and keeps nobody from selling. */
function readRecord(file: string): UpdateRecord {
  try {
    const found = JSON.parse(readFileSync(file, "utf8")) as Partial<UpdateRecord>;
    if (Array.isArray(found.refused) && typeof found.kept === "object") {
      return found as UpdateRecord;
    }
  } catch {
    // As below.
  }
  return { refused: [], kept: {} };
}

/** A file's SHA-512, in base64 as a feed has it. */
export async function digestOf(file: string): Promise<string> {
  const digest = createHash("sha512");
  await pipeline(createReadStream(file), digest);
  return digest.digest("base64");
}

/** Puts a file in another's place: at any moment the one or the other is there. */
export async function replaceFile(file: string, target: string): Promise<void> {
  const fresh = `${target}.new`;
  rmSync(fresh, { force: true });
  await copyFile(file, fresh);
  chmodSync(fresh, 0o755);
  flushPath(fresh);
  renameSync(fresh, target);
  flushPath(dirname(target));
}
