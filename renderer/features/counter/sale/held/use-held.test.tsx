import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { type ReactNode, useReducer } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { HeldSale } from "../../../../../server/contract/pos/held-sales.ts";
import { newQueryClient } from "../../../../lib/testing/reset-page.ts";
import { topup } from "../../testing/fixtures.ts";
import { type Attempt, listAttempts, saveAttempt } from "../attempt/attempt-store.ts";
import type { AttemptLine } from "../attempt/line-item.ts";
import { saleReducer } from "../basket/sale-machine.ts";
import { NO_SALE, type SaleEvent } from "../basket/sale-state.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import { heldLine } from "./held-lines.ts";
import { listPendingResumes, type PendingResume, savePendingResume, useHeld } from "./use-held.ts";

const line: AttemptLine = { transactionId: "tx-1", item: topup };
const place = { staffId: "ana", environment: "test" as const, training: false };
const till = { ...place, currency: "GTQ", currencyDivisor: 100 };
const basket = { heldSaleId: "held-1", lines: [heldLine(line)] } as unknown as HeldSale;
const pending: PendingResume = {
  heldSaleId: "held-1",
  resumeId: "resume-1",
  saleId: "sale-1",
  ...place,
};

let list: HeldSale[] = [];
let asked: string[] = [];
let answer: () => Response | Promise<Response> = given;
let told: SaleEvent[] = [];

function given(): Response {
  return new Response(JSON.stringify(basket));
}

function open(lines: readonly AttemptLine[] = []) {
  const queryClient = newQueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const saleOf = (of: readonly AttemptLine[]) =>
    ({
      till,
      lines: of,
      state: NO_SALE,
      dispatch: (event: SaleEvent) => told.push(event),
    }) as unknown as CurrentSale;
  const rendered = renderHook((of: readonly AttemptLine[]) => useHeld(saleOf(of)), {
    wrapper,
    initialProps: lines,
  });
  return { ...rendered, queryClient };
}

beforeEach(() => {
  list = [];
  asked = [];
  told = [];
  answer = given;
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
    if (!String(url).endsWith("/resume")) {
      return Promise.resolve(new Response(JSON.stringify({ list })));
    }
    asked.push((JSON.parse(init?.body as string) as { resumeId: string }).resumeId);
    return Promise.resolve().then(() => answer());
  });
});

describe("resume of a held sale", () => {
  it("stores the sale before it deletes the pending request", async () => {
    const { result } = open();
    act(() => result.current.resume(basket));
    await waitFor(() => expect(told).toMatchObject([{ type: "resumed", attempt: { ...place } }]));
    expect(listAttempts()[0]?.lines).toMatchObject([{ item: { number: topup.number } }]);
    expect(listPendingResumes()).toEqual([]);
  });

  it("repeats the request with the same ids after the till stopped before the answer arrived", async () => {
    savePendingResume(pending);
    open();
    await waitFor(() => expect(told).toMatchObject([{ type: "resumed" }]));
    expect(asked).toEqual(["resume-1"]);
    expect(listAttempts().map(({ saleId }) => saleId)).toEqual(["sale-1"]);
  });

  it("repeats the request with the same ids until the gateway answers", async () => {
    answer = () => {
      throw new TypeError("connection lost");
    };
    const { result } = open();
    act(() => result.current.resume(basket));
    await waitFor(() => expect(result.current.error).toBeDefined());
    expect(listPendingResumes()).toHaveLength(1);
    answer = given;
    act(() => result.current.resume(basket));
    await waitFor(() => expect(told).toMatchObject([{ type: "resumed" }]));
    expect(asked).toEqual([asked[0], asked[0]]);
  });

  it("sends only one request if the clerk presses the key twice", async () => {
    const { result } = open();
    act(() => {
      result.current.resume(basket);
      result.current.resume(basket);
    });
    await waitFor(() => expect(told).toMatchObject([{ type: "resumed" }]));
    expect(asked).toHaveLength(1);
  });

  it("waits for the end of a sale that started before the answer arrived", async () => {
    let arrive = () => {};
    answer = () => new Promise((resolve) => (arrive = () => resolve(given())));
    const { result, rerender } = open();
    act(() => result.current.resume(basket));
    await waitFor(() => expect(asked).toHaveLength(1));
    rerender([line]);
    await act(async () => arrive());
    expect([told, listAttempts()]).toEqual([[], []]);
    answer = given;
    rerender([]);
    await waitFor(() => expect(told).toMatchObject([{ type: "resumed" }]));
  });

  it("does not repeat the request if the till stopped after it had stored the sale", () => {
    savePendingResume(pending);
    saveAttempt({ saleId: "sale-1", openedAt: 1, lines: [line], ...place });
    open();
    expect(listPendingResumes()).toEqual([]);
    expect(asked).toEqual([]);
  });

  it("waits until no sale is in progress and the request's clerk is signed in", async () => {
    savePendingResume({ ...pending, heldSaleId: "held-2", staffId: "ben" });
    savePendingResume(pending);
    const { rerender } = open([line]);
    expect(asked).toEqual([]);
    rerender([]);
    await waitFor(() => expect(told).toMatchObject([{ type: "resumed" }]));
    expect(listPendingResumes().map(({ staffId }) => staffId)).toEqual(["ben"]);
  });

  it.each([401, 429, 500])(
    "keeps the request pending after status %s, which is no final answer",
    async (status) => {
      answer = () => new Response(JSON.stringify({ errorCode: "ANY", message: "" }), { status });
      savePendingResume(pending);
      const { result } = open();
      await waitFor(() => expect(result.current.error).toBeDefined());
      expect(listPendingResumes()).toHaveLength(1);
    },
  );

  it("deletes the pending request if another till has resumed the sale", async () => {
    answer = () =>
      new Response(JSON.stringify({ errorCode: "NOT_FOUND", message: "" }), { status: 404 });
    savePendingResume(pending);
    open();
    await waitFor(() => expect(listPendingResumes()).toEqual([]));
    expect(told).toEqual([]);
  });
});

