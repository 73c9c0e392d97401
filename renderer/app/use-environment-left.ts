import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Environment } from "../../server/contract/common.ts";

/** What tells who is here, and where; all else is of the environment that is left. */
const KEPT = new Set(["session", "status"]);

/** Forgets everything that was shown of the environment that the shop sells in no more. */
export function useEnvironmentLeft(environment: Environment | undefined): void {
  const queryClient = useQueryClient();
  const before = useRef(environment);
  useEffect(() => {
    const left = before.current;
    before.current = environment;
    if (left !== undefined && environment !== undefined && left !== environment) {
      void queryClient.resetQueries({
        predicate: ({ queryKey }) => !KEPT.has(String(queryKey[0])),
      });
    }
  }, [environment, queryClient]);
}
