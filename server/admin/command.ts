import { type GatewayConfig, StartupError } from "../config/config.ts";
import { ENVIRONMENTS, type Environment } from "../contract/common.ts";
import type { Context } from "../gateway/context.ts";

export type Values = Record<string, string | boolean | undefined>;

export interface Command {
  /** Name as typed, e.g. `keys create`. */
  name: string;
  summary: string;
  options: Record<string, { value: string; help: string }>;
  flags?: Record<string, string>;
  /**
   * True if the command requires an existing shop. Without a shop it fails, instead of creating
   * one.
   */
  needsData?: true;
  /** True if the command requires a shop whose database is a file in the data directory. */
  isOfFiles?: true;
  /** Names of the arguments, in help. */
  argument?: string;
  /** Required argument, with the command that lists its values; the command fails without it. */
  needs?: string;
  takesTwo?: true;
  run?(ctx: Context, values: Values, argument: string): Promise<Result>;
  /** Replaces `run` in commands that do not open the database. */
  runWithoutDatabase?(
    config: GatewayConfig,
    values: Values,
    argument: string,
    second: string,
  ): Promise<Result>;
}

export interface Result {
  text: string;
  data: unknown;
  exitCode?: number;
}

/** @throws StartupError if the option is missing or empty */
export function required(values: Values, name: string): string {
  const value = values[name];
  if (typeof value === "string" && value !== "") return value;
  throw new StartupError(`--${name} is required.`);
}

export function optional(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** @throws StartupError if --env is missing or invalid */
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
