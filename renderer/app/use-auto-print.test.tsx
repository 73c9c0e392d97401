import { type QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { render, renderHook, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, it } from "vitest";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { putSale, saleQuery } from "../lib/pos-queries.ts";
import { changePrintSettings } from "../lib/print-settings.ts";
import { notifySoldHere } from "../lib/sold-here.ts";
import { newQueryClient } from "../lib/testing/reset-page.ts";
import { useAutoPrint } from "./pages.tsx";

let queryClient: QueryClient;
let printed: string[] = [];

function Till({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}

function saleAt(outcome: "SENDING" | "DELIVERED"): Sale {
  const lines = [{ outcome, refunded: false }];
  return { saleId: "s1", tenders: [], receiptsPrinted: 0, lines } as unknown as Sale;
}

beforeEach(() => {
  printed = [];
  queryClient = newQueryClient();
  changePrintSettings({ rule: "always" });
  renderHook(
    () =>
      useAutoPrint(async (saleId) => {
        printed.push(saleId);
      }),
    { wrapper: Till },
  );
});

it("the receipt is printed once, as soon as each line has an outcome", () => {
  putSale(queryClient, saleAt("SENDING"));
  notifySoldHere(saleAt("SENDING"));
  expect(printed).toEqual([]);
  putSale(queryClient, saleAt("DELIVERED"));
  putSale(queryClient, saleAt("DELIVERED"));
  expect(printed).toEqual(["s1"]);
});

it("a sale that is delivered before its response arrives is printed without an error on its screen", () => {
  putSale(queryClient, saleAt("DELIVERED"));
  putSale(queryClient, saleAt("SENDING"));
  notifySoldHere(saleAt("SENDING"));
  function Shown() {
    const { data } = useQuery({ ...saleQuery("s1"), enabled: false });
    return <p>{data?.saleId}</p>;
  }
  render(<Shown />, { wrapper: Till });
  expect(screen.getByText("s1")).toBeDefined();
  expect(printed).toEqual(["s1"]);
});
