import { type GatewayConfig, StartupError } from "../config/config.ts";
import { ENVIRONMENTS, type Environment } from "../contract/common.ts";
import type { Context } from "../gateway/context.ts";

export type Values = Record<string, string | boolean | undefined>;

/** One command: what it is called, what it takes, what it does. */
export interface Command {
  /** As typed, e.g. `keys create`. */
  name: string;
  summary: string;
  /** Options with a value, by name: how it reads in the help. */
  options: Record<string, { value: string; help: string }>;
  /** Only for a shop that exists: in an empty directory the command fails and starts none. */
  needsData?: true;
  /** Only for a shop whose database is a file of the data directory. */
  isOfFiles?: true;
  /** Name of the one argument that is not an option, if the command takes one. */
  argument?: string;
  run?(ctx: Context, values: Values, argument: string): Promise<Result>;
  /** Called in place of `run` where the database cannot be opened. */
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

export const ENV_OPTION = { env: { value: "test|live", help: "the environment" } };

/** Columns of text, as wide as they need to be. */
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
