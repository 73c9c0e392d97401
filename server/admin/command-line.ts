import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkConfig, type GatewayConfig, StartupError } from "../config/config.ts";
import { nameOfDatabase } from "../config/database.ts";
import { Problem } from "../contract/problem.ts";
import { createContext } from "../gateway/context.ts";
import { databaseExists, holdsShop } from "../index.ts";
import { toTimestamp } from "../lib/clock.ts";
import { escapeControls } from "../lib/control-characters.ts";
import { describeAmount } from "../lib/money.ts";
import { PhraseError } from "../lib/recovery-phrase.ts";
import { SealError } from "../lib/sealer.ts";
import { describeStorageFault } from "../lib/storage-fault.ts";
import { isTestKey } from "../lib/test-key.ts";
import { type AuditReport, auditBooks } from "../modules/books/audit/index.ts";
import { copyShop, type FoundShop, lookAtShop } from "../modules/safety/backups/index.ts";
import { COMMAND_LINE, PROGRAM_DIR } from "../program.ts";
import { VERSION } from "../version.ts";
import { deviceCommands, keyCommands, staffCommands } from "./access-commands.ts";
import { backupCommands, moveCommands } from "./backup-commands.ts";
import { catalogCommands } from "./catalog-commands.ts";
import {
  type Command,
  ENV_OPTION,
  optional,
  type Result,
  required,
  scopedAuthorOf,
  scopeOf,
  tableOr,
  type Values,
} from "./command.ts";
import { conformanceCommand } from "./conformance-command.ts";
import { monitoringCommands } from "./monitoring-commands.ts";
import { sandboxCommands } from "./sandbox-commands.ts";
import { readKey } from "./secret-input.ts";
import { settingsCommands, setupCommand, tenderCommands } from "./settings-commands.ts";
import { upstreamCommands } from "./upstream-commands.ts";
import { reconciliationCommands, walletCommands } from "./wallet-commands.ts";
import { webhookCommands } from "./webhook-commands.ts";

const mcpCommand: Command = {
  name: "mcp",
  summary: "Serve a gateway's /v1 to an AI assistant (Model Context Protocol over stdio)",
  options: {
    url: { value: "URL", help: "address of the gateway" },
    key: { value: "KEY", help: "API key; a test or sandbox key lets the assistant buy" },
    "key-file": { value: "FILE", help: "file with the key, not visible in process lists" },
  },
  flags: { "sell-live": "let the assistant buy with a live key, in two steps: real money" },
  async runWithoutDatabase(_config, values) {
    const url = required(values, "url");
    if (!URL.canParse(url)) throw new StartupError(`--url must be an address, not "${url}".`);
    const key = await readKey(values);
    const isTest = isTestKey(key);
    const sellsLive = values["sell-live"] === true;
    if (isTest && sellsLive) throw new StartupError("--sell-live needs a live key.");
    const { runMcpServer } = await import("./mcp/mcp-server.ts");
    await runMcpServer({ url, key, isTest, sellsLive });
    return { text: "", data: {} };
  },
};

const portsCommand: Command = {
  name: "printers ports",
  summary: "Show or set the printer ports that are allowed besides 9100 to 9109",
  options: { allow: { value: "PORTS", help: "such as 4000,9200; an empty list allows no others" } },
  async run(ctx, values) {
    const given = optional(values, "allow");
    const { accountId, printers } = ctx;
    const ports =
      given === undefined
        ? await printers.listPorts(accountId)
        : await printers.allowPorts(accountId, readPorts(given));
    const beside = ports.length > 0 ? ` and ${ports.join(", ")}` : "";
    return { text: `Receipts may be sent to the ports 9100 to 9109${beside}.`, data: { ports } };
  },
};

const printerCommands = [portsCommand];

