import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { FoundBackups, LookedAt } from "../../../contract/pos/backups.ts";
import { Problem } from "../../../contract/problem.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { describeFileFault } from "../../../lib/storage-fault.ts";
import type { Base } from "../../module.ts";
import type { BackupSource } from "./backup-check.ts";
import { toAbout } from "./backup-desk.ts";
import { type BackupFile, listBackupFiles, partName, takenAtOf } from "./backup-files.ts";
import type { LookedInto } from "./backup-view.ts";
import type { RefusedRestore, RestoreRequest, StagedRestore } from "./restore.ts";

/**
 * Folders below which systems mount removable disks, at most two levels deep, such as
 * /run/media/USER/STICK.
 */
const MOUNTS = ["/media", "/run/media", "/mnt", "/Volumes"];
const DRIVES = "DEFGHIJKLMNOPQRSTUVWXYZ";
const MOUNT_LEVELS = 3;
const MAX_FOUND = 200;
/** Folder of uploaded backups. An increment is uploaded with its predecessors. */
const UPLOADED = ".tillgate-uploaded.part";

interface Deps extends Pick<Base, "accountId" | "db" | "clock" | "ids"> {
  config: { dataDir: string; backupDir: string; database?: string | undefined };
  background: {
    run(task: "lookIntoBackup", of: BackupSource & { scratch: string }): Promise<LookedInto>;
    run(task: "stageRestore", of: RestoreRequest): Promise<StagedRestore | RefusedRestore>;
  };
  openAgain(): void;
}

interface Chosen {
  file: string;
  phrase?: string;
  acceptUnsigned?: boolean;
}

/**
 * Restores a shop from the first screen of a machine that has no shop (rules#backup-first-screen).
 */
export class FirstRestore {
  readonly #deps: Deps;
  #isStaged = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws Problem ALREADY_SET_UP */
  async requireNoShop(): Promise<void> {
    const { db, config } = this.#deps;
    if (config.database !== undefined) {
      throw new Problem(
        "FORBIDDEN",
        "This shop's database is on a PostgreSQL server, which restores it by its own means.",
      );
    }
    const shop = await db.selectFrom("shops").select("name").executeTakeFirst();
    if (shop || this.#isStaged) {
      throw new Problem("ALREADY_SET_UP", "There is a shop here already. Nothing was done.");
    }
  }

  /**
   * Lists backups, newest first.
   * @param path path of a folder or a file; undefined to search the disks of this machine
   * @throws Problem NOT_FOUND
   */
  async find(path: string | undefined): Promise<FoundBackups> {
    const found = path === undefined ? await this.#findOnDisks() : await findAt(path);
    const list = found.toSorted((a, b) => b.takenAt - a.takenAt).slice(0, MAX_FOUND);
    return {
      list: list.map(({ file, takenAt, sizeBytes }) => ({
        file,
        takenAt: toTimestamp(takenAt),
        sizeBytes,
      })),
    };
  }

  /**
   * Writes the next part of a file that the browser sends.
   * @throws Problem INVALID_REQUEST if the part does not follow the previous part
   */
  async upload(
    { number, at }: { number: number; at: number },
    content: Buffer,
  ): Promise<{ file: string; bytes: number }> {
    const folder = join(this.#deps.config.dataDir, UPLOADED);
    const file = join(folder, `${number}.backup`);
    try {
      if (at === 0) await rm(number === 0 ? folder : file, { recursive: true, force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const handle = await open(file, "a", 0o600);
      try {
        const { size } = await handle.stat();
        if (size !== at) {
          throw new Problem("INVALID_REQUEST", "A part of the file is missing. Choose it again.", {
            at: `must be ${size}`,
          });
        }
        await handle.write(content);
        return { file, bytes: at + content.length };
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (error instanceof Problem) throw error;
      await rm(file, { force: true });
      throw new Problem(
        "SYSTEM_UNAVAILABLE",
        `The file could not be stored: ${describeFileFault(error)}. Nothing was restored.`,
      );
    }
  }

  async look({ file, phrase }: Chosen): Promise<LookedAt> {
    await requireFile(file);
    const { config, ids, background } = this.#deps;
    const { dataDir } = config;
    const scratch = join(dataDir, partName(ids.uuid()));
    const order = { file, dataDir, scratch, phrase };
    const looked = await background.run("lookIntoBackup", order);
    const { facts, problems, fault, phraseFault, view, shopName, isUnsigned } = looked;
    return {
      ...(facts && { about: toAbout(facts) }),
      shopName: facts?.shopName ?? shopName ?? "",
      isUnsigned: isUnsigned ?? false,
      problems,
      ...(phraseFault ? { phraseFault } : fault && { fault }),
      ...(view && { view }),
    };
  }

  /**
   * Prepares the restored shop. `openAgain` activates it.
   * @throws Problem with the reason; no files remain
   */
  async restore(chosen: Chosen): Promise<{ shopName: string; takenAt: string }> {
    await requireFile(chosen.file);
    const { accountId, clock, config, background } = this.#deps;
    const { dataDir } = config;
    this.#isStaged = true;
    try {
      const request = { ...chosen, dataDir, accountId, now: clock.now() };
      const staged = await background.run("stageRestore", request);
      if ("refusal" in staged) {
        const { errorCode, message, fields } = staged.refusal;
        throw new Problem(errorCode, message, fields);
      }
      const { shopName, takenAt } = staged;
      await rm(join(dataDir, UPLOADED), { recursive: true, force: true });
      return { shopName, takenAt: toTimestamp(takenAt) };
    } catch (error) {
      this.#isStaged = false;
      if (error instanceof Problem) throw error;
      // A worker thread transfers only the message of an error.
      const words = error instanceof Error ? error.message : String(error);
      throw new Problem("INVALID_REQUEST", words);
    }
  }

  openAgain(): void {
    if (this.#isStaged) this.#deps.openAgain();
  }

  async #findOnDisks(): Promise<BackupFile[]> {
    const { backupDir } = this.#deps.config;
    const roots =
      process.platform === "win32" ? Array.from(DRIVES, (letter) => `${letter}:\\`) : MOUNTS;
    const below = await Promise.all(roots.map((root) => findBelow(root, MOUNT_LEVELS)));
    return [...(await listBackupFiles(backupDir)), ...below.flat()];
  }
}

async function findBelow(dir: string, levels: number): Promise<BackupFile[]> {
  const here = await listBackupFiles(dir);
  if (here.length > 0 || levels === 0) return here;
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory());
  const below = await Promise.all(
    folders.map(({ name }) => findBelow(join(dir, name), levels - 1)),
  );
  return below.flat();
}

async function findAt(path: string): Promise<BackupFile[]> {
  if (!isAbsolute(path)) {
    throw new Problem("INVALID_REQUEST", `${path}: give the whole path, such as /media/stick.`, {
      path: "must begin where the disk begins",
    });
  }
  const found = await stat(path).catch((error: unknown) => {
    throw new Problem("NOT_FOUND", `${path}: ${describeFileFault(error)}.`);
  });
  if (found.isDirectory()) return findBelow(path, 1);
  const name = basename(path);
  const takenAt = takenAtOf(name) ?? Math.floor(found.mtimeMs);
  return [{ file: join(dirname(path), name), name, takenAt, sizeBytes: found.size }];
}

async function requireFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) return;
  throw new Problem(
    "NOT_FOUND",
    `The backup ${file} is not there. If it is on a stick, plug the stick in and look again.`,
    { kind: "UNREADABLE" },
  );
}
