import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { type GatewayConfig, StartupError } from "../config/config.ts";
import { type Exported, exportShop, importShop } from "../gateway/move-shop.ts";
import { DEFAULT_ACCOUNT } from "../index.ts";
import { systemClock, toTimestamp } from "../lib/clock.ts";
import { randomIds } from "../lib/ids.ts";
import { sealKeyFile } from "../lib/sealer.ts";
import { reportsDirectory } from "../modules/books/reports/index.ts";
import {
  type BackupFacts,
  type BackupFile,
  listBackupFiles,
  loadRestore,
  partName,
  readBackupState,
  type Unreadable,
  verifyBackup,
} from "../modules/safety/backups/index.ts";
import { COMMAND_LINE } from "../program.ts";
import { type Command, optional, required, tableOr, type Values } from "./command.ts";
import { readSecret } from "./secret-input.ts";

const MEGABYTE = 1_000_000;

export const BACKUPS_OPTION = {
  backups: { value: "DIR", help: "backup folder (TILLGATE_BACKUPS)" },
};

const nowCommand: Command = {
  name: "backup now",
  summary: "Make and verify a backup; Tillgate may be running",
  options: BACKUPS_OPTION,
  isOfFiles: true,
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
  summary: "List the backups, newest first, and the last failure",
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
      tableOr(`There are no backups in ${config.backupDir}.`, ["TAKEN", "SIZE", "FILE"], rows),
      ...(failure === undefined ? [] : [`The last backup failed: ${failure}`]),
    ];
    return { text: lines.join("\n"), data: { backups: backups.map(describe), failure } };
  },
};

const PHRASE_OPTION = {
  phrase: { value: "FILE|-", help: "file with the recovery phrase; - reads standard input" },
};

const verifyCommand: Command = {
  name: "backup verify",
  summary: "Check a backup and its books; exit code 1 if it is not good",
  options: { ...BACKUPS_OPTION, ...PHRASE_OPTION },
  isOfFiles: true,
  argument: "FILE",
  async runWithoutDatabase(config, values, argument) {
    const file = pathOf(config, argument);
    const { dataDir } = config;
    const scratch = join(dataDir, partName(randomIds.uuid()));
    const phrase = await readPhrase(values);
    const check = await verifyBackup({ file, dataDir, phrase }, scratch);
    const { problems, outdated, facts, isUnsigned } = check;
    const good = outdated
      ? "The file is whole. An older Tillgate made it; its books are audited when it is restored."
      : "The backup is good: the file is whole and the books are in order.";
    const lines = [
      ...(problems.length === 0 ? [good] : [`${file} is NOT good:`, ...problems]),
      ...(facts ? [describeFacts(facts)] : []),
      ...(isUnsigned ? [UNSIGNED] : []),
    ];
    return {
      text: lines.join("\n"),
      data: { file, good: problems.length === 0, problems, ...describeAbout(facts), isUnsigned },
      exitCode: problems.length === 0 ? 0 : 1,
    };
  },
};

const UNSIGNED =
  "It is not signed: Tillgate made it before backups were encrypted. A change to it cannot be detected.";

