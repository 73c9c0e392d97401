import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { currentShiftQuery } from "../features/shift/api/shift-queries.ts";
import { newQueryClient } from "../lib/testing/reset-page.ts";
import { useTraining } from "./shell.tsx";

it("starting training discards the shop's shift and loads the shift of the training session", async () => {
  let training = false;
  const shiftOf = () => (training ? {} : { shift: { shiftId: "of the shop" } });
  vi.stubGlobal("fetch", async (url: string) => {
    if (url.startsWith("/pos/session/training")) training = true;
    return Response.json(url.startsWith("/pos/shifts/current") ? shiftOf() : { training });
  });
  const client = newQueryClient();
  const { result } = renderHook(
    () => ({ shift: useQuery(currentShiftQuery()), train: useTraining() }),
    {
      wrapper: ({ children }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  await waitFor(() => expect(result.current.shift.data?.shift).toBeDefined());
  act(() => result.current.train.mutate(true));
  await waitFor(() => expect(result.current.shift.data).toEqual({}));
});
