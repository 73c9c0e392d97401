import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Environment } from "../../server/contract/common.ts";
import type { EventName, Sale, SaleNews } from "../../server/contract/pos/sales.ts";
import { recentsQuery } from "../features/counter/api/counter-queries.ts";
import { shiftKey } from "../features/shift/api/shift-queries.ts";
import { salesListsKey } from "../features/today/api/today-queries.ts";
import { setConnection } from "../lib/connection-store.ts";
import { saleQuery, sessionQuery, statusQuery, walletQuery } from "../lib/pos-queries.ts";

const REOPEN_MS = 2_000;
/** A stream that is heard again so soon was not lost: training begins, or a session changes. */
const GRACE_MS = 1_000;

/**
 * The one live stream, while somebody is signed in. Every event goes into the query caches, so a
 * screen never knows whether a fact was asked for or told.
 */
export function useLiveEvents(training: boolean, environment: Environment | undefined): void {
  const queryClient = useQueryClient();
  // The stream is of where the session sells: it is opened anew when training begins or ends, and
  // when the shop goes live or back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: to be run when it changes
  useEffect(() => openStream(queryClient), [queryClient, training, environment]);
}

function openStream(queryClient: QueryClient): () => void {
  let source: EventSource | undefined;
  let reopen: ReturnType<typeof setTimeout> | undefined;
  let grace: ReturnType<typeof setTimeout> | undefined;
  let wasLost = false;

  function open() {
    source = new EventSource("/pos/events");
    source.addEventListener("open", () => {
      clearTimeout(grace);
      grace = undefined;
      setConnection("online");
      if (wasLost) {
        // What happened meanwhile was not heard: ask again for all that is shown.
        wasLost = false;
        void queryClient.invalidateQueries();
      }
    });
    source.addEventListener("error", () => {
      wasLost = true;
      grace ??= setTimeout(() => setConnection("reconnecting"), GRACE_MS);
      // The browser tries again by itself, except after an answer that was no stream.
      if (source?.readyState === EventSource.CLOSED) {
        reopen = setTimeout(() => {
          void queryClient.invalidateQueries({ queryKey: sessionQuery().queryKey });
          open();
        }, REOPEN_MS);
      }
    });
    listen<SaleNews>("sale", ({ saleId }) => void hearSale(queryClient, saleId));
    listen("again", () => void queryClient.invalidateQueries());
    listen("wallet", () => {
      void queryClient.invalidateQueries({ queryKey: walletQuery().queryKey });
    });
    listen("shop", () => {
      // Somebody's rights, or what another window of this session began.
      void queryClient.invalidateQueries({ queryKey: sessionQuery().queryKey });
      void queryClient.invalidateQueries({ queryKey: statusQuery().queryKey });
      void queryClient.invalidateQueries({ queryKey: ["offers"] });
      // What each of them costs beside the others, and who may see its figures.
      void queryClient.invalidateQueries({ queryKey: walletQuery().queryKey });
      // Which brands wait for their provider.
      void queryClient.invalidateQueries({ queryKey: ["phone"] });
      // Prices, and what may be sold.
      void queryClient.invalidateQueries({ queryKey: ["sale-check"] });
      void queryClient.invalidateQueries({ queryKey: shiftKey });
    });
    listen("signed-out", () => queryClient.setQueryData(sessionQuery().queryKey, null));
  }

  function listen<T>(name: EventName, hear: (data: T) => void) {
    source?.addEventListener(name, (event: MessageEvent<string>) =>
      hear(JSON.parse(event.data) as T),
    );
  }

  open();
  return () => {
    clearTimeout(reopen);
    clearTimeout(grace);
    source?.close();
  };
}

/** A sale changed: whatever is known of it is asked for again, by the rights of whoever is here. */
async function hearSale(queryClient: QueryClient, saleId: string): Promise<void> {
  const { queryKey } = saleQuery(saleId);
  const known = queryClient.getQueryData(queryKey);
  void queryClient.invalidateQueries({ queryKey: salesListsKey });
  void queryClient.invalidateQueries({ queryKey: [...shiftKey, "x"] });
  // A receipt may wait for it though it is not on the screen.
  await queryClient.invalidateQueries({ queryKey, refetchType: "all" });
  const sale = queryClient.getQueryData(queryKey);
  if (!known || !sale || outcomes(known) !== outcomes(sale)) {
    void queryClient.invalidateQueries({ queryKey: recentsQuery().queryKey });
    void queryClient.invalidateQueries({ queryKey: ["phone"] });
    void queryClient.invalidateQueries({ queryKey: ["sale-check"] });
  }
}

/** What the lists of earlier sales show of a sale, to be asked for again when it changes. */
function outcomes(sale: Sale): string {
  return sale.lines.map(({ outcome }) => outcome).join();
}
