import type { GatewayConfig } from "../config/config.ts";
import { isPlainOnNetwork } from "../config/plain-http.ts";
import type { Context } from "../gateway/context.ts";
import { toTimestamp } from "../lib/clock.ts";
import { describeAmount } from "../lib/money.ts";
import { recordAudit } from "../modules/books/audit-trail/index.ts";
import {
  createMetricsToken,
  type Figures,
  revokeMetricsToken,
} from "../modules/operations/monitoring/index.ts";
import { describeWays, findWays } from "../modules/shop/reach/index.ts";
import { BACKUPS_OPTION } from "./backup-commands.ts";
import { type Command, tableOr } from "./command.ts";

const BACKED_UP_BY_SERVER =
  "Backups are made on the PostgreSQL server, with pg_dump or archived write-ahead logs.";

const statusCommand: Command = {
  name: "status",
  summary: "Show transactions, jobs, wallets and backups",
  options: BACKUPS_OPTION,
  async run(ctx) {
    const figures = await ctx.monitoring.getFigures();
    const { lines } = describeWays(await findWays(listReachable(ctx.config), ctx.findFirewall));
    return {
      text: [describe(figures, ctx.config.database !== undefined), lines.join("\n")].join("\n\n"),
      data: { ...figures, reach: lines },
    };
  },
};

/** Lists the listeners that other machines can reach. */
function listReachable({ host, port, apiListen, tillListen }: GatewayConfig) {
  const secure = [apiListen, tillListen].flatMap((where) => where ?? []);
  return [
    { scheme: "http", host, port } as const,
    ...secure.map((where) => ({ scheme: "https", ...where }) as const),
  ].filter(isPlainOnNetwork);
}

const tokenCommand: Command = {
  name: "metrics token",
  summary: "Create the token for /metrics and print it, once; the old token is revoked",
  async run(ctx) {
    const token = await createMetricsToken(ctx.config.dataDir, ctx.ids);
    await record(ctx, "metrics.token");
    return { text: token, data: { token } };
  },
};

const revokeCommand: Command = {
  name: "metrics revoke",
  summary: "Revoke the token for /metrics",
  async run(ctx) {
    const revoked = await revokeMetricsToken(ctx.config.dataDir);
    if (revoked) await record(ctx, "metrics.revoke");
    return { text: revoked ? "Revoked." : "There was no token.", data: { revoked } };
  },
};

/**
 * Records the change in the audit trail, because programs with the token can read sales figures.
 */
async function record(ctx: Context, action: "metrics.token" | "metrics.revoke"): Promise<void> {
  const { accountId, transactor, clock } = ctx;
  const entry = { accountId, action, subject: accountId, at: clock.now() };
  await transactor.transact(accountId, (tx) => recordAudit(tx, entry));
}

function describe(figures: Figures, isOnServer: boolean): string {
  const {
    unfinished,
    finished,
    toReconcile,
    jobs,
    wallets,
    backups,
    storage,
    newerVersion,
    newerCommand,
  } = figures;
  const open = unfinished.map(({ environment, status, count, oldestAge_s }) => [
    environment,
    status,
    String(count),
    duration(oldestAge_s),
  ]);
  const ended = finished.map(({ environment, status, count }) => [
    environment,
    status,
    String(count),
  ]);
  const queue = jobs.map(({ kind, count, due, oldestAge_s }) => [
    kind,
    String(count),
    String(due),
    due === 0 ? "" : duration(oldestAge_s),
  ]);
  return [
    describeVersions(figures),
    tableOr("Nothing is under way.", ["ENV", "UNDER WAY", "COUNT", "OLDEST"], open),
    tableOr("Nothing finished within 24 hours.", ["ENV", "FINISHED (24 H)", "COUNT"], ended),
    ...toReconcile.map(
      ({ environment, count }) =>
        `${environment}: ${count} to reconcile, see reconciliation list --env ${environment}`,
    ),
    tableOr("No jobs wait.", ["JOBS", "COUNT", "DUE", "SINCE"], queue),
    wallets
      .map((wallet) => {
        const available = describeAmount(wallet.available, wallet);
        const held = describeAmount(wallet.held, wallet);
        return `${wallet.environment}: ${available} available, ${held} held`;
      })
      .join("\n"),
    isOnServer ? BACKED_UP_BY_SERVER : describeBackups(backups),
    ...describeStorage(storage),
    ...(newerVersion === undefined
      ? []
      : [`Tillgate ${newerVersion} is available: ${newerCommand}`]),
  ].join("\n\n");
}

/** Also states the version that started last, if it differs, as during a rolling update. */
function describeVersions({ version, lastStarted }: Figures): string {
  const own = `This is Tillgate ${version}.`;
  if (lastStarted === undefined || lastStarted === version) return own;
  return `${own} The last started gateway is ${lastStarted}.`;
}

function describeBackups({ count, newestAge_s, failure }: Figures["backups"]): string {
  const newest =
    newestAge_s === undefined
      ? "There are no backups."
      : `${count} backups, the newest ${duration(newestAge_s)} old.`;
  return failure === undefined ? newest : `${newest}\nThe last backup failed: ${failure}`;
}

function describeStorage({ fault, findings }: Figures["storage"]): string[] {
  const found = findings.map((finding) => {
    if (finding.kind === "BOOKS") {
      return `The books were NOT in order at ${toTimestamp(finding.foundAt)}: see audit.`;
    }
    const { transactions, commits, since, until } = finding.detail;
    return `MISSING: ${transactions} transactions (${commits} changes in all) that were made between ${toTimestamp(since)} and ${toTimestamp(until)} are not in the database: its log of writes was lost.`;
  });
  return fault === undefined ? found : [`Nothing can be written: ${fault}.`, ...found];
}

function duration(seconds: number): string {
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min` : `${seconds} s`;
}

export const monitoringCommands = [statusCommand, tokenCommand, revokeCommand];
