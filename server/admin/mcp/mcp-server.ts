import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { systemClock } from "../../lib/clock.ts";
import { PROGRAM_DIR } from "../../program.ts";
import { VERSION } from "../../version.ts";
import { GatewayApi, GatewayError } from "./gateway-api.ts";
import { createTools, readErrorGuide } from "./tools.ts";

interface McpOptions {
  readonly url: string;
  readonly key: string;
  readonly isTest: boolean;
  readonly sellsLive: boolean;
}

const INSTRUCTIONS =
  "Tillgate sells prepaid products: top-ups, vouchers, eSIMs and bill payments. Amounts of the API are integers in minor units. A purchase is DONE or FAILED; any other status is not final: read it again, and never buy again under another transactionId.";

/** Serves the Model Context Protocol on standard input and output until the input ends. */
export async function runMcpServer({ url, key, isTest, sellsLive }: McpOptions): Promise<void> {
  const tools = createTools({
    api: new GatewayApi(url, key, systemClock),
    isTest,
    sellsLive,
    errors: await readErrorGuide(join(PROGRAM_DIR, "docs/integrate.md")),
    createId: () => `mcp-${randomUUID()}`,
  });
  const server = new Server(
    { name: "tillgate", version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: tools.map((tool) => {
      const { run: _, ...described } = tool;
      return described;
    }),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    try {
      const tool = tools.find(({ name }) => name === params.name);
      if (!tool) throw new GatewayError(`There is no tool ${params.name}.`);
      return toContent(await tool.run(params.arguments ?? {}));
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return { ...toContent(error.message), isError: true };
    }
  });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once("end", resolve);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}

function toContent(answer: unknown) {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer, null, 2);
  return { content: [{ type: "text" as const, text }] };
}
