import { type GatewayConfig, StartupError } from "../config/config.ts";
import { ENVIRONMENTS, type Environment } from "../contract/common.ts";
import type { Author, ScopedAuthor } from "../contract/pos/actor.ts";
import type { Context } from "../gateway/context.ts";

export type Values = Record<string, string | boolean | undefined>;
export type Options = Record<string, { value: string; help: string }>;

export interface Command {
  /** Name as typed, e.g. `keys create`. */
  name: string;
  summary: string;
  options?: Options;
  flags?: Record<string, string>;
  /**
   * Whether the command fails without an existing shop, instead of creating one. Commands with `run`
   * do by default.
   */
  needsShop?: boolean;
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

/**
 * Reads the text of an option.
 * @param read returns undefined for a text that breaks the rule
 * @throws StartupError with the rule
 */
export function readText<T>(
  name: string,
  text: string,
  rule: string,
  read: (text: string) => T | undefined,
): T {
  const value = read(text);
  if (value !== undefined) return value;
  throw new StartupError(`--${name} must be ${rule}, not "${text}".`);
}

/**
 * Reads an option that may be missing.
 * @throws StartupError with the rule
 */
export function readOption<T>(
  values: Values,
  name: string,
  rule: string,
  read: (text: string) => T | undefined,
): T | undefined {
  const text = optional(values, name);
  return text === undefined ? undefined : readText(name, text, rule, read);
}

/** Returns a reader for `readText` that accepts only the known texts. */
export function among<T extends string>(known: readonly T[]): (text: string) => T | undefined {
  return (text) => known.find((each) => each === text);
}

/** @throws StartupError if --env is missing or invalid */
export function scopeOf(
  { accountId }: Context,
  values: Values,
): { accountId: string; environment: Environment } {
  const text = required(values, "env");
  return { accountId, environment: readText("env", text, ANY_ENVIRONMENT, among(ENVIRONMENTS)) };
}

/** Returns a reader for `readText` that accepts whole numbers from 0 to a maximum. */
export function upTo(max: number): (text: string) => number | undefined {
  const digits = new RegExp(`^\\d{1,${String(max).length}}$`);
  return (text) => (digits.test(text) && Number(text) <= max ? Number(text) : undefined);
}

/** Returns the owner of the command line as the author of a change. */
export function authorOf({ accountId }: Pick<Context, "accountId">): Author {
  return { accountId, staffId: undefined };
}

/** @throws StartupError if --env is missing or invalid */
export function scopedAuthorOf(ctx: Context, values: Values): ScopedAuthor {
  return { ...scopeOf(ctx, values), staffId: undefined };
}

export const ANY_ENVIRONMENT = ENVIRONMENTS.join(" or ");

export const ENV_OPTION = { env: { value: "test|live", help: "environment" } };

/** @param none text instead of a table without rows */
export function tableOr(none: string, header: string[], rows: string[][]): string {
  return rows.length === 0 ? none : table([header, ...rows]);
}

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
