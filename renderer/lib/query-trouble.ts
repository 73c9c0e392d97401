import type { QueryClient } from "@tanstack/react-query";

export interface Question {
  readonly data: unknown;
  readonly error: Error | null;
  /** Error of the last attempt, while a further attempt follows automatically. */
  readonly failureReason: Error | null;
}

/**
 * Returns the reason why a query has no data: a refusal, or an unreachable gateway while attempts
 * continue. Undefined during the first attempt, and if there is data.
 */
export function troubleOf({ data, error, failureReason }: Question): Error | undefined {
  return data === undefined ? (error ?? failureReason ?? undefined) : undefined;
}

export async function askAgain(queryClient: QueryClient): Promise<void> {
  const unanswered = {
    type: "active",
    predicate: ({ state }: { state: { data: unknown } }) => state.data === undefined,
  } as const;
  await queryClient.cancelQueries(unanswered);
  await queryClient.refetchQueries(unanswered);
}
