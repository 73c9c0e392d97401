import { StartupError } from "../config/config.ts";
import {
  type CheckResult,
  type ConformanceReport,
  testConformance,
} from "../conformance/conformance.ts";
import { systemClock } from "../lib/clock.ts";
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
    test: "the key is of a test environment, although it does not start with test_",
  },
  argument: "URL",
  async runWithoutDatabase(_config, values, url) {
    if (!URL.canParse(url)) throw new StartupError("conformance needs the URL of a gateway.");
    const key = await readKey(values);
    const isTest = values.test === true || key.startsWith("test_");
    const recipient = optional(values, "recipient") ?? (isTest ? TEST_RECIPIENT : undefined);
    const sells = isTest || values.sell === true;
    const options = { url, key, isTest, sells, recipient, clock: systemClock };
    const report = await testConformance(options);
    return { text: describeReport(report), data: report, exitCode: report.failed === 0 ? 0 : 1 };
  },
};

function describeReport({ url, checks, passed, failed, skipped }: ConformanceReport): string {
  const verdict = failed === 0 ? `${url} keeps the contract.` : `${url} differs from the contract.`;
  const summary = `${checks.length} checks: ${passed} passed, ${failed} failed, ${skipped} skipped.`;
  return [...checks.map(describeResult), "", summary, verdict].join("\n");
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