const listCommand: Command = {
  name: "brands list",
  summary: "List paused brands",
  options: ENV_OPTION,
  async run(ctx, values) {
    const data = (await ctx.brandPauses.list(scopeOf(ctx, values))).map((state) => ({
      brand: state.brand,
      pausedSince: toTimestamp(state.pausedSince),
      byHand: state.pausedByHand,
    }));
    const rows = data.map(({ brand, pausedSince, byHand }) => [
      brand,
      pausedSince,
      byHand ? "manual" : "automatic",
    ]);
    const header = ["BRAND", "PAUSED SINCE", "HOW"];
    return { text: tableOr("No brand is paused.", header, rows), data };
  },
};

const pauseCommand: Command = {
  name: "brands pause",
  summary: "Pause a brand: new sales of it wait",
  options: ENV_OPTION,
  argument: "BRAND",
  needs: "a BRAND",
  async run(ctx, values, brand) {
    await ctx.brandPauses.pause(scopedAuthorOf(ctx, values), brand);
    return { text: `${brand} is paused.`, data: { brand, paused: true } };
  },
};

const resumeCommand: Command = {
  name: "brands resume",
  summary: "Resume a paused brand; waiting sales are submitted at once",
  options: ENV_OPTION,
  argument: "BRAND",
  needs: "a BRAND; see brands list",
  async run(ctx, values, brand) {
    await ctx.brandPauses.resume(scopedAuthorOf(ctx, values), brand);
    return { text: `${brand} is sold again.`, data: { brand, paused: false } };
  },
};

const brandCommands = [listCommand, pauseCommand, resumeCommand];

const auditCommand: Command = {
  name: "audit",
  summary: "Check all invariants of the books; exit code 1 on a violation",
  async run(ctx) {
    const report = await auditBooks(ctx.db);
    return { text: describeAudit(report), data: report, exitCode: report.clean ? 0 : 1 };
  },
};

const lookCommand: Command = {
  name: "adopt look",
  summary: "Show the shop in another Tillgate's data directory",
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
  summary: "Copy that shop into a data directory that has no sales",
  isOfFiles: true,
  argument: "DIR",
  async runWithoutDatabase({ dataDir }, _values, argument) {
    const from = resolve(argument);
    const found = await lookAtShop(from, dataDir);
    const { setAside } = await copyShop(from, dataDir);
    const lines = [
      ...(setAside === undefined
        ? []
        : [`The shop that was in ${dataDir}, without sales, is kept in ${setAside}`]),
      `Copied into ${dataDir}: ${describe(found)}`,
      `${from} is unchanged, with its backups. Do not start Tillgate there again: the two shops would sell independently.`,
    ];
    return { text: lines.join("\n"), data: { from, ...found, setAside } };
  },
};

const adoptCommands = [lookCommand, copyCommand];

/** Commands may run beside a gateway, because both write to the same database. */
const COMMANDS: Command[] = [
  setupCommand,
  ...staffCommands,
  ...keyCommands,
  ...deviceCommands,
  ...walletCommands,
  ...settingsCommands,
  ...tenderCommands,
  ...catalogCommands,
  ...webhookCommands,
  ...upstreamCommands,
  ...brandCommands,
  ...printerCommands,
  ...reconciliationCommands,
  auditCommand,
  ...backupCommands,
  ...adoptCommands,
  ...moveCommands,
  ...monitoringCommands,
  ...sandboxCommands,
  conformanceCommand,
  mcpCommand,
];

const COMMON_HELP = `
  --data DIR  data directory (TILLGATE_DATA)
  --database ADDRESS
              PostgreSQL address, if the shop is on a server (TILLGATE_DATABASE)
  --json      print data instead of text
  --help      show this help`;

const ON_POSTGRES =
  "This shop's database is on a PostgreSQL server. Back it up with pg_dump or archived write-ahead logs. Nothing was done.";

function usage(group = ""): string {
  const shown = COMMANDS.filter(({ name }) => name.startsWith(group));
  const lines = shown.map(({ name, summary }) => `  ${name.padEnd(21)} ${summary}`);
  return `Usage: ${COMMAND_LINE} COMMAND [options]\n\n${lines.join("\n")}\n\nCOMMAND --help shows a command's options.`;
}

