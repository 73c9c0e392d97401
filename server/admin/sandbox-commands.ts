import { mkdtempSync, rmSync } from "node:fs";
import { type RequestOptions, request as requestPlain } from "node:http";
import { request as requestByTls } from "node:https";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type GatewayConfig, StartupError } from "../config/config.ts";
import type { ErrorBody } from "../contract/common.ts";
import type { WebhookDeliveryPage } from "../contract/pos/webhooks.ts";
import type { Balance } from "../contract/v1/balance.ts";
import { SPEEDS } from "../contract/v1/sandbox.ts";
import { createGateway } from "../index.ts";
import { readAddress } from "../lib/address-file.ts";
import { systemClock } from "../lib/clock.ts";
import { sendGuarded } from "../lib/guarded-request.ts";
import { describeAmount } from "../lib/money.ts";
import { createFileSealer } from "../lib/sealer.ts";
import { createSecret } from "../modules/messages/webhooks/index.ts";
import { deriveControlToken, Sandbox, SCENARIOS } from "../modules/operations/sandbox/index.ts";
import { PROGRAM_DIR } from "../program.ts";
import {
  type Command,
  type Options,
  readOption,
  required,
  table,
  tableOr,
  upTo,
  type Values,
} from "./command.ts";
import { waitForSignal } from "./wait-for-signal.ts";
import { describeDeliveries } from "./webhook-commands.ts";

const LARGEST_PORT = 65_535;
const LARGEST_NUMBER = 999_999_999_999;

const startCommand: Command = {
  name: "sandbox start",
  summary: "Start a sandbox for tests and print its address, key and webhook secret as JSON",
  flags: { ephemeral: "keep its data in a temporary folder, which is removed at the end" },
  options: {
    port: { value: "N", help: "port, 0 for any free one (0)" },
    wallet: { value: "N", help: "balance, minor units: 100000 is 1,000.00 USD (100000)" },
  },
  async runWithoutDatabase(_config, values) {
    if (values.ephemeral !== true) throw new StartupError("sandbox start needs --ephemeral.");
    const port = readNumber(values, "port") ?? 0;
    if (port > LARGEST_PORT) throw new StartupError(`--port must be at most ${LARGEST_PORT}.`);
    const wallet = readNumber(values, "wallet");
    await runSandbox({ port, wallet }, (report) => {
      process.stdout.write(`${JSON.stringify(report)}\n`);
    });
    return { text: "", data: {} };
  },
};

const createCommand: Command = {
  name: "sandbox create",
  summary: "Create a sandbox in the running gateway, and print its key and webhook secret once",
  flags: { "allow-private": "let its webhooks go to private addresses of this network" },
  options: {
    wallet: { value: "N", help: "balance, minor units: 100000 is 1,000.00 USD (100000)" },
  },
  argument: "NAME",
  async runWithoutDatabase(config, values, name) {
    const wallet = readNumber(values, "wallet");
    const { url, answer } = await control(config, "POST", "", {
      name,
      ...(wallet !== undefined && { wallet }),
      ...(values["allow-private"] === true && { allowPrivate: true }),
    });
    const { key, webhookSecret } = answer;
    const lines = [`address: ${url}`, `key: ${key}`, `webhook secret: ${webhookSecret}`];
    return { text: lines.join("\n"), data: { sandbox: name, url, key, webhookSecret } };
  },
};

const listCommand: Command = {
  name: "sandbox list",
  summary: "List the sandboxes of the running gateway",
  async runWithoutDatabase(config) {
    const { answer } = await control(config, "GET", "");
    const data = answer.list as Record<string, string>[];
    const columns = ["name", "state", "now", "speed", "scenario", "keyHint"];
    const header = ["NAME", "STATE", "TIME", "SPEED", "SCENARIO", "KEY"];
    const rows = data.map((one) => columns.map((column) => String(one[column] ?? "")));
    return { text: tableOr("There is no sandbox.", header, rows), data };
  },
};

const deleteCommand: Command = {
  name: "sandbox delete",
  summary: "Delete a sandbox with all its data",
  argument: "NAME",
  async runWithoutDatabase(config, _values, name) {
    await control(config, "DELETE", pathOf(name));
    return { text: `The sandbox ${name} is deleted.`, data: { name } };
  },
};

const resetCommand: Command = {
  name: "sandbox reset",
  summary: "Delete all data of a sandbox, which keeps its key and webhook secret",
  argument: "NAME",
  async runWithoutDatabase(config, _values, name) {
    await control(config, "POST", `${pathOf(name)}/reset`, {});
    return { text: `The sandbox ${name} is empty.`, data: { name } };
  },
};

const CONNECTION: Options = {
  url: { value: "URL", help: "address of a sandbox, instead of NAME" },
  key: { value: "KEY", help: "key of that sandbox" },
};

