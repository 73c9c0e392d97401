import { type QueryClient, type QueryKey, type SkipToken, skipToken } from "@tanstack/react-query";
import { type AnswerOf, type CallOperation, nameOf } from "../../server/contract/pos/operation.ts";
import { call, type Given, type InputOf } from "./api-client.ts";

/** What is asked of an operation, or as much of it as tells one answer from another. */
type KeyInput<Declaration extends CallOperation> = {
  readonly [Part in keyof InputOf<Declaration>]?: Partial<InputOf<Declaration>[Part]>;
};

/**
 * The key of an operation's answer; without an input, the beginning of the keys of all its answers.
 * @param purpose keeps the answer apart from the same one that is asked for elsewhere
 */
export function queryKeyOf<Declaration extends CallOperation>(
  operation: Declaration,
  input?: KeyInput<Declaration>,
  ...purpose: readonly string[]
): QueryKey {
  return input === undefined ? [nameOf(operation)] : [nameOf(operation), input, ...purpose];
}

/** Whether a key is that of an answer of one of these operations. */
export function isKeyOf(queryKey: QueryKey, ...operations: readonly CallOperation[]): boolean {
  return operations.some((operation) => queryKey[0] === nameOf(operation));
}

/**
 * Has every answer of these operations asked for again: those on the screen now, others when needed. What
 * is just being asked for the first time may have been read before the change; TanStack Query lets such a
 * request go on and takes its answer for the new one, so it is asked for again after it.
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
 * How an operation's answer is asked for and kept; `skipToken` where there is nothing to ask yet.
 * Spread it into `queryOptions`, beside how long it is good for.
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
