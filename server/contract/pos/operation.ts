import { type Static, type TSchema, Type } from "typebox";
import type { ErrorCode } from "../error-codes.ts";
import type { NeedName, SwitchRight } from "./rights.ts";

export const POS_PREFIX = "/pos";

/**
 * Minimum requirement for the caller, checked before the request is handled. `display-code`: a
 * screen with the code of a customer's display. `staff`: any signed-in person. `seller`: a person
 * whose role sells, unlike an accountant. `bookkeeper`: an accountant or an owner. Services check
 * requirements that depend on the request, such as its amount (rules#access-declared).
 */
export type Access = "anyone" | "display-code" | "staff" | "seller" | "bookkeeper" | "owner";

interface Declared {
  /** Path below the prefix, with parameters, such as `/sales/:saleId/prints`. */
  readonly path: `/${string}`;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly access: Access;
  /** Permission that every call requires; a caller without it gets FORBIDDEN. */
  readonly right?: SwitchRight;
  /**
   * Permissions that some requests require besides `access`. A caller without a required permission
   * gets APPROVAL_REQUIRED with the permission's name, and may repeat the request with an approval.
   */
  readonly rights?: readonly NeedName[];
  /**
   * Requires the signed-in person's PIN in the header `OWN_PIN_HEADER`, because an open session is
   * not enough. `sometimes`: the handler decides for each request (rules#pin-asked-again).
   */
  readonly asksPin?: "always" | "sometimes";
  /** Error codes of the operation, besides `COMMON_REFUSALS` and those of `access`. */
  readonly refusals?: readonly ErrorCode[];
  /** Maximum body size, if above the default. */
  readonly bodyLimitBytes?: number;
}

export interface CallOperation extends Declared {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly answer: TSchema;
}

/**
 * An operation that sends Server-Sent Events. `events` contains the data's schema for each event.
 */
export interface StreamOperation extends Declared {
  readonly method: "GET";
  readonly events: Readonly<Record<string, TSchema>>;
}

export type Operation = CallOperation | StreamOperation;

/** Response of operations that only confirm success. */
export const NOTHING = Type.Object({});

/** Error codes of every operation. */
export const COMMON_REFUSALS: readonly ErrorCode[] = [
  "INVALID_REQUEST",
  "NOT_SET_UP",
  "INTERNAL_ERROR",
  "SYSTEM_UNAVAILABLE",
];

/** Header with the caller's PIN, for operations that require it again. */
export const OWN_PIN_HEADER = "tillgate-pin";

export const OWN_PIN_REFUSALS: readonly ErrorCode[] = [
  "PIN_REQUIRED",
  "PIN_WRONG",
  "PIN_LOCKED",
  "PIN_KEY_MISSING",
];

/** Declares an operation. The server's handler and the till's call share the declaration. */
export function defineOperation<const Declaration extends CallOperation>(
  declaration: Declaration,
): Declaration {
  return declaration;
}

export function defineStream<const Declaration extends StreamOperation>(
  declaration: Declaration,
): Declaration {
  return declaration;
}

/** Type of one part of a request; undefined if the operation has no such part. */
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

export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/**
 * Returns the path of an operation with its parameters filled in.
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