const advanceCommand: Command = {
  name: "sandbox advance",
  summary: "Advance a sandbox's clock and wait until all work due by then has finished",
  flags: { "to-next-deadline": "advance to the next retry, message or other deadline" },
  options: CONNECTION,
  argument: "NAME DURATION",
  takesTwo: true,
  async runWithoutDatabase(config, values, ...given) {
    const { by, change } = readTarget(config, values, given);
    const toNext = values["to-next-deadline"] === true;
    if (toNext === (by !== "")) {
      throw new StartupError(
        "sandbox advance needs a DURATION such as 15m or 24h, or --to-next-deadline.",
      );
    }
    const input = toNext ? { to: "next-deadline" } : { by };
    const { now, finished } = await change("POST", "/clock/advance", input);
    return { text: `${now}, finished: ${finished}`, data: { now, finished } };
  },
};

const speedCommand: Command = {
  name: "sandbox speed",
  summary: "Set the speed of a sandbox's clock",
  options: CONNECTION,
  argument: `NAME ${SPEEDS.join("|")}`,
  takesTwo: true,
  async runWithoutDatabase(config, values, ...given) {
    const { by, change } = readTarget(config, values, given);
    const data = await change("PUT", "/clock", { speed: Number(by) });
    return { text: `${data.now}, speed: ${data.speed}`, data };
  },
};

const scenarioCommand: Command = {
  name: "sandbox scenario",
  summary: "Set the scenario of a sandbox's purchases; without arguments, list the scenarios",
  flags: { none: "let the recipient decide again" },
  options: CONNECTION,
  argument: "NAME SCENARIO",
  takesTwo: true,
  async runWithoutDatabase(config, values, ...given) {
    if (given.every((text) => text === "") && values.none !== true) {
      const list = SCENARIOS.map(({ name, description }) => ({ name, description }));
      const rows = list.map(({ name, description }) => [name, description]);
      return { text: table([["NAME", "COURSE"], ...rows]), data: list };
    }
    const { by: name, change } = readTarget(config, values, given);
    if (values.none === true) {
      await change("DELETE", "/scenario");
      return { text: "The recipient decides.", data: {} };
    }
    if (name === "") throw new StartupError("sandbox scenario needs a SCENARIO, or --none.");
    const data = await change("PUT", "/scenario", { name });
    return { text: `The scenario is ${name}.`, data };
  },
};

const walletCommand: Command = {
  name: "sandbox wallet",
  summary: "Show the spendable balance of a sandbox's wallet, or set it",
  options: {
    set: { value: "N", help: "new balance, minor units: 100000 is 1,000.00 USD" },
    ...CONNECTION,
  },
  argument: "NAME",
  async runWithoutDatabase(config, values, ...given) {
    const { by, change } = readTarget(config, values, given);
    if (by !== "") throw new StartupError(`Unexpected argument "${by}".`);
    const availableBalance = readNumber(values, "set");
    const data =
      availableBalance === undefined
        ? await change("GET", "/wallet")
        : await change("PUT", "/wallet", { availableBalance });
    const { availableBalance: available, ...unit } = data as Balance;
    return { text: `${describeAmount(available, unit)} available`, data };
  },
};

const deliveriesCommand: Command = {
  name: "sandbox deliveries",
  summary: "List the last webhook deliveries of a sandbox; --json shows every attempt",
  argument: "NAME",
  async runWithoutDatabase(config, _values, name) {
    const { answer } = await control(config, "GET", `${pathOf(name)}/deliveries`);
    return describeDeliveries((answer as WebhookDeliveryPage).list);
  },
};

export const sandboxCommands = [
  startCommand,
  createCommand,
  listCommand,
  deleteCommand,
  resetCommand,
  advanceCommand,
  speedCommand,
  scenarioCommand,
  walletCommand,
  deliveriesCommand,
];

type Answer = Record<string, unknown>;
type Change = (method: string, path: string, body?: object) => Promise<Answer>;

/**
 * Reads the sandbox that a command changes: a named one of the running gateway, or the one at --url.
 * @throws StartupError
 */
function readTarget(
  config: GatewayConfig,
  values: Values,
  [first = "", second = ""]: readonly string[],
): { by: string; change: Change } {
  if (values.url !== undefined || values.key !== undefined) {
    if (second !== "") throw new StartupError("NAME cannot be combined with --url and --key.");
    return { by: first, change: (...request) => callSandbox(values, ...request) };
  }
  if (first === "") throw new StartupError("The command needs the NAME of a sandbox.");
  const change: Change = async (method, path, body) =>
    (await control(config, method, `${pathOf(first)}${path}`, body)).answer;
  return { by: second, change };
}

/** @throws StartupError without a name */
function pathOf(name: string): string {
  if (name === "") throw new StartupError("The command needs the NAME of a sandbox.");
  return `/${encodeURIComponent(name)}`;
}

/**
 * Calls the gateway that runs on the data directory.
 * @throws StartupError if none runs, or with the gateway's error message
 */
