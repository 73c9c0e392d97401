import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { walletQuery } from "../lib/pos-queries.ts";
import { newQueryClient } from "../lib/testing/reset-page.ts";
import { useEnvironmentLeft } from "./shell.tsx";

it("a till whose shop went live removes all data of the test environment", async () => {
  let environment: "test" | "live" = "test";
  vi.stubGlobal("fetch", async () => Response.json({ environment }));
  const client = newQueryClient();
  const { result, rerender } = renderHook(
    ({ place }: { place: "test" | "live" }) => {
      useEnvironmentLeft(place);
      return useQuery(walletQuery()).data;
    },
    {
      initialProps: { place: "test" },
      wrapper: ({ children }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  await waitFor(() => expect(result.current).toEqual({ environment: "test" }));
  environment = "live";
  rerender({ place: "live" });
  await waitFor(() => expect(result.current).toEqual({ environment: "live" }));
});
