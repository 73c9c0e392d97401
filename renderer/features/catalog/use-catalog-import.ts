import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Environment } from "../../../server/contract/common.ts";
import type { CatalogImportState } from "../../../server/contract/pos/catalog-imports.ts";
import { invalidateAnswers } from "../../lib/operation-query.ts";
import {
  acceptCatalogFile,
  CatalogSender,
  cancelCatalogFile,
  catalogImportQuery,
} from "./api/catalog-import-queries.ts";
import { CATALOG_ANSWERS } from "./api/catalog-queries.ts";

export function useCatalogImport(environment: Environment) {
  const queryClient = useQueryClient();
  const query = catalogImportQuery(environment);
  const { data, error } = useQuery(query);
  const [sender] = useState(() => new CatalogSender());
  const [isLeft, setLeft] = useState(false);
  const show = (state: CatalogImportState) => queryClient.setQueryData(query.queryKey, state);
  const send = useMutation({
    mutationFn: (file: File) => {
      setLeft(false);
      return sender.send({ environment, file, onSent: show });
    },
  });
  const take = useMutation({
    mutationFn: (importId: string) => acceptCatalogFile(environment, importId),
    onSuccess: show,
    onError: () => queryClient.invalidateQueries({ queryKey: query.queryKey }),
  });
  const leave = useMutation({
    mutationFn: () => {
      sender.stop();
      return cancelCatalogFile(environment);
    },
    onMutate: () => {
      setLeft(true);
      send.reset();
      take.reset();
    },
    onSuccess: show,
  });
  useEffect(() => () => sender.stop(), [sender]);
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
