import { StartupError } from "../config/config.ts";
import type { Difference } from "../conformance/check.ts";
import {
  type CheckResult,
  type ConformanceReport,
  testConformance,
  Untestable,
} from "../conformance/conformance.ts";
import { systemClock } from "../lib/clock.ts";
import { isTestKey } from "../lib/test-key.ts";
import { type Command, optional } from "./command.ts";
import { readKey } from "./secret-input.ts";

/** Guatemalan number to which every sandbox delivers. */
const TEST_RECIPIENT = "+50251234567";

const MARKS = { passed: "ok   ", failed: "FAIL ", skipped: "skip " } as const;

export const conformanceCommand: Command = {
  name: "conformance",
  summary: "Test whether a gateway's /v1 keeps the contract; exit code 1 if it differs",
  options: {
    key: { value: "KEY", help: "API key of the gateway" },
    "key-file": { value: "FILE", help: "file with the key, - for standard input" },
    recipient: {
      value: "NUMBER",
      help: "phone number that receives top-ups, such as +50251234567",
    },
  },
  flags: {
    sell: "buy the cheapest offers although the key is not a test key: real money",
    test: "the key is of a test environment, although it does not start with test_ or sandbox_",
  },
  argument: "URL",
  async runWithoutDatabase(_config, values, url) {
    if (!URL.canParse(url)) throw new StartupError("conformance needs the URL of a gateway.");
    const key = await readKey(values);
    const isTest = values.test === true || isTestKey(key);
    const recipient = optional(values, "recipient") ?? (isTest ? TEST_RECIPIENT : undefined);
    const sells = isTest || values.sell === true;
    const options = { url, key, isTest, sells, recipient, clock: systemClock };
    const report = await testConformance(options).catch((error: unknown) => {
      throw error instanceof Untestable ? new StartupError(error.message) : error;
    });
    return { text: describeReport(report), data: report, exitCode: report.failed === 0 ? 0 : 1 };
  },
};

/** Number of checks from which an equal difference is printed once for all of them. */
const MIN_GROUP = 3;

function describeReport({ url, checks, passed, failed, skipped }: ConformanceReport): string {
  const verdict = failed === 0 ? `${url} keeps the contract.` : `${url} differs from the contract.`;
  const summary = `${checks.length} checks: ${passed} passed, ${failed} failed, ${skipped} skipped.`;
  const groups = groupCauses(checks);
  const isGrouped = (difference: Difference) => groups.has(toCause(difference));
  const rest = checks
    .map((check) => ({ ...check, rest: check.differences.filter((one) => !isGrouped(one)) }))
    .filter(({ result, rest: own }) => result !== "failed" || own.length > 0)
    .map(({ rest: differences, ...check }) => describeResult({ ...check, differences }));
  return [
    ...rest,
    ...[...groups].map(([cause, found]) => describeGroup(found, cause)),
    "",
    summary,
    verdict,
  ].join("\n");
}

/** Returns the failed checks of each cause that several have. */
function groupCauses(checks: readonly CheckResult[]): ReadonlyMap<string, CheckResult[]> {
  const byCause = new Map<string, CheckResult[]>();
  for (const check of checks) {
    for (const cause of new Set(check.differences.map(toCause))) {
      byCause.set(cause, [...(byCause.get(cause) ?? []), check]);
    }
  }
  return new Map([...byCause].filter(([, found]) => found.length >= MIN_GROUP));
}

/** Returns the difference without its request. */
function toCause({ expected, came }: Difference): string {
  const rule = expected.replace(/^[A-Z]+ \/\S*: /, "");
  return [`       expected ${rule}`, `       came     ${came}`].join("\n");
}

function describeGroup(found: readonly CheckResult[], cause: string): string {
  const names = found.map(({ name }) => `       in       ${name}`);
  const shown = names.slice(0, MIN_GROUP);
  const more = names.length > MIN_GROUP ? [`       and ${names.length - MIN_GROUP} more`] : [];
  const clauses = [...new Set(found.map(({ clause }) => clause))].slice(0, MIN_GROUP);
  const rules = clauses.map((clause) => `       rule     docs/rules.md#${clause}`);
  return [`FAIL  ${found.length} checks for one cause`, cause, ...rules, ...shown, ...more].join(
    "\n",
  );
}

function describeResult({ name, clause, result, differences, reason }: CheckResult): string {
  const lines = differences.flatMap(({ expected, came }) => [
    `       expected ${expected}`,
    `       came     ${came}`,
  ]);
  const why = reason === undefined ? [] : [`       ${reason}`];
  const source = result === "failed" ? [`       rule     docs/rules.md#${clause}`] : [];
  return [`${MARKS[result]} ${name}`, ...lines, ...source, ...why].join("\n");
}
