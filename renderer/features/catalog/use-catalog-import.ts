import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Environment } from "../../../server/contract/common.ts";
import type { CatalogImportState } from "../../../server/contract/pos/catalog-imports.ts";
import { invalidateAnswers } from "../../lib/operation-query.ts";
import {
  acceptCatalogFile,
  cancelCatalogFile,
  catalogImportQuery,
  sendCatalogFile,
} from "./api/catalog-import-queries.ts";
import { CATALOG_ANSWERS } from "./api/catalog-queries.ts";

/** A catalog file on its way: sent, checked, read, taken or left. */
export function useCatalogImport(environment: Environment) {
  const queryClient = useQueryClient();
  const query = catalogImportQuery(environment);
  const { data, error } = useQuery(query);
  const leaving = useRef<AbortController>(undefined);
  const [isLeft, setLeft] = useState(false);
  const show = (state: CatalogImportState) => queryClient.setQueryData(query.queryKey, state);
  const send = useMutation({
    mutationFn: (file: File) => {
      leaving.current?.abort();
      leaving.current = new AbortController();
      setLeft(false);
      const { signal } = leaving.current;
      return sendCatalogFile({ environment, file, signal, onSent: show });
    },
  });
  const take = useMutation({
    mutationFn: (importId: string) => acceptCatalogFile(environment, importId),
    onSuccess: show,
    onError: () => queryClient.invalidateQueries({ queryKey: query.queryKey }),
  });
  const leave = useMutation({
    mutationFn: () => {
      leaving.current?.abort();
      return cancelCatalogFile(environment);
    },
    onMutate: () => {
      setLeft(true);
      send.reset();
      take.reset();
    },
    onSuccess: show,
  });
  // A page that is left sends nothing more of the file.
  useEffect(() => () => leaving.current?.abort(), []);
  const isDone = data?.import?.state === "DONE" || data?.import?.state === "FAULTY";
  useEffect(() => {
    if (isDone) void invalidateAnswers(queryClient, CATALOG_ANSWERS);
  }, [isDone, queryClient]);
  return {
    state: data,
    isSending: send.isPending && !isLeft,
    isTaking: take.isPending,
    error: (isLeft ? undefined : send.error) ?? take.error ?? leave.error ?? error,
    send: send.mutate,
    take: take.mutate,
    leave: () => leave.mutate(),
  };
}
