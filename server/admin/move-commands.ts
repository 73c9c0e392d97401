import { resolve } from "node:path";
import { StartupError } from "../config/config.ts";
import { type Exported, exportShop, importShop } from "../gateway/move-shop.ts";
import { reportsDirectory } from "../modules/books/reports/index.ts";
import { COMMAND_LINE } from "../program.ts";
import type { Command } from "./command.ts";
import { describeMissingKey } from "./missing-key.ts";

/** What of a data directory belongs to the shop and is in no database. */
const BESIDE = "secrets.key, tls and metrics-token.sha256";

const exportCommand: Command = {
  name: "export",
  summary: "Write everything that the shop's database holds, and its reports, to one file",
  options: {},
  needsData: true,
  argument: "FILE",
  async runWithoutDatabase(config, _values, argument) {
    const file = pathOf(argument);
    const { whole, reports } = await exportShop(config, file);
    const lines = [
      `Wrote ${file}: ${whole.rows} rows of ${whole.tables} tables, SHA-256 ${whole.sha256}.`,
      ...describeReports("It holds", reports),
      "It holds what was sold and to whom. Texts that the database keeps encrypted are encrypted in it too.",
      `Take it in where the shop goes on, with: ${COMMAND_LINE} import "${file}" --data DIR`,
      `Before that, copy there what is not in the database, as far as it is in ${config.dataDir}: ${BESIDE}.`,
      "Do not start Tillgate here again after that: each would sell for itself.",
    ];
    return { text: lines.join("\n"), data: { file, ...whole, reports } };
  },
};

const importCommand: Command = {
  name: "import",
  summary: "Make the shop's database out of such a file, where there is none yet",
  options: {},
  argument: "FILE",
  async runWithoutDatabase(config, _values, argument) {
    const file = pathOf(argument);
    const { whole, reports, unreadable } = await importShop(config, file);
    const lines = [
      `Imported ${file}: ${whole.rows} rows of ${whole.tables} tables, each read back as it is in the file.`,
      "The books are in order.",
      ...describeReports(
        config.database === undefined
          ? `Written to ${reportsDirectory(config.dataDir)}:`
          : "In the database, where each process hands them out:",
        reports,
      ),
      ...describeMissingKey(config.dataDir, unreadable),
    ];
    return { text: lines.join("\n"), data: { file, ...whole, reports, unreadable } };
  },
};

/** Moves a shop between a file and a PostgreSQL. */
export const moveCommands = [exportCommand, importCommand];

function describeReports(where: string, { files, missing }: Exported["reports"]): string[] {
  const lost = `${filesOf(missing)} of reports ${missing === 1 ? "is" : "are"} not kept any more, and can be made anew.`;
  return [`${where} ${filesOf(files)} of reports.`, ...(missing > 0 ? [lost] : [])];
}

function filesOf(count: number): string {
  return `${count} ${count === 1 ? "file" : "files"}`;
}

function pathOf(argument: string): string {
  if (argument === "") throw new StartupError("A FILE is required.");
  return resolve(argument);
}
