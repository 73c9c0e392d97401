import { describeAmount } from "../lib/money.ts";
import { type AuditReport, auditBooks } from "../modules/audit/index.ts";
import type { Command } from "./command.ts";

export const auditCommand: Command = {
  name: "audit",
  summary: "Check every invariant of the books; exit code 1 on a violation",
  options: {},
  needsData: true,
  async run(ctx) {
    const report = await auditBooks(ctx.db);
    return { text: describe(report), data: report, exitCode: report.clean ? 0 : 1 };
  },
};

function describe(report: AuditReport): string {
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
