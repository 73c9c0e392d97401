import { resolve } from "node:path";
import { StartupError } from "../config/config.ts";
import { type Exported, exportShop, importShop } from "../gateway/move-shop.ts";
import { reportsDirectory } from "../modules/books/reports/index.ts";
import { COMMAND_LINE } from "../program.ts";
import type { Command } from "./command.ts";
import { describeMissingKey } from "./missing-key.ts";

/** Files of the shop that no database contains. */
const BESIDE = "secrets.key, tls and metrics-token.sha256";

const exportCommand: Command = {
  name: "export",
  summary: "Write the shop's database and its reports to one file",
  options: {},
  needsData: true,
  argument: "FILE",
  async runWithoutDatabase(config, _values, argument) {
    const file = pathOf(argument);
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
  options: {},
  argument: "FILE",
  async runWithoutDatabase(config, _values, argument) {
    const file = pathOf(argument);
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

function pathOf(argument: string): string {
  if (argument === "") throw new StartupError("A FILE is required.");
  return resolve(argument);
}
