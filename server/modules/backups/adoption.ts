import { constants, existsSync, renameSync } from "node:fs";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BackupView } from "../../contract/pos/backups.ts";
import { Problem } from "../../contract/problem.ts";
import {
  copyDatabase,
  databaseExists,
  databaseFile,
  lockDataDir,
  makeDataDir,
} from "../../db/database-files.ts";
import { sealKeyFile } from "../../lib/sealer.ts";
import { checkBackup } from "./backup-check.ts";
import { createPrivateFile, flushDir, flushFile, removePart } from "./backup-files.ts";
import { lookIntoBackup } from "./backup-view.ts";

/** What a data directory of another Tillgate holds. */
export interface FoundShop extends BackupView {
  shopName: string | undefined;
}

/** A database that is not whole yet; a start that finds one alone begins anew. */
const COPYING = "tillgate.db.copying";

/**
 * Looks into the data directory of another Tillgate, as it would be after an update to this version. It is not
 * changed.
 * @param to where a copy is made for that, and removed again
 * @throws Problem in words: there is none, it is running, it is not good
 */
export async function lookAtShop(from: string, to: string): Promise<FoundShop> {
  return whileStopped(from, async () => {
    makeDataDir(to);
    const scratch = join(to, COPYING);
    await removePart(scratch);
    const { problems, view, shopName } = await lookIntoBackup(databaseFile(from), scratch);
    if (view === undefined || problems.length > 0) throw notGood(from, problems);
    return { ...view, shopName };
  });
}

/**
 * Copies a shop from the data directory of another Tillgate into an empty one: its database, and the key of its
 * secrets. The database gets its name last, when it is whole, checked and on the disk: where the power goes
 * before that, there is no shop here, and copying begins anew. What it was copied from stays as it is, with its
 * backups.
 * @throws Problem in words; there is then no database here
 */
export async function copyShop(from: string, to: string): Promise<void> {
  await whileStopped(from, async () => {
    makeDataDir(to);
    const lock = lockDataDir(to);
    if (!lock) {
      throw new Problem("SYSTEM_UNAVAILABLE", `Tillgate is running on ${to}: stop it first.`);
    }
    const copy = join(to, COPYING);
    try {
      refuseShop(to);
      await removePart(copy);
      await createPrivateFile(copy);
      await copyDatabase(databaseFile(from), copy);
      const { problems } = await checkBackup(copy, "write");
      if (problems.length > 0) throw notGood(from, problems);
      await flushFile(copy);
      await copyKey(from, to);
      renameSync(copy, databaseFile(to));
      await flushDir(to);
    } finally {
      await removePart(copy);
      lock.release();
    }
  });
}

/** Holds the other data directory: nothing is sold there meanwhile. */
async function whileStopped<Value>(from: string, work: () => Promise<Value>): Promise<Value> {
  if (!databaseExists(from)) {
    throw new Problem("NOT_FOUND", `There is no shop in ${from}: it has no tillgate.db.`);
  }
  const lock = lockDataDir(from);
  if (!lock) {
    throw new Problem(
      "SYSTEM_UNAVAILABLE",
      `Tillgate is running on ${from}: close it first. Nothing was copied.`,
    );
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function refuseShop(to: string): void {
  if (!databaseExists(to)) return;
  throw new Problem("INVALID_REQUEST", `There is a shop in ${to} already. Nothing was copied.`);
}

/** A key that is here already and is another one may be needed by something else: it is not replaced. */
async function copyKey(from: string, to: string): Promise<void> {
  const [source, target] = [sealKeyFile(from), sealKeyFile(to)];
  if (!existsSync(source)) return;
  if (existsSync(target)) {
    if ((await readFile(source)).equals(await readFile(target))) return;
    throw new Problem(
      "INVALID_REQUEST",
      `${target} is the key of other secrets. Move it away first. Nothing was copied.`,
    );
  }
  const part = `${target}.copying`;
  await removePart(part);
  await copyFile(source, part, constants.COPYFILE_EXCL);
  await flushFile(part);
  renameSync(part, target);
}

function notGood(from: string, problems: readonly string[]): Problem {
  return new Problem(
    "INVALID_REQUEST",
    `The shop in ${from} is not good: ${problems.join("; ")}. Nothing was copied.`,
  );
}
