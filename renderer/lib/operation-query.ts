import {
  type DataTag,
  type QueryClient,
  type QueryKey,
  type SkipToken,
  skipToken,
} from "@tanstack/react-query";
import { type AnswerOf, type CallOperation, nameOf } from "../../server/contract/pos/operation.ts";
import { call, type Given, type InputOf } from "./api-client.ts";

type KeyInput<Declaration extends CallOperation> = {
  readonly [Part in keyof InputOf<Declaration>]?: Partial<InputOf<Declaration>[Part]>;
};

/**
 * Returns the query key of an operation's response; without an input, the prefix of all its keys.
 * @param purpose separates uses of the same response in the cache
 */
export function queryKeyOf<Declaration extends CallOperation>(
  operation: Declaration,
  input?: KeyInput<Declaration>,
  ...purpose: readonly string[]
): QueryKey {
  return input === undefined ? [nameOf(operation)] : [nameOf(operation), input, ...purpose];
}

export function isKeyOf(queryKey: QueryKey, ...operations: readonly CallOperation[]): boolean {
  return operations.some((operation) => queryKey[0] === nameOf(operation));
}

/**
 * Invalidates all responses of these operations. Also repeats a first request under way, because
 * TanStack Query would use its response although the change may be newer.
 */
export async function invalidateAnswers(
  queryClient: QueryClient,
  operations: readonly CallOperation[],
): Promise<void> {
  await Promise.all(
    operations.map(async (operation) => {
      const queryKey = queryKeyOf(operation);
      const underWay = queryClient
        .getQueryCache()
        .findAll({ queryKey, fetchStatus: "fetching" })
        .filter(({ state }) => state.data === undefined);
      await queryClient.invalidateQueries({ queryKey });
      await Promise.all(
        underWay.map((query) =>
          queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }),
        ),
      );
    }),
  );
}

interface OperationQuery<Answer> {
  readonly queryKey: DataTag<QueryKey, Answer, Error>;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Answer>;
}

type Skippable<Query extends OperationQuery<unknown>> = Omit<Query, "queryFn"> & {
  readonly queryFn: Query["queryFn"] | SkipToken;
};

/**
 * Returns the query options of an operation; `skipToken` if there is no input yet. Spread them with
 * the stale time, which is 0 by default.
 */
export function operationQuery<Declaration extends CallOperation>(
  operation: Declaration,
  ...given: Given<InputOf<Declaration>>
): OperationQuery<AnswerOf<Declaration>>;
export function operationQuery<Declaration extends CallOperation>(
  operation: Declaration,
  input: InputOf<Declaration> | SkipToken,
): Skippable<OperationQuery<AnswerOf<Declaration>>>;
export function operationQuery(
  operation: CallOperation,
  input?: object | SkipToken,
): Skippable<OperationQuery<unknown>> {
  const isSkipped = input === skipToken;
  const queryKey = queryKeyOf(operation, isSkipped ? {} : input);
  return {
    queryKey: queryKey as DataTag<QueryKey, unknown, Error>,
    queryFn: isSkipped ? skipToken : ({ signal }) => call(operation, { ...input, signal }),
  };
}
