import { StartupError } from "../config/config.ts";
import { SPEEDS } from "../modules/operations/sandbox/index.ts";
import { type Command, optional, required, table, type Values } from "./command.ts";

const LARGEST_PORT = 65_535;

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
    const { runSandbox } = await import("./sandbox-process.ts");
    await runSandbox({ port, wallet }, (report) => {
      process.stdout.write(`${JSON.stringify(report)}\n`);
    });
    return { text: "", data: {} };
  },
};

const CONNECTION: Command["options"] = {
  url: { value: "URL", help: "address of the sandbox" },
  key: { value: "KEY", help: "key of the sandbox" },
};

const advanceCommand: Command = {
  name: "sandbox advance",
  summary: "Advance a sandbox's clock and wait until all work due by then has finished",
  flags: { "to-next-deadline": "advance to the next retry, message or other deadline" },
  options: CONNECTION,
  argument: "DURATION",
  async runWithoutDatabase(_config, values, by) {
    const toNext = values["to-next-deadline"] === true;
    if (toNext === (by !== "")) {
      throw new StartupError(
        "sandbox advance needs a DURATION such as 15m or 24h, or --to-next-deadline.",
      );
    }
    const input = toNext ? { to: "next-deadline" } : { by };
    const { now, finished } = await call(values, "POST", "/clock/advance", input);
    return { text: `${now}, finished: ${finished}`, data: { now, finished } };
  },
};

const speedCommand: Command = {
  name: "sandbox speed",
  summary: "Set the speed of a sandbox's clock",
  options: CONNECTION,
  argument: SPEEDS.join("|"),
  async runWithoutDatabase(_config, values, text) {
    const data = await call(values, "PUT", "/clock", { speed: Number(text) });
    return { text: `${data.now}, speed: ${data.speed}`, data };
  },
};

const scenarioCommand: Command = {
  name: "sandbox scenario",
  summary: "Set the scenario of a sandbox's purchases; without a NAME, list the scenarios",
  flags: { none: "let the recipient decide again" },
  options: CONNECTION,
  argument: "NAME",
  async runWithoutDatabase(_config, values, name) {
    if (values.none === true) {
      await call(values, "DELETE", "/scenario");
      return { text: "The recipient decides.", data: {} };
    }
    if (name !== "") {
      const data = await call(values, "PUT", "/scenario", { name });
      return { text: `The scenario is ${name}.`, data };
    }
    const { list } = await call(values, "GET", "/scenarios");
    const rows = (list as { name: string; description: string }[]).map((scenario) => [
      scenario.name,
      scenario.description,
    ]);
    return { text: table([["NAME", "COURSE"], ...rows]), data: list };
  },
};

export const sandboxCommands = [startCommand, advanceCommand, speedCommand, scenarioCommand];

/** @throws StartupError with the gateway's error message */
async function call(
  values: Values,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const url = required(values, "url").replace(/\/$/, "");
  const headers = {
    authorization: `Bearer ${required(values, "key")}`,
    "content-type": "application/json",
  };
  if (!URL.canParse(url)) throw new StartupError(`--url must be an address, not "${url}".`);
  const response = await fetch(`${url}/sandbox/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new StartupError(`No sandbox answers at ${url}.`);
  });
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (response.ok) return answer;
  if (response.status === 404) {
    throw new StartupError(`${url} is no sandbox, or --key is not its key.`);
  }
  const { message = `${url} answered ${response.status}.` } = answer as { message?: string };
  throw new StartupError(message);
}

/** @throws StartupError */
function readNumber(values: Values, name: string): number | undefined {
  const text = optional(values, name);
  if (text === undefined) return undefined;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new StartupError(`--${name} must be a whole number, not "${text}".`);
}
