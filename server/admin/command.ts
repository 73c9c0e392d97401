import { type GatewayConfig, StartupError } from "../config/config.ts";
import { ENVIRONMENTS, type Environment } from "../contract/common.ts";
import type { Context } from "../gateway/context.ts";

export type Values = Record<string, string | boolean | undefined>;

export interface Command {
  /** Name as typed, e.g. `keys create`. */
  name: string;
  summary: string;
  /** Options with a value, by name, with their help. */
  options: Record<string, { value: string; help: string }>;
  /** Options without a value, by name, with their help. */
  flags?: Record<string, string>;
  /** Requires an existing shop: the command fails in an empty directory and creates none. */
  needsData?: true;
  /** Requires a shop whose database is a file of the data directory. */
  isOfFiles?: true;
  /** Name of the positional argument, if the command takes one. */
  argument?: string;
  run?(ctx: Context, values: Values, argument: string): Promise<Result>;
  /** Replaces `run` in commands that do not open the database. */
  runWithoutDatabase?(config: GatewayConfig, values: Values, argument: string): Promise<Result>;
}

/** The output of a command: for people, and as data for `--json`. */
export interface Result {
  text: string;
  data: unknown;
  exitCode?: number;
}

/** @throws StartupError naming the option */
export function required(values: Values, name: string): string {
  const value = values[name];
  if (typeof value === "string" && value !== "") return value;
  throw new StartupError(`--${name} is required.`);
}

export function optional(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** @throws StartupError naming --env */
export function scopeOf(
  ctx: Context,
  values: Values,
): { accountId: string; environment: Environment } {
  const environment = required(values, "env");
  if (!isEnvironment(environment)) {
    throw new StartupError(`--env must be ${ENVIRONMENTS.join(" or ")}, not "${environment}".`);
  }
  return { accountId: ctx.accountId, environment };
}

function isEnvironment(text: string): text is Environment {
  return (ENVIRONMENTS as readonly string[]).includes(text);
}

export const ENV_OPTION = { env: { value: "test|live", help: "environment" } };

/** Aligns columns of text. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