async function control(
  { dataDir }: GatewayConfig,
  method: string,
  path: string,
  body?: object,
): Promise<{ url: string; answer: Answer }> {
  const url = readAddress(dataDir);
  const token = url && deriveControlToken(createFileSealer(dataDir), { create: true });
  const none = `No gateway is running on ${dataDir}. Start it, and repeat the command.`;
  if (url === undefined || token === undefined) throw new StartupError(none);
  const to = { url: `${url}/sandbox/control`, key: token, none };
  return { url, answer: await call(to, method, path, body) };
}

/** @throws StartupError with the gateway's error message */
async function callSandbox(
  values: Values,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const url = required(values, "url").replace(/\/$/, "");
  const key = required(values, "key");
  if (!URL.canParse(url)) throw new StartupError(`--url must be an address, not "${url}".`);
  const none = `No sandbox answers at ${url}.`;
  return call({ url: `${url}/sandbox/v1`, key, none }, method, path, body);
}

/** @throws StartupError with the gateway's error message */
async function call(
  { url, key, none }: { url: string; key: string; none: string },
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body && { "content-type": "application/json" }),
  };
  const sent = await send(url + path, { method, headers }, body && JSON.stringify(body));
  if (!sent.isConnected) throw new StartupError(none);
  const { status, text } = sent;
  if (status === undefined) {
    const message =
      "closed the connection without an answer. The command may still have its effect.";
    throw new StartupError(`${new URL(url).origin} ${message}`);
  }
  const answer = readAnswer(text);
  if (status >= 200 && status < 300) return answer;
  const { message = `${url} answered ${status}.`, fields = {} } = answer as Partial<ErrorBody>;
  if (status === 404 && message.startsWith("There is nothing at")) {
    throw new StartupError(`${new URL(url).origin} does not accept the key.`);
  }
  const rules = Object.entries(fields).map(([name, rule]) => `${name} ${rule}.`);
  throw new StartupError([message, ...rules].join(" "));
}

interface Sent {
  isConnected: boolean;
  /** Undefined without a whole response. */
  status?: number | undefined;
  text: string;
}

/** Sends a request without a timeout, because a long advance answers at its end. */
function send(url: string, options: RequestOptions, body: string | undefined): Promise<Sent> {
  return new Promise((resolve) => {
    let isConnected = false;
    const fail = () => resolve({ isConnected, text: "" });
    const request = (url.startsWith("https:") ? requestByTls : requestPlain)(url, {
      ...options,
      agent: false,
    });
    request.once("socket", (socket) => {
      socket.once("connect", () => {
        isConnected = true;
      });
    });
    request.once("error", fail);
    request.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += String(chunk);
      });
      response.once("end", () => resolve({ isConnected: true, status: response.statusCode, text }));
      response.once("error", fail);
    });
    request.end(body);
  });
}

function readAnswer(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {};
  }
}

/** @throws StartupError */
function readNumber(values: Values, name: string): number | undefined {
  return readOption(values, name, "a whole number", upTo(LARGEST_NUMBER));
}

interface SandboxReport {
  sandbox: string;
  url: string;
  key: string;
  webhookSecret: string;
}

interface SandboxOptions {
  port: number;
  /** Balance in minor units. If undefined, the balance of a new test wallet. */
  wallet: number | undefined;
}

/** Runs a sandbox in a temporary folder until SIGINT or SIGTERM, and removes the folder. */
async function runSandbox(
  { port, wallet }: SandboxOptions,
  onReady: (report: SandboxReport) => void,
): Promise<void> {
  const stopped = waitForSignal();
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-sandbox-"));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  // Removes the folder even after an error that ends the process.
  process.once("exit", remove);
  try {
    const sandbox = new Sandbox();
    const gateway = await createGateway(sandboxConfig(dataDir, port), {
      clock: sandbox.clock,
      machineClock: systemClock,
      sandbox,
      isLight: true,
      sendOutgoing: sandbox.faults.wrap(sendGuarded),
      automaticBackups: false,
      automaticAlerts: false,
      auditAtStart: false,
    });
    try {
      const { url } = await gateway.listen();
      await gateway.noteWorks();
      const { keys, recharges, ids, accountId } = gateway.context;
      const scope = { accountId, environment: "test" } as const;
      const name = basename(dataDir);
      const { keyId, key } = await keys.create(scope, name);
      if (wallet !== undefined) await recharges.setTestWallet(scope, wallet);
      const webhookSecret = createSecret(ids);
      sandbox.open({ keyId, webhookSecret });
      onReady({ sandbox: name, url, key, webhookSecret });
      await stopped;
    } finally {
      await gateway.close();
    }
  } finally {
    remove();
    process.off("exit", remove);
  }
}

/**
 * Returns a configuration without this machine's settings. Nothing is logged, because standard
 * output must contain only one line.
 */
function sandboxConfig(dataDir: string, port: number): GatewayConfig {
  return {
    dataDir,
    backupDir: join(dataDir, "backups"),
    host: "127.0.0.1",
    port,
    rendererDir: join(PROGRAM_DIR, "out/renderer"),
    resourcesDir: join(PROGRAM_DIR, "resources"),
    logLevel: "silent",
    logFile: undefined,
    allowedHosts: [],
  };
}
