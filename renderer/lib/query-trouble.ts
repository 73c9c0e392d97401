import type { QueryClient } from "@tanstack/react-query";

/** A question to the gateway, as far as it is answered. */
export interface Question {
  readonly data: unknown;
  readonly error: Error | null;
  /** Why the last try failed, while another follows by itself. */
  readonly failureReason: Error | null;
}

/**
 * Why nothing can be shown: it was refused, or the gateway does not answer, which is no error yet as it
 * is asked again without end. Undefined while the first answer is on its way, and where one is known.
 */
export function troubleOf({ data, error, failureReason }: Question): Error | undefined {
  return data === undefined ? (error ?? failureReason ?? undefined) : undefined;
}

/** Asks at once for all that is on the screen and not answered, in place of waiting for the next try. */
export async function askAgain(queryClient: QueryClient): Promise<void> {
  const unanswered = {
    type: "active",
    predicate: ({ state }: { state: { data: unknown } }) => state.data === undefined,
  } as const;
  await queryClient.cancelQueries(unanswered);
  await queryClient.refetchQueries(unanswered);
}
