import { AMOUNT_CHECKS } from "./amount-checks.ts";
import { type Check, type Difference, Findings, Skipped, type Stage } from "./check.ts";
import { OPERATION_CHECKS } from "./operation-checks.ts";
import { PROTOCOL_CHECKS } from "./protocol-checks.ts";
import { PURCHASE_CHECKS } from "./purchase-checks.ts";
import { Target, type TargetOptions } from "./target.ts";

export interface CheckResult {
  readonly name: string;
  /** Anchor of the rule in docs/rules.md. */
  readonly clause: string;
  readonly result: "passed" | "failed" | "skipped";
  readonly differences: readonly Difference[];
  /** Reason why the check was skipped. */
  readonly reason?: string;
}

export interface ConformanceReport {
  readonly url: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly checks: readonly CheckResult[];
}

/** Thrown if the gateway cannot be tested with the key. */
export class Untestable extends Error {}

const STAGES: readonly Stage[] = ["read", "sell", "records"];

export const CHECKS: readonly Check[] = [
  ...PROTOCOL_CHECKS,
  ...OPERATION_CHECKS,
  ...PURCHASE_CHECKS,
  ...AMOUNT_CHECKS,
].toSorted((one, other) => STAGES.indexOf(one.stage) - STAGES.indexOf(other.stage));

/**
 * Runs the black-box tests of `/v1` against a gateway, one after another.
 * @param onResult called after each check
 * @throws Untestable if the gateway cannot be reached or refuses the key
 */
export async function testConformance(
  options: TargetOptions,
  onResult: (result: CheckResult) => void = () => {},
): Promise<ConformanceReport> {
  const reader = new Target(options);
  // Lists that were read before the purchases do not contain them.
  const later = new Target(options);
  await checkAccess(reader);
  const checks: CheckResult[] = [];
  for (const check of CHECKS) {
    const target = check.stage === "records" ? later : reader;
    const result = await runCheck(check, target);
    checks.push(result);
    onResult(result);
  }
  const count = (result: CheckResult["result"]) =>
    checks.filter((one) => one.result === result).length;
  return {
    url: options.url,
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    checks,
  };
}

async function checkAccess(target: Target): Promise<void> {
  const { url } = target.options;
  const reply = await target.get("/balance").catch((error: unknown) => {
    throw new Untestable(`${url} cannot be reached (${describeError(error)}).`);
  });
  if (reply.status === 401) throw new Untestable(`${url} refuses the key.`);
}

async function runCheck(check: Check, target: Target): Promise<CheckResult> {
  const { name, clause } = check;
  if (check.stage === "sell" && !target.options.sells) {
    const reason = "It buys, and the key is not a test key.";
    return { name, clause, result: "skipped", differences: [], reason };
  }
  const findings = new Findings();
  try {
    await check.run(target, findings);
  } catch (error) {
    if (error instanceof Skipped) {
      return { name, clause, result: "skipped", differences: [], reason: error.message };
    }
    findings.add("an answer that can be read", describeError(error));
  }
  const { differences } = findings;
  return { name, clause, result: differences.length === 0 ? "passed" : "failed", differences };
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
