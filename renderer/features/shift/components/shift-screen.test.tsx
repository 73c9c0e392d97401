import { MantineProvider } from "@mantine/core";
import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Shift } from "../../../../server/contract/pos/shifts.ts";
import type { StaffName } from "../../../../server/contract/pos/staff.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import { currentShiftQuery } from "../api/shift-queries.ts";
import { ShiftScreen } from "./shift-screen.tsx";

const gtq = { currency: "GTQ", currencyDivisor: 100 };
const ana = { staffId: "ana", name: "Ana", role: "clerk" } as unknown as StaffName;
const shift = {
  shiftId: "shift-1",
  staff: ana,
  openedAt: "2026-01-15T09:30:00.000Z",
  ...gtq,
} as unknown as Shift;

/** Shows whether the screen has received the end of the shift. */
function Probe() {
  return <p>{useQuery(currentShiftQuery()).data?.shift ? "a shift" : "no shift"}</p>;
}

it("ShiftScreen shows a shift until the answer to its closing arrives", async () => {
  const queryClient = newQueryClient({ defaultOptions: { queries: { retry: false } } });
  queryClient.setQueryData(currentShiftQuery().queryKey, { shift });
  const closed = vi.fn<(address: string) => void>();
  vi.stubGlobal("fetch", (address: string, { method }: RequestInit = {}) => {
    if (method === "POST") closed(address);
    return new Promise(() => undefined);
  });
  render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <Probe />
        <ShiftScreen
          staff={ana}
          till={gtq}
          onPrint={() => Promise.resolve()}
          onPrintX={() => Promise.resolve()}
        />
      </QueryClientProvider>
    </MantineProvider>,
  );
  expect(screen.queryByRole("complementary")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: /^Close shift/ }));
  expect(screen.getByRole("complementary", { name: "Cash in and out" })).toBeDefined();
  fireEvent.change(screen.getByRole("textbox"), { target: { value: "100" } });
  fireEvent.submit(screen.getByRole("textbox").closest("form") as HTMLFormElement);
  await vi.waitFor(() => expect(closed).toHaveBeenCalledWith("/pos/shifts/shift-1/close"));
  queryClient.setQueryData(currentShiftQuery().queryKey, {});
  expect(await screen.findByText("no shift")).toBeDefined();
  expect(screen.getByRole("heading", { name: "Close shift" })).toBeDefined();
  expect(screen.queryByRole("heading", { name: "Open shift" })).toBeNull();
});
