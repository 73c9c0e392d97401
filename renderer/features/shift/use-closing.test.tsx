import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Shift } from "../../../server/contract/pos/shifts.ts";
import { newQueryClient } from "../../lib/testing/reset-page.ts";
import { UnsentSaleContext } from "../../lib/unsent-sale-context.ts";
import { useClosing } from "./use-closing.ts";

const shift = { shiftId: "shift-1", currency: "GTQ", currencyDivisor: 100 } as Shift;

/** Bodies of the requests to close the shift. */
let sent: unknown[] = [];
let answer: () => Response = closed;

function closed(): Response {
  return Response.json({ zNumber: 7 });
}

afterEach(() => {
  vi.useRealTimers();
});

beforeEach(() => {
  sent = [];
  answer = closed;
  vi.stubGlobal("fetch", async (_url: string, { body }: RequestInit) => {
    sent.push(JSON.parse(body as string));
    return answer();
  });
});

function open({ hasUnsent = () => false } = {}) {
  const queryClient = newQueryClient({ defaultOptions: { queries: { retry: false } } });
  const onClosed = vi.fn();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <UnsentSaleContext value={hasUnsent}>{children}</UnsentSaleContext>
    </QueryClientProvider>
  );
  const { result } = renderHook(() => useClosing(shift, onClosed), { wrapper });
  act(() => result.current.setDraft({ ...result.current.draft, total: "100" }));
  return { result, onClosed };
}

it("the shift is not ready to close while a paid sale of its person was not sent", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let hasUnsent = true;
  const { result } = open({ hasUnsent: () => hasUnsent });
  expect(result.current).toMatchObject({ isReady: false, hasUnsent: true });
  hasUnsent = false;
  act(() => void vi.advanceTimersByTime(1_000));
  expect(result.current).toMatchObject({ isReady: true, hasUnsent: false });
});
