import { constants, existsSync, mkdtempSync, readdirSync, renameSync } from "node:fs";
import { copyFile, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { FastifyRequest } from "fastify";
import type { BackupView } from "../../../contract/pos/backups.ts";
import { Problem } from "../../../contract/problem.ts";
import { openDatabaseFile } from "../../../db/database.ts";
import {
  copyDatabase,
  databaseExists,
  databaseFile,
  lockDataDir,
  makeDataDir,
} from "../../../db/database-files.ts";
import { isLoopback } from "../../../http/addresses.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Place } from "../../../lib/place.ts";
import { type FileSealer, keyringKeyFile, sealKeyFile } from "../../../lib/sealer.ts";
import type { Base, Module } from "../../module.ts";
import { checkDatabaseCopy } from "./backup-check.ts";
import type { BackupDesk } from "./backup-desk.ts";
import { createPrivateFile, flushDir, flushFile, removePart } from "./backup-files.ts";
import { BACKUP_JOB, BackupService } from "./backup-service.ts";
import { lookIntoDatabase } from "./backup-view.ts";
import type { FirstRestore } from "./first-restore.ts";
import { RecoveryDesk } from "./recovery-desk.ts";
import { SECOND_PLACE_JOB, SecondBackupPlace } from "./second-place.ts";

export { type BackupCheck, verifyBackup } from "./backup-check.ts";
export { writeBackup } from "./backup-copy.ts";
export { findBackupOfNow, readOwnFacts } from "./backup-facts.ts";
export { type BackupFile, isRestoreUnfinished, listBackupFiles, partName } from "./backup-files.ts";
export type { BackupFacts } from "./backup-format.ts";
export { BackupService, readBackupState } from "./backup-service.ts";
export type { LookedInto } from "./backup-view.ts";
export type { RecoveryDesk } from "./recovery-desk.ts";
export { finishRestore, restoreAsAsked } from "./restore-request.ts";
export { findUnreadable, type Unreadable } from "./sealed-with.ts";
export type { SecondBackupPlace } from "./second-place.ts";

export interface FoundShop extends BackupView {
  shopName: string | undefined;
}

/**
 * Name of the database while it is copied. After an interruption, the next adoption overwrites it.
 */
const COPYING = "tillgate.db.copying";

export async function lookAtShop(from: string, to: string): Promise<FoundShop> {
  return whileStopped(from, async () => {
    makeDataDir(to);
    const scratch = join(to, COPYING);
    await removePart(scratch);
    const { problems, view, shopName } = await lookIntoDatabase(databaseFile(from), scratch);
    if (view === undefined || problems.length > 0) throw notGood(from, problems);
    return { ...view, shopName };
  });
}

const KEY_FILES = [sealKeyFile, keyringKeyFile] as const;

/** Prefix of the subdirectory for a shop that was created here but never sold. */
const KEPT = "before-adoption-";

/**
 * Copies a shop's database and key from another data directory, which stays unchanged. First moves
 * aside a shop in the target that never sold. The database gets its final name only when it is
 * complete, checked and on the disk, so that copying can be repeated after a power failure.
 * @returns the directory of the shop that was moved aside, if any
 * @throws Problem, before anything in the target has changed
 */
export async function copyShop(from: string, to: string): Promise<{ setAside?: string }> {
  return whileStopped(from, async () => {
    makeDataDir(to);
    const lock = lockDataDir(to);
    if (!lock) {
      throw new Problem(
        "SYSTEM_UNAVAILABLE",
        `Tillgate is running on ${to}: stop it first, a service with: sudo systemctl stop tillgate. Nothing was copied.`,
      );
    }
    const copy = join(to, COPYING);
    try {
      await refuseSold(to);
      await removePart(copy);
      await createPrivateFile(copy);
      await copyDatabase(databaseFile(from), copy);
      const { problems } = await checkDatabaseCopy(copy, "write");
      if (problems.length > 0) throw notGood(from, problems);
      await flushFile(copy);
      const setAside = await setBegunAside(from, to);
      for (const fileIn of KEY_FILES) await copyKey(fileIn(from), fileIn(to));
      renameSync(copy, databaseFile(to));
      await flushDir(to);
      return setAside === undefined ? {} : { setAside };
    } finally {
      await removePart(copy);
      lock.release();
    }
  });
}

/** Runs work under the lock of the other directory, so that no gateway sells there. */
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

/**
 * @throws Problem if the directory has a shop with sales, or an unreadable shop, which may have
 * sales
 */
async function refuseSold(to: string): Promise<void> {
  if (!databaseExists(to) || (await hasSoldNothing(databaseFile(to)))) return;
  throw new Problem(
    "INVALID_REQUEST",
    `There is a shop in ${to} already, which has sold. Nothing was copied. Choose another directory, or move that shop away first.`,
  );
}

async function hasSoldNothing(file: string): Promise<boolean> {
  const db = openDatabaseFile(file, "read");
  try {
    const sale = await db.selectFrom("sales").select("sale_id").limit(1).executeTakeFirst();
    const other = db
      .selectFrom("transactions")
      .select("transaction_id")
      .where("type", "=", "DEBIT");
    return sale === undefined && (await other.limit(1).executeTakeFirst()) === undefined;
  } catch {
    return false;
  } finally {
    await db.destroy();
  }
}

/**
 * Moves a shop aside: the key first and the database last, so that a repeated call after a power
 * failure moves the remaining files.
 */
async function setBegunAside(from: string, to: string): Promise<string | undefined> {
  if (!databaseExists(to)) return undefined;
  const kept = mkdtempSync(join(to, KEPT));
  for (const fileIn of KEY_FILES) {
    const key = fileIn(to);
    // Moves the key file only if `from` has one. Otherwise, the adopted shop may need the key file
    // in `to`.
    if (existsSync(key) && existsSync(fileIn(from))) renameSync(key, join(kept, basename(key)));
  }
  const file = basename(databaseFile(to));
  const beside = readdirSync(to).filter((name) => name.startsWith(`${file}-`));
  for (const name of [...beside, file]) renameSync(join(to, name), join(kept, name));
  await flushDir(kept);
  await flushDir(to);
  return kept;
}

/** Copies the key file. Does not replace a different key in the target, which may be in use. */
async function copyKey(source: string, target: string): Promise<void> {
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

/** Loads the restore code on demand, because most starts need no restore. */
export function loadRestore() {
  return import("./restore.ts");
}

type Deps = Base & {
  keyFile: FileSealer;
  background: ConstructorParameters<typeof BackupService>[0]["background"] &
    ConstructorParameters<typeof SecondBackupPlace>[0]["background"];
  /** Whether the gateway makes hourly backups; default is true. */
  automaticBackups?: boolean;
};

export function createBackupsModule({ automaticBackups = true, ...deps }: Deps) {
  const secondPlace = new SecondBackupPlace(deps);
  const backups = new BackupService({ ...deps, noteMade: () => secondPlace.request() });
  const recovery = new RecoveryDesk(deps);
  return {
    services: { backups, secondPlace, recovery },
    jobs: [
      { kind: BACKUP_JOB, run: (subject) => backups.runJob(subject) },
      { kind: SECOND_PLACE_JOB, run: () => secondPlace.run(), concurrency: 1 },
    ],
    async recover() {
      if (automaticBackups) await backups.schedule();
    },
  } satisfies Module;
}

type DeskDeps = Base & {
  backups: BackupService;
  secondPlace: SecondBackupPlace;
  recovery: RecoveryDesk;
  sessions: {
    confirm(
      who: { accountId: string; staffId: string },
      pin: string,
      place: Place,
    ): Promise<string | undefined>;
  };
} & Pick<ConstructorParameters<typeof BackupDesk>[0], "background"> &
  Pick<ConstructorParameters<typeof FirstRestore>[0], "background" | "openAgain">;

export function createBackupDeskModule(deps: DeskDeps) {
  return {
    services: {},
    async pos(app) {
      const { BackupDesk } = await import("./backup-desk.ts");
      const { FirstRestore } = await import("./first-restore.ts");
      await registerBackupRoutes(app, { ...deps, desk: new BackupDesk(deps) });
      await registerFirstRestoreRoutes(app, new FirstRestore(deps));
    },
  } satisfies Module;
}

async function registerBackupRoutes(
  app: App,
  { desk, recovery, secondPlace, sessions }: DeskDeps & { desk: BackupDesk },
): Promise<void> {
  const { backupOperations } = await import("../../../contract/pos/backups.ts");
  handle(app, backupOperations.list, ({ actor }) => desk.view(actor.staffId));

  handle(app, backupOperations.work, async ({ actor: { accountId, staffId }, body }) => {
    await desk.begin({ accountId, staffId }, body);
    return desk.view(staffId);
  });

  handle(app, backupOperations.askRestore, async ({ actor, body, request, reply }) => {
    setDeviceCookie(reply, await sessions.confirm(actor, body.pin, placeOf(request)));
    const { accountId, staffId } = actor;
    await desk.askRestore({ accountId, staffId }, body);
    return desk.view(staffId);
  });

  handle(app, backupOperations.withdrawRestore, async ({ actor: { accountId, staffId } }) => {
    await desk.withdrawRestore({ accountId, staffId });
    return desk.view(staffId);
  });

  handle(app, backupOperations.setSecond, async ({ actor: { accountId, staffId }, body }) => {
    await secondPlace.set({ accountId, staffId }, body.dir);
    return desk.view(staffId);
  });

  handle(app, backupOperations.removeSecond, async ({ actor: { accountId, staffId } }) => {
    await secondPlace.remove({ accountId, staffId });
    return desk.view(staffId);
  });

  handle(app, backupOperations.makeKit, async ({ actor, body, request, reply }) => {
    setDeviceCookie(reply, await sessions.confirm(actor, body.pin, placeOf(request)));
    const { accountId, staffId } = actor;
    return recovery.makeKit({ accountId, staffId });
  });

  handle(app, backupOperations.confirmKit, async ({ actor: { accountId, staffId }, body }) => {
    await recovery.confirmKit({ accountId, staffId }, body.kitId);
    return desk.view(staffId);
  });

  handle(app, backupOperations.review, async ({ actor, body, request, reply }) => {
    setDeviceCookie(reply, await sessions.confirm(actor, body.pin, placeOf(request)));
    const { accountId, staffId } = actor;
    await recovery.confirmAccess({ accountId, staffId }, body);
    return desk.view(staffId);
  });
}

/**
 * Registers the restore operations of a new machine. Accepts only requests from this machine,
 * because nobody can sign in before set-up.
 */
async function registerFirstRestoreRoutes(app: App, restore: FirstRestore): Promise<void> {
  const { backupOperations } = await import("../../../contract/pos/backups.ts");
  handle(app, backupOperations.find, async ({ body, request }) => {
    await requireOwnMachine(request, restore);
    return restore.find(body.path);
  });

  handle(app, backupOperations.upload, async ({ body, request }) => {
    await requireOwnMachine(request, restore);
    const { number = 0, at, content } = body;
    return restore.upload({ number, at }, Buffer.from(content, "base64"));
  });

  handle(app, backupOperations.look, async ({ body, request }) => {
    await requireOwnMachine(request, restore);
    return restore.look(body);
  });

  handle(app, backupOperations.restoreFirst, async ({ body, request, reply }) => {
    await requireOwnMachine(request, restore);
    const restored = await restore.restore(body);
    // Restarts the gateway after the browser has received the response.
    reply.raw.once("close", () => restore.openAgain());
    return restored;
  });
}

async function requireOwnMachine(request: FastifyRequest, restore: FirstRestore): Promise<void> {
  const { remoteAddress = "" } = request.socket;
  if (!isLoopback(request.ip) || !isLoopback(remoteAddress)) {
    throw new Problem(
      "FORBIDDEN",
      "Restore the shop on the machine that Tillgate runs on, or with `tillgate restore`.",
    );
  }
  await restore.requireNoShop();
}
