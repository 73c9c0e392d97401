import { type Static, type TSchema, Type } from "typebox";
import type { ErrorCode } from "../error-codes.ts";
import type { NeedName, SwitchRight } from "./rights.ts";

/** Where all operations of the till begin. */
export const POS_PREFIX = "/pos";

/**
 * The least that an operation asks of its caller, before it looks at the request: `anyone` may call it,
 * signed in or not; `display-code` is a screen that knows the code of a customer's display; `staff` is
 * any person signed in; `seller` a person signed in whose role sells, which an accountant's does not;
 * `bookkeeper` an accountant or an owner; `owner` an owner who is signed in. What further depends on the request (whose
 * sale it is, how much it is) is decided by the service that does it
 * (rules#access-declared).
 */
export type Access = "anyone" | "display-code" | "staff" | "seller" | "bookkeeper" | "owner";

interface Declared {
  /** Below the prefix, with its parameters, such as `/sales/:saleId/prints`. */
  readonly path: `/${string}`;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly access: Access;
  /** The right without which its caller is refused with FORBIDDEN, whatever the request. */
  readonly right?: SwitchRight;
  /**
   * What it can need beyond `access`, depending on the request: a caller without one of these rights is
   * refused with APPROVAL_REQUIRED naming it, and may send an approval.
   */
  readonly rights?: readonly NeedName[];
  /**
   * Asks the person who is signed in for their own PIN again, in the header `OWN_PIN_HEADER`: an open
   * session alone does not do it. `sometimes`: its handler decides by the request (rules#pin-asked-again).
   */
  readonly asksPin?: "always" | "sometimes";
  /** The codes it refuses with, beside those of `COMMON_REFUSALS` and the one that `access` has. */
  readonly refusals: readonly ErrorCode[];
  /** The most that a body may have, where that is more than usual. */
  readonly bodyLimitBytes?: number;
}

/** An operation that answers with JSON. */
export interface CallOperation extends Declared {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly answer: TSchema;
}

/** An operation that answers with Server-Sent Events: the data of each, by its name. */
export interface StreamOperation extends Declared {
  readonly method: "GET";
  readonly events: Readonly<Record<string, TSchema>>;
}

export type Operation = CallOperation | StreamOperation;

/** What is answered where it is enough that it was done. */
export const NOTHING = Type.Object({});

/** What every operation may refuse with. */
export const COMMON_REFUSALS: readonly ErrorCode[] = [
  "INVALID_REQUEST",
  "NOT_SET_UP",
  "INTERNAL_ERROR",
  "SYSTEM_UNAVAILABLE",
];

/** Carries the caller's own PIN, for operations that ask for it again. */
export const OWN_PIN_HEADER = "tillgate-pin";

/** What an operation that asks for the caller's PIN may refuse with besides. */
export const OWN_PIN_REFUSALS: readonly ErrorCode[] = [
  "PIN_REQUIRED",
  "PIN_WRONG",
  "PIN_LOCKED",
  "PIN_KEY_MISSING",
];

/** Declares an operation once: the server handles it and the till calls it by this. */
export function defineOperation<const Declaration extends CallOperation>(
  declaration: Declaration,
): Declaration {
  return declaration;
}

/** Declares a stream of events. */
export function defineStream<const Declaration extends StreamOperation>(
  declaration: Declaration,
): Declaration {
  return declaration;
}

/** What a part of a request holds; undefined where the operation has no such part. */
export type PartOf<
  Declaration extends Operation,
  Part extends "params" | "query" | "body",
> = Declaration extends { readonly [Name in Part]: infer Schema extends TSchema }
  ? Static<Schema>
  : undefined;

export type AnswerOf<Declaration extends CallOperation> = Static<Declaration["answer"]>;

/** The data of an event of a stream. */
export type EventOf<
  Declaration extends StreamOperation,
  Name extends keyof Declaration["events"],
> = Static<Declaration["events"][Name]>;

/** What an operation is called by, in keys, logs and tests. */
export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/**
 * The address of an operation, with its parameters filled in.
 * @throws where a parameter of the path has no value
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
