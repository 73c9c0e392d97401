import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { StartupError } from "../config/config.ts";
import { describeFileFault } from "../lib/storage-fault.ts";
import { writeFileWhole } from "../lib/write-file.ts";
import {
  type CatalogFile,
  CatalogFileFault,
  CatalogRefused,
  type CatalogReport,
  formatCatalogFile,
  readCatalogFile,
} from "../modules/catalog/catalog/index.ts";
import { type Command, ENV_OPTION, scopeOf, table } from "./command.ts";

const importCommand: Command = {
  name: "catalog import",
  summary: "Import offers, brands and promotions from a file, all or none",
  options: ENV_OPTION,
  argument: "FILE",
  needs: "a FILE",
  async run(ctx, values, path) {
    const scope = scopeOf(ctx, values);
    const source = basename(path);
    const file = parse(path, await readBytes(path));
    const report = await ctx.catalogUpdates
      .replace(scope, file.input, { source, action: "catalog.import" })
      .catch((error: unknown) => {
        if (!(error instanceof CatalogRefused)) throw error;
        throw new StartupError(`${path} was not imported:\n${file.describe(error.faults)}`);
      });
    const { environment } = scope;
    return {
      text: describe(report, source, environment),
      data: { environment, source, ...report },
    };
  },
};

const exportCommand: Command = {
  name: "catalog export",
  summary: "Export the catalog of an environment to a file, or print it",
  options: ENV_OPTION,
  argument: "[FILE]",
  async run(ctx, values, path) {
    const { environment, ...scope } = scopeOf(ctx, values);
    const content = await ctx.catalogUpdates.read({ environment, ...scope });
    const text = formatCatalogFile(content);
    if (path === "") return { text: text.trimEnd(), data: content };
    await writeFileWhole(path, text).catch((error: unknown) => {
      throw new StartupError(`${path} cannot be written: ${describeFileFault(error)}.`);
    });
    const counts = Object.entries(content).map(([name, { length }]) => [name, length] as const);
    const written = counts.map(([name, count]) => `${count} ${name}`).join(", ");
    return {
      text: `Wrote the catalog of ${environment} to ${path}: ${written}.`,
      data: { environment, file: path, sections: Object.fromEntries(counts) },
    };
  },
};

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new StartupError(`${path} cannot be read: ${describeFileFault(error)}.`);
  }
}

function parse(path: string, bytes: Uint8Array): CatalogFile {
  try {
    return readCatalogFile(bytes);
  } catch (error) {
    if (!(error instanceof CatalogFileFault)) throw error;
    throw new StartupError(`${path} was not imported:\n${error.message}`);
  }
}

function describe(report: CatalogReport, source: string, environment: string): string {
  const header = ["", "ADDED", "CHANGED", "REMOVED"];
  const rows = Object.entries(report.sections).map(([section, { added, changed, removed }]) => [
    section,
    String(added),
    String(changed),
    String(removed),
  ]);
  const summary = report.changed
    ? `Imported ${source} into ${environment}: the catalog is at version ${report.version}.`
    : `The catalog of ${environment} holds what ${source} says: nothing was changed.`;
  return [summary, table([header, ...rows])].join("\n");
}

export const catalogCommands = [importCommand, exportCommand];
