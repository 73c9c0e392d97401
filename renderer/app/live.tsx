import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { alertOperations } from "../../server/contract/pos/alert-operations.ts";
import { brandFaceOperations } from "../../server/contract/pos/brand-face-operations.ts";
import { counterOperations } from "../../server/contract/pos/counter-operations.ts";
import { eventOperations } from "../../server/contract/pos/event-operations.ts";
import { favouriteOperations } from "../../server/contract/pos/favourite-operations.ts";
import { saleOperations } from "../../server/contract/pos/sale-operations.ts";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { searchOperations } from "../../server/contract/pos/search-operations.ts";
import { sessionOperations } from "../../server/contract/pos/session-operations.ts";
import { setupOperations } from "../../server/contract/pos/setup-operations.ts";
import { shiftOperations } from "../../server/contract/pos/shift-operations.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { SHIFT_ANSWERS } from "../features/shift/api/shift-queries.ts";
import { openStream } from "../lib/api-client.ts";
import { setConnection } from "../lib/connection-store.ts";
import { invalidateAnswers } from "../lib/operation-query.ts";
import { saleQuery, sessionQuery } from "../lib/pos-queries.ts";
import { createSaleFollowers } from "../lib/sale-followers.ts";

const REOPEN_MS = 2_000;
/** A stream that is heard again so soon was not lost: training begins, or a session changes. */
const GRACE_MS = 1_000;

const WALLET_ANSWERS = [counterOperations.getWallet, counterOperations.checkWallet];

/** What shows earlier sales of a number. */
const EARLIER_SALE_ANSWERS = [
  counterOperations.listRecents,
  favouriteOperations.list,
  counterOperations.describePhone,
  saleOperations.check,
];

const SHOP_ANSWERS = [
  // A person's rights, or what another window of this session began.
  sessionOperations.get,
  setupOperations.getStatus,
  counterOperations.listOffers,
  counterOperations.listBrands,
  brandFaceOperations.list,
  counterOperations.listEsimDestinations,
  searchOperations.getIndex,
  // What each of them costs beside the others, and who may see its figures.
  ...WALLET_ANSWERS,
  // Which brands wait for their provider.
  counterOperations.describePhone,
  // Prices, and what may be sold.
  saleOperations.check,
  ...SHIFT_ANSWERS,
];

interface LiveEventsProps {
  /** Where the session sells: the stream is of there. */
  readonly place: Pick<PosSession, "environment" | "training">;
}

/**
 * The one live stream, while a person is signed in. Every event goes into the query caches, so a screen
 * never knows whether a fact was queried or came as an event. It is opened anew when training begins or
 * ends, and when the shop goes live or back.
 */
export function LiveEvents({ place: { environment, training } }: LiveEventsProps) {
  return <EventStream key={`${environment} ${training}`} />;
}

function EventStream(): null {
  const queryClient = useQueryClient();
  useEffect(() => followEvents(queryClient), [queryClient]);
  return null;
}

function followEvents(queryClient: QueryClient): () => void {
  let source: EventSource | undefined;
  let reopen: ReturnType<typeof setTimeout> | undefined;
  let grace: ReturnType<typeof setTimeout> | undefined;
  let wasLost = false;
  const followers = createSaleFollowers(queryClient);

  function open() {
    const stream = openStream(eventOperations.follow);
    const { listen } = stream;
    source = stream.source;
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
    listen("sale", ({ saleId }) => {
      followers.notice();
      void receiveSale(queryClient, saleId);
    });
    listen("again", () => void queryClient.invalidateQueries());
    listen("wallet", () => {
      followers.notice();
      void invalidateAnswers(queryClient, WALLET_ANSWERS);
    });
    listen("shop", () => {
      followers.notice();
      void invalidateAnswers(queryClient, SHOP_ANSWERS);
    });
    listen("alerts", () => void invalidateAnswers(queryClient, [alertOperations.list]));
    listen("signed-out", () => queryClient.setQueryData(sessionQuery().queryKey, null));
  }

  open();
  return () => {
    clearTimeout(reopen);
    clearTimeout(grace);
    followers.stop();
    source?.close();
  };
}

/** A sale changed: whatever is known of it is queried again, by the rights of the person who is signed in. */
async function receiveSale(queryClient: QueryClient, saleId: string): Promise<void> {
  const { queryKey } = saleQuery(saleId);
  const known = queryClient.getQueryData(queryKey);
  void invalidateAnswers(queryClient, [saleOperations.list, shiftOperations.readX]);
  // A receipt may wait for it though it is not on the screen.
  await queryClient.invalidateQueries({ queryKey, refetchType: "all" });
  const sale = queryClient.getQueryData(queryKey);
  if (!known || !sale || outcomes(known) !== outcomes(sale)) {
    void invalidateAnswers(queryClient, EARLIER_SALE_ANSWERS);
  }
}

/** What the lists of earlier sales show of a sale, to be asked for again when it changes. */
function outcomes(sale: Sale): string {
  return sale.lines.map(({ outcome }) => outcome).join();
}
