import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { counterOperations } from "../../../../server/contract/pos/counter.ts";
import { queryKeyOf } from "../../../lib/operation-query.ts";
import { show, standInForGateway } from "../testing/counter-till.tsx";
import {
  ANSWERS,
  fetchStub,
  gateway,
  json,
  minutesAgo,
  tigo,
  waiting,
} from "../testing/gateway-stand-in.ts";

standInForGateway();

describe("counter with a slow brand", () => {
  const NOTICE = /^Tigo is slow since .+ pending for a while\.$/;
  let paused = true;

  beforeEach(() => {
    paused = true;
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
      String(url).startsWith("/pos/phone") && paused
        ? Promise.resolve(
            json({
              ...(ANSWERS["/pos/phone"] as object),
              brands: [{ ...tigo, pausedSince: minutesAgo(5) }],
            }),
          )
        : fetchStub(url, init),
    );
  });

  it("names a slow brand in each step and still sells it", async () => {
    const user = userEvent.setup({ delay: null });
    show();
    await user.keyboard("50251234567");
    await screen.findByText(NOTICE);
    await user.keyboard("{Enter}");
    await screen.findByRole("button", { name: /Q\s50/ });
    expect(screen.getAllByText(NOTICE)).toHaveLength(1);
    await user.keyboard("2");
    await screen.findByText("Confirm with the customer");
    expect(screen.getAllByText(NOTICE)).toHaveLength(1);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(gateway.sent).toHaveLength(1));
  });

  it("names the slow brand in a reopened sale until the pause ends", async () => {
    const user = userEvent.setup({ delay: null });
    const { queryClient } = show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText(NOTICE);
    paused = false;
    await queryClient.invalidateQueries({ queryKey: queryKeyOf(counterOperations.describePhone) });
    await waitFor(() => expect(screen.queryByText(/Slow since/)).toBeNull());
  });

  it("shows the sale of a slow brand as waiting, not as failed", async () => {
    gateway.answerSale = waiting;
    gateway.findSale = waiting;
    const user = userEvent.setup({ delay: null });
    show();
    await user.keyboard("50251234567{Enter}");
    await screen.findByRole("button", { name: /Q\s50/ });
    await user.keyboard("2");
    await screen.findByText("Confirm with the customer");
    await user.keyboard("{Enter}");
    await screen.findByText(/^The sale is queued.+ Keep the money\. Don’t sell it again\./);
  });
});
