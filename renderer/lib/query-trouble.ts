import type { QueryClient } from "@tanstack/react-query";

/** The state of a query to the gateway. */
export interface Question {
  readonly data: unknown;
  readonly error: Error | null;
  /** Why the last try failed, while another follows by itself. */
  readonly failureReason: Error | null;
}

/**
 * Why nothing can be shown: the query was refused, or the gateway does not answer, which is no error
 * yet since it is queried again without end. Undefined while the first answer is under way, and where
 * there is an answer.
 */
export function troubleOf({ data, error, failureReason }: Question): Error | undefined {
  return data === undefined ? (error ?? failureReason ?? undefined) : undefined;
}

/** Repeats every unanswered query of the screen at once, instead of waiting for the next try. */
export async function askAgain(queryClient: QueryClient): Promise<void> {
  const unanswered = {
    type: "active",
    predicate: ({ state }: { state: { data: unknown } }) => state.data === undefined,
  } as const;
  await queryClient.cancelQueries(unanswered);
  await queryClient.refetchQueries(unanswered);
}
