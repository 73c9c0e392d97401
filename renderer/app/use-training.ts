import { useMutation, useQueryClient } from "@tanstack/react-query";
import { train } from "../features/session/api/session-queries.ts";
import { isOfAnyPlace, sessionQuery, statusQuery } from "../lib/pos-queries.ts";

export function useTraining() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: train,
    onSuccess: async (session) => {
      queryClient.setQueryData(sessionQuery().queryKey, session);
      await queryClient.invalidateQueries({ queryKey: statusQuery().queryKey });
      await queryClient.resetQueries({ predicate: (query) => !isOfAnyPlace(query) });
    },
  });
}
