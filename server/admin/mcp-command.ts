import { StartupError } from "../config/config.ts";
import { isTestKey } from "../lib/test-key.ts";
import { type Command, required } from "./command.ts";
import { readKey } from "./secret-input.ts";

export const mcpCommand: Command = {
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