function help(command: Command): string {
  const argument = command.argument ? ` ${command.argument}` : "";
  const options = Object.entries(command.options ?? {}).map(
    ([name, option]) => `  --${name} ${option.value}\n              ${option.help}`,
  );
  const flags = Object.entries(command.flags ?? {}).map(
    ([name, text]) => `  --${name}\n              ${text}`,
  );
  return [
    `Usage: ${COMMAND_LINE} ${command.name}${argument} [options]`,
    "",
    `${command.summary}.`,
    "",
    ...flags,
    ...options,
    COMMON_HELP.slice(1),
  ].join("\n");
}

interface Parsed {
  command: Command;
  values: Values;
  argument: string;
  second: string;
}

/** @throws StartupError for an unknown command or option */
function parse(args: string[]): Parsed {
  const command = COMMANDS.find(({ name }) => {
    const words = name.split(" ");
    return words.every((word, index) => args[index] === word);
  });
  if (!command) {
    const options = args.findIndex((arg) => arg.startsWith("-"));
    if (options === 0) throw new StartupError("The command comes first; --help lists them.");
    const asked = args.slice(0, options < 0 ? undefined : options).join(" ");
    throw new StartupError(`There is no command "${asked}"; --help lists them.`);
  }
  const rest = joinNegativeNumbers(args.slice(command.name.split(" ").length));
  const named = Object.keys(command.options ?? {}).map(
    (name) => [name, { type: "string" }] as const,
  );
  const flags = Object.keys(command.flags ?? {}).map(
    (name) => [name, { type: "boolean" }] as const,
  );
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      allowPositionals: command.argument !== undefined,
      options: {
        ...Object.fromEntries(named),
        ...Object.fromEntries(flags),
        data: { type: "string" },
        database: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    const [argument = "", second = ""] = positionals;
    const surplus = positionals[command.takesTwo ? 2 : 1];
    if (surplus !== undefined) throw new StartupError(`Unexpected argument "${surplus}".`);
    if (command.needs && argument === "" && !values.help) {
      throw new StartupError(`${command.name} needs ${command.needs}.`);
    }
    return { command, values, argument, second };
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(describeArgumentError(error, command));
  }
}

