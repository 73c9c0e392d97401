import { useMutation, useQueryClient } from "@tanstack/react-query";
import { train } from "../features/session/api/session-queries.ts";
import { sessionQuery } from "../lib/pos-queries.ts";

/** What tells who is here; all else is of the environment that is left. */
const KEPT = new Set(["session", "status"]);

/** Begins or ends training, and forgets everything that was shown of where the session sold. */
export function useTraining() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: train,
    onSuccess: async (session) => {
      queryClient.setQueryData(sessionQuery().queryKey, session);
      const isLeft = ({ queryKey }: { queryKey: readonly unknown[] }) =>
        !KEPT.has(String(queryKey[0]));
      await queryClient.invalidateQueries({ queryKey: ["status"] });
      await queryClient.resetQueries({ predicate: isLeft });
    },
  });
}
