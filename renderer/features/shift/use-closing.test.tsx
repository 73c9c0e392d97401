import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Shift, ZReport } from "../../../server/contract/pos/shifts.ts";
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

function open(hasUnsent: () => boolean = () => false) {
  const queryClient = newQueryClient({
    defaultOptions: { queries: { retry: false }, mutations: { retryDelay: 1 } },
  });
  const onClosed = vi.fn<(report: ZReport) => void>();
  const onClosing = vi.fn<(isClosing: boolean) => void>();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <UnsentSaleContext value={hasUnsent}>{children}</UnsentSaleContext>
    </QueryClientProvider>
  );
  const { result } = renderHook(() => useClosing(shift, { onClosed, onClosing }), { wrapper });
  act(() => result.current.setDraft({ ...result.current.draft, total: "100" }));
  return { result, onClosed, onClosing };
}

it("the shift is not ready to close while a paid sale of its person was not sent", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let hasUnsent = true;
  const { result } = open(() => hasUnsent);
  expect(result.current).toMatchObject({ isReady: false, hasUnsent: true });
  hasUnsent = false;
  act(() => void vi.advanceTimersByTime(1_000));
  expect(result.current).toMatchObject({ isReady: true, hasUnsent: false });
});

it("the same request to close the shift is repeated after a lost answer, and returns the Z report", async () => {
  answer = () => {
    answer = closed;
    throw new TypeError("connection lost");
  };
  const { result, onClosed, onClosing } = open();
  act(() => result.current.close(false));
  await waitFor(() => expect(onClosed.mock.calls[0]?.[0]).toEqual({ zNumber: 7 }));
  expect(sent).toEqual([{ counted: 10_000 }, { counted: 10_000 }]);
  expect(onClosing.mock.calls).toEqual([[true]]);
});

it("a refusal to close the shift is not repeated", async () => {
  answer = () =>
    Response.json({ errorCode: "SHIFT_CLOSED", message: "", fields: {} }, { status: 409 });
  const { result, onClosing } = open();
  act(() => result.current.close(false));
  await waitFor(() => expect(onClosing.mock.calls).toEqual([[true], [false]]));
  expect(sent).toHaveLength(1);
  expect(result.current.error).toBeDefined();
});