/** Joins a negative number to its option. Otherwise the parser would read `-1` as an option. */
function joinNegativeNumbers(args: string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1);
    const isValue = before?.startsWith("--") && !before.includes("=") && /^-\d/.test(arg);
    if (isValue) joined.splice(-1, 1, `${before}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

function describeArgumentError(error: unknown, command: Command): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const option = /'(?:-\w, )?(--?[\w-]+)/.exec(message)?.[1] ?? "";
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    if (/^-\d/.test(option)) return `An argument must not be negative: ${option}.`;
    return `There is no option ${option}; ${command.name} --help lists them.`;
  }
  if (code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") {
    const { flags = {} } = command;
    const isSwitch = ["json", "help", ...Object.keys(flags)].includes(option.slice(2));
    return isSwitch ? `${option} takes no value.` : `${option} needs a value after it.`;
  }
  return message;
}

export interface Finished {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/**
 * @param dataDir used if no option names a data directory; by default, the environment variable's
 */
export async function runCommandLine(args: string[], dataDir?: string): Promise<Finished> {
  try {
    const { text, exitCode } = await answer(args, dataDir);
    const stdout = text === "" ? "" : `${escapeControls(text)}\n`;
    return { exitCode, stdout, stderr: "" };
  } catch (error) {
    const words = describeError(error);
    if (words === undefined) throw error;
    return { exitCode: 1, stdout: "", stderr: `${escapeControls(words)}\n` };
  }
}

async function answer(
  args: string[],
  dataDir: string | undefined,
): Promise<{ text: string; exitCode: number }> {
  if (args.length === 1 && args[0] === "--version") {
    return { text: VERSION, exitCode: 0 };
  }
  if (args.length === 0 || args[0] === "--help" || args[0] === "-h") {
    return { text: usage(), exitCode: 0 };
  }
  const [group = ""] = args;
  const isGroup = COMMANDS.some(({ name }) => name.startsWith(`${group} `));
  if (isGroup && (args.length === 1 || args[1] === "--help" || args[1] === "-h")) {
    return { text: usage(`${group} `), exitCode: 0 };
  }
  const parsed = parse(args);
  const { command, values } = parsed;
  if (values.help) {
    return { text: help(command), exitCode: 0 };
  }
  const config = checkConfig({
    dataDir: typeof values.data === "string" ? values.data : dataDir,
    database: typeof values.database === "string" ? values.database : undefined,
    backupDir: typeof values.backups === "string" ? values.backups : undefined,
    rendererDir: "",
    resourcesDir: join(PROGRAM_DIR, "resources"),
  });
  if (config.database !== undefined && command.isOfFiles) throw new StartupError(ON_POSTGRES);
  if (command.needsShop ?? command.run) await requireShop(config);
  const result = await runCommand(config, parsed);
  const text = values.json ? JSON.stringify(result.data, null, 2) : result.text;
  return { text, exitCode: result.exitCode ?? 0 };
}

/** @throws StartupError if there is no shop, because the command would create one */
async function requireShop({ dataDir, database }: GatewayConfig): Promise<void> {
  if (database !== undefined) {
    if (await holdsShop(database)) return;
    throw new StartupError(
      `There is no shop in the database ${nameOfDatabase(database)}; --database names its address.`,
    );
  }
  if (databaseExists(dataDir)) return;
  throw new StartupError(`There is no shop in ${dataDir}; --data names its directory.`);
}

async function runCommand(
  config: GatewayConfig,
  { command, values, argument, second }: Parsed,
): Promise<Result> {
  if (command.runWithoutDatabase) {
    return command.runWithoutDatabase(config, values, argument, second);
  }
  const ctx = await createContext(config);
  try {
    if (!command.run) throw new Error(`the command ${command.name} does nothing`);
    return await command.run(ctx, values, argument);
  } finally {
    await ctx.dispose();
  }
}

/** Describes an error in one line. Returns undefined for a bug, which the caller throws. */
function describeError(error: unknown): string | undefined {
  const fault = describeStorageFault(error);
  if (fault) return `Nothing was done: ${fault}.`;
  const isForPeople = [StartupError, Problem, SealError, PhraseError].some(
    (kind) => error instanceof kind,
  );
  return isForPeople ? (error as Error).message : undefined;
}

function describe({ shopName, sales, newestSale }: FoundShop): string {
  const name = shopName === undefined ? "no shop" : `the shop "${shopName}"`;
  const last = newestSale ? `, the last at ${newestSale.createdAt}` : "";
  return `${name}, sales: ${sales}${last}.`;
}

function describeAudit(report: AuditReport): string {
  const figures = report.figures.map((figure) => {
    const unit = { currency: figure.currency, currencyDivisor: figure.currencyDivisor };
    const amounts = (["available", "held", "funded", "spent"] as const)
      .map((name) => `${name} ${describeAmount(figure[name], unit)}`)
      .join(", ");
    const { transactions, unfinished, postings } = figure;
    return `${figure.environment}: ${amounts}; ${transactions} transactions, ${unfinished} unfinished, ${postings} postings`;
  });
  const checks = report.checks.flatMap(({ name, violations }) => [
    `${violations.length === 0 ? "ok  " : "FAIL"} ${name}`,
    ...violations.map((violation) => `       ${violation}`),
  ]);
  const verdict = report.clean ? "The books are in order." : "The books are NOT in order.";
  return [...figures, ...checks, verdict].join("\n");
}

/** @throws StartupError */
function readPorts(text: string): number[] {
  if (text === "none") return [];
  const ports = text.split(",").map((one) => (/^\d{1,5}$/.test(one) ? Number(one) : 0));
  if (ports.every((port) => port >= 1 && port <= 65_535) && ports.length <= 20) return ports;
  throw new StartupError(`--allow must be at most 20 ports such as 4000,9200, not "${text}".`);
}
