import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp } from "../gateway/app.ts";
import { createContext } from "../gateway/context.ts";
import { PROGRAM_DIR } from "../program.ts";

/**
 * File to which this script writes the description of `/v1`. `--check` fails if the file is stale.
 */
const FILE = join(PROGRAM_DIR, "docs/openapi.json");

async function describeV1(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-openapi-"));
  try {
    const context = await createContext({
      dataDir,
      host: "127.0.0.1",
      port: 0,
      backupDir: dataDir,
      rendererDir: dataDir,
      resourcesDir: join(PROGRAM_DIR, "resources"),
      logFile: undefined,
      logLevel: "silent",
      allowedHosts: [],
    });
    const app = await buildApp(context);
    try {
      const answer = await app.inject("/v1/openapi.json");
      return `${JSON.stringify(answer.json(), null, 2)}\n`;
    } finally {
      await app.close();
      await context.dispose();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const description = await describeV1();
if (process.argv.includes("--check")) {
  if (!existsSync(FILE) || readFileSync(FILE, "utf8") !== description) {
    console.error("docs/openapi.json is stale. Remedy: npm run openapi:write");
    process.exitCode = 1;
  }
} else {
  mkdirSync(join(PROGRAM_DIR, "docs"), { recursive: true });
  writeFileSync(FILE, description);
}
