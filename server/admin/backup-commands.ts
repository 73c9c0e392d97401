import { basename, join, resolve } from "node:path";
import { type GatewayConfig, StartupError } from "../config/config.ts";
import { DEFAULT_ACCOUNT } from "../index.ts";
import { systemClock, toTimestamp } from "../lib/clock.ts";
import { randomIds } from "../lib/ids.ts";
import {
  type BackupFile,
  partName,
  readBackupState,
  restoreBackup,
  verifyBackup,
} from "../modules/backups/index.ts";
import { type Command, table } from "./command.ts";
import { describeMissingKey } from "./missing-key.ts";

const MEGABYTE = 1_000_000;

export const BACKUPS_OPTION = {
  backups: { value: "DIR", help: "where backups are kept (TILLGATE_BACKUPS)" },
};

const nowCommand: Command = {
  name: "backup now",
  summary: "Make a backup and verify it, also while Tillgate runs",
  options: BACKUPS_OPTION,
  isOfFiles: true,
  needsData: true,
  async run(ctx) {
    const backup = await ctx.backups.make();
    return {
      text: `Made ${backup.file} (${inMegabytes(backup)}), verified.`,
      data: describe(backup),
    };
  },
};

const listCommand: Command = {
  name: "backup list",
  summary: "List the backups, newest first, and what went wrong with the last",
  options: BACKUPS_OPTION,
  isOfFiles: true,
  async runWithoutDatabase(config) {
    const { backups, failure } = await readBackupState(config);
    const rows = backups.map((backup) => [
      toTimestamp(backup.takenAt),
      inMegabytes(backup),
      backup.name,
    ]);
    const lines = [
      backups.length === 0
        ? `There are no backups in ${config.backupDir}.`
        : table([["TAKEN", "SIZE", "FILE"], ...rows]),
      ...(failure === undefined ? [] : [`The last backup failed: ${failure}`]),
    ];
    return { text: lines.join("\n"), data: { backups: backups.map(describe), failure } };
  },
};

const verifyCommand: Command = {
  name: "backup verify",
  summary: "Open a backup and check its books; exit code 1 when it is not good",
  options: BACKUPS_OPTION,
  isOfFiles: true,
  argument: "FILE",
  async runWithoutDatabase(config, _values, argument) {
    const file = pathOf(config, argument);
    const { problems, outdated } = await verifyBackup(
      { file, dataDir: config.dataDir },
      join(config.dataDir, partName(randomIds.uuid())),
    );
    const good = outdated
      ? "The file is whole. An older Tillgate made it; its books are audited when it is restored."
      : "The backup is good: the file is whole and the books are in order.";
    return {
      text: problems.length === 0 ? good : [`${file} is NOT good:`, ...problems].join("\n"),
      data: { file, good: problems.length === 0, problems },
      exitCode: problems.length === 0 ? 0 : 1,
    };
  },
};

const restoreCommand: Command = {
  name: "backup restore",
  summary: "Put a backup in the place of the database, which is kept",
  options: BACKUPS_OPTION,
  isOfFiles: true,
  argument: "FILE",
  async runWithoutDatabase(config, _values, argument) {
    const file = pathOf(config, argument);
    const { takenAt, unfinished, kept, unreadable } = await restoreBackup({
      dataDir: config.dataDir,
      accountId: DEFAULT_ACCOUNT,
      file,
      now: systemClock.now(),
    });
    const taken = toTimestamp(takenAt);
    const lines = [
      `Restored ${basename(file)}, taken at ${taken}.`,
      "What was sold, paid in or changed after that moment is not in the books.",
      `Unfinished purchases in it: ${unfinished}. The provider is asked what became of each before anything is sent.`,
      kept === undefined
        ? "There was no database before."
        : `The database that was there is kept in ${kept}.`,
      ...describeMissingKey(config.dataDir, unreadable),
    ];
    return { text: lines.join("\n"), data: { file, takenAt: taken, unfinished, kept, unreadable } };
  },
};

/** A path as typed, or the name of a backup where backups are kept. */
function pathOf({ backupDir }: GatewayConfig, argument: string): string {
  if (argument === "") throw new StartupError("A FILE is required; see backup list.");
  return basename(argument) === argument ? join(backupDir, argument) : resolve(argument);
}

function inMegabytes({ sizeBytes }: BackupFile): string {
  return `${(sizeBytes / MEGABYTE).toFixed(1)} MB`;
}

function describe({ file, takenAt, sizeBytes }: BackupFile) {
  return { file, takenAt: toTimestamp(takenAt), sizeBytes };
}

export const backupCommands = [nowCommand, listCommand, verifyCommand, restoreCommand];
