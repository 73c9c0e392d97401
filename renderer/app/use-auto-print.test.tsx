import { type QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, renderHook, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { soldHere } from "../lib/listeners.ts";
import { putSale, saleQuery } from "../lib/pos-queries.ts";
import { changePrintSettings } from "../lib/print-settings.ts";
import { newQueryClient } from "../lib/testing/reset-page.ts";
import { useAutoPrint } from "./printing.ts";

let queryClient: QueryClient;
let printed: string[] = [];

function Till({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}

function saleAt(outcome: "SENDING" | "DELIVERED"): Sale {
  const lines = [{ outcome, refunded: false }];
  return { saleId: "s1", tenders: [], receiptsPrinted: 0, lines } as unknown as Sale;
}

function open() {
  return renderHook(
    () =>
      useAutoPrint({ staffId: "ana", environment: "test", training: false }, async (saleId) => {
        printed.push(saleId);
      }),
    { wrapper: Till },
  );
}

beforeEach(() => {
  printed = [];
  queryClient = newQueryClient();
  changePrintSettings({ rule: "always" });
});

it("the receipt is printed once, as soon as each line has an outcome", async () => {
  open();
  putSale(queryClient, saleAt("SENDING"));
  act(() => soldHere.notify(saleAt("SENDING")));
  expect(printed).toEqual([]);
  act(() => putSale(queryClient, saleAt("DELIVERED")));
  act(() => putSale(queryClient, saleAt("DELIVERED")));
  await waitFor(() => expect(printed).toEqual(["s1"]));
});

it("a sale that is delivered before its response arrives is printed without an error on its screen", async () => {
  open();
  putSale(queryClient, saleAt("DELIVERED"));
  putSale(queryClient, saleAt("SENDING"));
  act(() => soldHere.notify(saleAt("SENDING")));
  function Shown() {
    const { data } = useQuery({ ...saleQuery("s1"), enabled: false });
    return <p>{data?.saleId}</p>;
  }
  render(<Shown />, { wrapper: Till });
  expect(screen.getByText("s1")).toBeDefined();
  await waitFor(() => expect(printed).toEqual(["s1"]));
});

it("the receipt is printed after a lock or a reload while the sale was being sent", async () => {
  vi.stubGlobal("fetch", async () => Response.json(saleAt("DELIVERED")));
  const { unmount } = open();
  putSale(queryClient, saleAt("SENDING"));
  act(() => soldHere.notify(saleAt("SENDING")));
  unmount();
  queryClient = newQueryClient();
  open();
  await waitFor(() => expect(printed).toEqual(["s1"]));
});