const RESTORE: Pick<Command, "options" | "isOfFiles" | "argument" | "runWithoutDatabase"> = {
  options: {
    ...BACKUPS_OPTION,
    ...PHRASE_OPTION,
    adopt: {
      value: "SHOP",
      help: "replace the shop here with the backup of this other shop",
    },
    unsigned: { value: "accept", help: "restore an unsigned backup of an older Tillgate" },
  },
  isOfFiles: true,
  argument: "FILE|DIR",
  async runWithoutDatabase(config, values, argument) {
    const file = await findFile(pathOf(config, argument));
    const { dataDir } = config;
    const { restoreBackup } = await loadRestore();
    const restored = await restoreBackup({
      dataDir,
      accountId: DEFAULT_ACCOUNT,
      file,
      now: systemClock.now(),
      phrase: await readPhrase(values),
      adopt: optional(values, "adopt"),
      acceptUnsigned: optional(values, "unsigned") === "accept",
    });
    const { takenAt, unfinished, kept, unreadable, shopName, carried, needsReview } = restored;
    const taken = toTimestamp(takenAt);
    const lines = [
      `Restored ${basename(file)}, taken at ${taken}, of the shop "${shopName}".`,
      "Sales, payments and changes after that moment are not in the books.",
      `Unfinished purchases in it: ${unfinished}. Tillgate queries the provider's status of each before it resubmits any.`,
      kept === undefined
        ? "There was no database before."
        : `The database that was there is kept in ${kept}.`,
      ...(carried.length > 0
        ? ["Newer than the backup, and not restored:", ...carried.map((one) => `  ${one}`)]
        : []),
      ...(needsReview
        ? [
            "An owner must confirm access in Settings, Backups: the backup may contain access that was revoked since.",
          ]
        : []),
      ...describeMissingKey(dataDir, unreadable),
    ];
    return { text: lines.join("\n"), data: { file, ...restored, takenAt: taken } };
  },
};

const restoredCommand: Command = {
  name: "backup restored",
  summary: "Record that the database was restored by other means; run it before Tillgate starts",
  async run(ctx) {
    const { noteRestored } = await loadRestore();
    const unfinished = await noteRestored(ctx);
    return {
      text: `Unfinished purchases: ${unfinished}. Tillgate queries the provider's status of each before it resubmits any.`,
      data: { unfinished },
    };
  },
};

const restoreBackupCommand: Command = {
  name: "backup restore",
  summary: "Replace the database with a backup; the old database is moved aside",
  ...RESTORE,
};

const restoreCommand: Command = {
  name: "restore",
  summary: "Restore a shop from a backup file, or from the newest one of a folder",
  ...RESTORE,
};

const kitCommand: Command = {
  name: "recovery kit",
  summary: "Print the twelve words of a new recovery sheet, once; they open later backups",
  async run(ctx) {
    const kit = await ctx.recovery.makeKit({ accountId: ctx.accountId });
    const lines = [
      kit.phrase,
      "Write these words down and keep them outside the shop. They are not shown again.",
      "They open every backup that is made from now on. The sheet before opens them too, until you confirm these words:",
      `tillgate recovery confirm ${kit.kitId}`,
    ];
    return { text: lines.join("\n"), data: { ...kit } };
  },
};

const confirmKitCommand: Command = {
  name: "recovery confirm",
  summary: "Confirm that a new recovery sheet is on paper: only its words open later backups",
  argument: "KIT",
  async run(ctx, _values, kitId) {
    await ctx.recovery.confirmKit({ accountId: ctx.accountId }, kitId);
    return {
      text: "Only the confirmed sheet opens backups that are made from now on. Keep the sheet before for the backups before.",
      data: { kitId },
    };
  },
};

const keyCommand: Command = {
  name: "recovery key",
  summary: "Write the key files of a database that was restored without them",
  options: { phrase: { ...PHRASE_OPTION.phrase } },
  async runWithoutDatabase(config, values) {
    const phrase = await readSecret(required(values, "phrase"), "phrase");
    const { restoreKeyFiles } = await loadRestore();
    const file = await restoreKeyFiles(config, phrase);
    return { text: `Wrote ${file}. Start Tillgate.`, data: { file } };
  },
};

function readPhrase(values: Values): Promise<string> | undefined {
  const from = optional(values, "phrase");
  return from === undefined ? undefined : readSecret(from, "phrase");
}

/**
 * Returns the file, or the newest backup if the path is a folder.
 * @throws StartupError if the folder contains no backup
 */
async function findFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return path;
  const [newest] = await listBackupFiles(path);
  if (newest) return newest.file;
  throw new StartupError(`There is no backup in ${path}. Nothing was done.`);
}

function describeFacts({ shopName, environment, engine, takenAt }: BackupFacts): string {
  const sells = environment === null ? "not set up" : `sells in ${environment}`;
  return `Shop "${shopName}", ${sells}, ${engine}, taken at ${toTimestamp(takenAt)}.`;
}

