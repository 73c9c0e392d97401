import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Environment } from "../../server/contract/common.ts";
import { isOfAnyPlace } from "../lib/pos-queries.ts";
import { useBefore } from "../lib/use-before.ts";

export function useEnvironmentLeft(environment: Environment | undefined): void {
  const queryClient = useQueryClient();
  const { environment: left } = useBefore({ environment });
  useEffect(() => {
    if (left !== undefined && environment !== undefined && left !== environment) {
      void queryClient.resetQueries({ predicate: (query) => !isOfAnyPlace(query) });
    }
  }, [environment, left, queryClient]);
}
