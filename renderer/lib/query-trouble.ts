import type { QueryClient } from "@tanstack/react-query";

/** The state of a query to the gateway. */
export interface Question {
  readonly data: unknown;
  readonly error: Error | null;
  /** Error of the last attempt, while another one follows automatically. */
  readonly failureReason: Error | null;
}

/**
 * Returns the reason why nothing can be shown: a refusal, or an unreachable gateway, which is no error yet
 * because attempts continue. Undefined during the first attempt, and if there is data.
 */
export function troubleOf({ data, error, failureReason }: Question): Error | undefined {
  return data === undefined ? (error ?? failureReason ?? undefined) : undefined;
}

/** Repeats every unanswered query of the screen at once, instead of waiting for the next attempt. */
export async function askAgain(queryClient: QueryClient): Promise<void> {
  const unanswered = {
    type: "active",
    predicate: ({ state }: { state: { data: unknown } }) => state.data === undefined,
  } as const;
  await queryClient.cancelQueries(unanswered);
  await queryClient.refetchQueries(unanswered);
}
