import { resolve } from "node:path";
import { copyShop, type FoundShop, lookAtShop } from "../modules/backups/index.ts";
import { COMMAND_LINE } from "../program.ts";
import type { Command } from "./command.ts";

const lookCommand: Command = {
  name: "adopt look",
  summary: "Say which shop another Tillgate's data directory holds",
  options: {},
  isOfFiles: true,
  argument: "DIR",
  async runWithoutDatabase({ dataDir }, _values, argument) {
    const from = resolve(argument);
    const found = await lookAtShop(from, dataDir);
    const next = `Copy it into ${dataDir} with: ${COMMAND_LINE} adopt copy "${from}"`;
    return { text: `${from} holds ${describe(found)}\n${next}`, data: { from, ...found } };
  },
};

const copyCommand: Command = {
  name: "adopt copy",
  summary: "Copy a shop from another Tillgate's data directory into one that has sold nothing",
  options: {},
  isOfFiles: true,
  argument: "DIR",
  async runWithoutDatabase({ dataDir }, _values, argument) {
    const from = resolve(argument);
    const found = await lookAtShop(from, dataDir);
    const { setAside } = await copyShop(from, dataDir);
    const lines = [
      ...(setAside === undefined
        ? []
        : [`The shop that was begun in ${dataDir}, and had sold nothing, is kept in ${setAside}`]),
      `Copied into ${dataDir}: ${describe(found)}`,
      `${from} is as it was, with its backups. Do not start Tillgate there again: each would sell for itself.`,
    ];
    return { text: lines.join("\n"), data: { from, ...found, setAside } };
  },
};

/** Takes a shop over from the data directory of another Tillgate, such as that of a clone. */
export const adoptCommands = [lookCommand, copyCommand];

function describe({ shopName, sales, newestSale }: FoundShop): string {
  const name = shopName === undefined ? "no shop that was set up" : `the shop "${shopName}"`;
  const last = newestSale ? `, the last at ${newestSale.createdAt}` : "";
  return `${name}, sales: ${sales}${last}.`;
}