describe("hold of a sale", () => {
  const entry = { kind: "hold", heldSaleId: "held-1", text: "Ana" } as const;
  const attempt: Attempt = { saleId: "sale-1", openedAt: 1, lines: [line], ...place };

  function openEntry(of: Attempt) {
    const queryClient = newQueryClient({ defaultOptions: { queries: { retry: false } } });
    return renderHook(
      () => {
        const [state, dispatch] = useReducer(saleReducer, { ...NO_SALE, attempt: of, entry });
        const { lines = [] } = state.attempt ?? {};
        return { state, ...useHeld({ till, lines, state, dispatch } as unknown as CurrentSale) };
      },
      {
        wrapper: ({ children }: { children: ReactNode }) => (
          <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
        ),
      },
    );
  }

  it("stores the id before the request, and keeps it after a lost answer", async () => {
    let stored: readonly string[] | undefined;
    vi.stubGlobal("fetch", async (_url: string, { method }: RequestInit = {}) => {
      if (method !== "POST") return Response.json({ list: [] });
      stored = listAttempts()[0]?.heldAs;
      throw new TypeError("connection lost");
    });
    const { result } = openEntry(attempt);
    act(() => result.current.hold());
    await waitFor(() => expect(result.current.state.error).toBeDefined());
    expect(stored).toEqual(["held-1"]);
    expect(result.current.state).toMatchObject({ holding: false, attempt: { heldAs: ["held-1"] } });
  });

  it("deletes the stored sale and an earlier copy whose answer was lost", async () => {
    const discarded: string[] = [];
    vi.stubGlobal("fetch", async (url: string, { method }: RequestInit = {}) => {
      if (method === "DELETE") discarded.push(url);
      return Response.json(method === "POST" ? { heldSaleId: "held-1" } : { list: [] });
    });
    const { result } = openEntry({ ...attempt, heldAs: ["held-0"] });
    act(() => result.current.hold());
    await waitFor(() => expect(result.current.state).toEqual(NO_SALE));
    expect(listAttempts()).toEqual([]);
    await waitFor(() => expect(discarded).toEqual(["/pos/held-sales/held-0"]));
  });
});

describe("list of held sales", () => {
  it("shows nine held sales per page, even after the last page has become empty", async () => {
    list = Array.from({ length: 11 }, (_, index) => ({ ...basket, heldSaleId: `held-${index}` }));
    const { result, queryClient } = open();
    await waitFor(() => expect(result.current.list).toHaveLength(11));
    const shown = () => result.current.tiles.map(({ heldSaleId }) => heldSaleId);
    expect([shown().length, result.current.pages]).toEqual([9, 2]);
    act(() => result.current.turnTo(1));
    expect(shown()).toEqual(["held-9", "held-10"]);
    list = list.slice(0, 3);
    await act(() => queryClient.invalidateQueries());
    await waitFor(() => expect(shown()).toEqual(["held-0", "held-1", "held-2"]));
  });
});
