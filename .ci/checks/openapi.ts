/**
 * Checks docs/openapi.json against the recommended rules of @redocly/cli (redocly.yaml). Warnings
 * are failures.
 */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

interface Problem {
  readonly ruleId: string;
  readonly message: string;
  readonly severity: string;
  readonly location: readonly { readonly pointer?: string }[];
}

const ROOT = resolve(import.meta.dirname, "../..");

const { stdout, stderr } = spawnSync(
  join(ROOT, "node_modules/.bin/redocly"),
  ["lint", "docs/openapi.json", "--format", "json"],
  {
    cwd: ROOT,
    encoding: "utf8",
    shell: process.platform === "win32",
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  },
);

function readProblems(): readonly Problem[] | undefined {
  try {
    return (JSON.parse(stdout) as { problems: Problem[] }).problems;
  } catch {
    return undefined;
  }
}

const problems = readProblems();
if (problems === undefined) console.error(`openapi: the check did not run: ${stderr}${stdout}`);
for (const { ruleId, message, severity, location } of problems ?? []) {
  console.error(
    `${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? "docs/openapi.json"})`,
  );
}
if (problems?.length === 0) console.log("openapi: docs/openapi.json follows the recommended rules");
process.exitCode = problems?.length === 0 ? 0 : 1;
