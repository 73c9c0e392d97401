import { type Static, type TSchema, Type } from "typebox";
import type { ErrorCode } from "../error-codes.ts";
import type { NeedName, SwitchRight } from "./rights.ts";

/** Path prefix of all operations of the till. */
export const POS_PREFIX = "/pos";

/**
 * Minimum requirement for the caller, checked before the request: `anyone`, signed in or not; `display-code`,
 * a screen with the code of a customer's display; `staff`, any signed-in person; `seller`, a person whose
 * role sells, unlike an accountant; `bookkeeper`, an accountant or an owner; `owner`. The service checks
 * requirements that depend on the request, such as the sale's seller or amount (rules#access-declared).
 */
export type Access = "anyone" | "display-code" | "staff" | "seller" | "bookkeeper" | "owner";

interface Declared {
  /** Path below the prefix, with its parameters, such as `/sales/:saleId/prints`. */
  readonly path: `/${string}`;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly access: Access;
  /** Permission that every call requires; without it the caller gets FORBIDDEN. */
  readonly right?: SwitchRight;
  /**
   * Permissions that a request can require besides `access`: without one the caller gets APPROVAL_REQUIRED
   * naming it, and may send an approval.
   */
  readonly rights?: readonly NeedName[];
  /**
   * Requires the signed-in person's own PIN in the header `OWN_PIN_HEADER`, because an open session is not
   * enough. `sometimes`: the handler decides by the request (rules#pin-asked-again).
   */
  readonly asksPin?: "always" | "sometimes";
  /** Error codes of its refusals, besides `COMMON_REFUSALS` and that of `access`. */
  readonly refusals: readonly ErrorCode[];
  /** Maximum body size, if above the default. */
  readonly bodyLimitBytes?: number;
}

/** An operation with a JSON response. */
export interface CallOperation extends Declared {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly answer: TSchema;
}

/** An operation that sends Server-Sent Events: the data of each, by its name. */
export interface StreamOperation extends Declared {
  readonly method: "GET";
  readonly events: Readonly<Record<string, TSchema>>;
}

export type Operation = CallOperation | StreamOperation;

/** Empty response of operations that only confirm success. */
export const NOTHING = Type.Object({});

/** Refusals of every operation. */
export const COMMON_REFUSALS: readonly ErrorCode[] = [
  "INVALID_REQUEST",
  "NOT_SET_UP",
  "INTERNAL_ERROR",
  "SYSTEM_UNAVAILABLE",
];

/** Header with the caller's own PIN, for operations that require it again. */
export const OWN_PIN_HEADER = "tillgate-pin";

/** Further refusals of operations that require the caller's PIN. */
export const OWN_PIN_REFUSALS: readonly ErrorCode[] = [
  "PIN_REQUIRED",
  "PIN_WRONG",
  "PIN_LOCKED",
  "PIN_KEY_MISSING",
];

/** Declares an operation once: the server handles it and the till calls it by the declaration. */
export function defineOperation<const Declaration extends CallOperation>(
  declaration: Declaration,
): Declaration {
  return declaration;
}

/** Declares an event stream. */
export function defineStream<const Declaration extends StreamOperation>(
  declaration: Declaration,
): Declaration {
  return declaration;
}

/** Type of a part of a request; undefined if the operation does not have it. */
export type PartOf<
  Declaration extends Operation,
  Part extends "params" | "query" | "body",
> = Declaration extends { readonly [Name in Part]: infer Schema extends TSchema }
  ? Static<Schema>
  : undefined;

export type AnswerOf<Declaration extends CallOperation> = Static<Declaration["answer"]>;

export type EventOf<
  Declaration extends StreamOperation,
  Name extends keyof Declaration["events"],
> = Static<Declaration["events"][Name]>;

/** Returns the name of an operation in keys, logs and tests. */
export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/**
 * Returns the URL of an operation with its parameters.
 * @throws if a path parameter has no value
 */
export function addressOf(
  { path }: Operation,
  params: Readonly<Record<string, string | number>> = {},
): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${path} needs ${name}`);
    return encodeURIComponent(value);
  });
  return POS_PREFIX + filled;
}