function describeAbout(facts: BackupFacts | undefined) {
  if (!facts) return {};
  const { shopName, environment, engine, takenAt } = facts;
  return { about: { shopName, environment, engine, takenAt: toTimestamp(takenAt) } };
}

/** A file name without a folder names a file in the backup folder. */
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

export const backupCommands = [
  nowCommand,
  listCommand,
  verifyCommand,
  restoreBackupCommand,
  restoredCommand,
  restoreCommand,
  kitCommand,
  confirmKitCommand,
  keyCommand,
];

/** Files of the shop that no database contains. */
const BESIDE = "secrets.key, tls and metrics-token.sha256";

const exportCommand: Command = {
  name: "export",
  summary: "Write the shop's database and its reports to one file",
  needsShop: true,
  argument: "FILE",
  async runWithoutDatabase(config, _values, argument) {
    const file = readFilePath(argument);
    const { whole, reports } = await exportShop(config, file);
    const lines = [
      `Wrote ${file}: ${whole.rows} rows of ${whole.tables} tables, SHA-256 ${whole.sha256}.`,
      ...describeReports("It holds", reports),
      "It contains sales and customers' numbers. Texts that are encrypted in the database are encrypted in it too.",
      `Import it at the shop's new place with: ${COMMAND_LINE} import "${file}" --data DIR`,
      `First copy these files of ${config.dataDir} there, as far as they exist: ${BESIDE}.`,
      "After that, do not start Tillgate here again: the two shops would sell independently.",
    ];
    return { text: lines.join("\n"), data: { file, ...whole, reports } };
  },
};

const importCommand: Command = {
  name: "import",
  summary: "Create the shop's database from an exported file; fails if there is one",
  argument: "FILE",
  async runWithoutDatabase(config, _values, argument) {
    const file = readFilePath(argument);
    const { whole, reports, unreadable } = await importShop(config, file);
    const lines = [
      `Imported ${file}: ${whole.rows} rows of ${whole.tables} tables, each verified after the import.`,
      "The books are in order.",
      ...describeReports(
        config.database === undefined
          ? `Written to ${reportsDirectory(config.dataDir)}:`
          : "In the database, which serves them to each process:",
        reports,
      ),
      ...describeMissingKey(config.dataDir, unreadable),
    ];
    return { text: lines.join("\n"), data: { file, ...whole, reports, unreadable } };
  },
};

export const moveCommands = [exportCommand, importCommand];

function describeReports(where: string, { files, missing }: Exported["reports"]): string[] {
  const lost = `${filesOf(missing)} of reports ${missing === 1 ? "is" : "are"} deleted already, and can be generated again.`;
  return [`${where} ${filesOf(files)} of reports.`, ...(missing > 0 ? [lost] : [])];
}

function filesOf(count: number): string {
  return `${count} ${count === 1 ? "file" : "files"}`;
}

function readFilePath(argument: string): string {
  if (argument === "") throw new StartupError("A FILE is required.");
  return resolve(argument);
}

/**
 * Warns about PINs and secrets that no key can open. The owner reads the warning before staff try
 * to sign in.
 */
function describeMissingKey(dataDir: string, unreadable: Unreadable): string[] {
  const { pins, texts, ofKeyring, ownerId } = unreadable;
  const lines: string[] = [];
  if (pins + texts > 0) {
    lines.push(
      `MISSING: the key ${sealKeyFile(dataDir)} that ${pins} PINs of staff and ${texts} secrets of providers, webhooks and sales were encrypted with.`,
      "Put that file back from your copy of it before you start Tillgate.",
    );
  }
  if (pins > 0) {
    const who = ownerId ?? "STAFF_ID";
    lines.push(
      `Without it they cannot sign in: set a PIN with ${COMMAND_LINE} staff pin ${who} --pin - --data "${dataDir}"`,
    );
  }
  if (ofKeyring > 0) {
    lines.push(
      `${ofKeyring} secrets were encrypted by the desktop app with its user's keyring: only that app, as that user of that machine, opens them.`,
    );
  }
  return lines;
}
