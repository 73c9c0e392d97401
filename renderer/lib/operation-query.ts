import { type QueryClient, type QueryKey, type SkipToken, skipToken } from "@tanstack/react-query";
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
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Answer>;
}

interface SkippedQuery {
  readonly queryKey: QueryKey;
  readonly queryFn: SkipToken;
}

/**
 * Returns the query options of an operation; `skipToken` if there is no input yet. Spread them into
 * `queryOptions`, beside the stale time.
 */
export function operationQuery<Declaration extends CallOperation>(
  operation: Declaration,
  ...given: Given<InputOf<Declaration>>
): OperationQuery<AnswerOf<Declaration>>;
export function operationQuery<Declaration extends CallOperation>(
  operation: Declaration,
  input: InputOf<Declaration> | SkipToken,
): OperationQuery<AnswerOf<Declaration>> | SkippedQuery;
export function operationQuery(
  operation: CallOperation,
  input?: object | SkipToken,
): OperationQuery<unknown> | SkippedQuery {
  if (input === skipToken) {
    return { queryKey: queryKeyOf(operation, {}), queryFn: skipToken };
  }
  return {
    queryKey: queryKeyOf(operation, input),
    queryFn: ({ signal }) => call(operation, { ...input, signal }),
  };
}
