import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { newQueryClient } from "../../../../lib/testing/reset-page.ts";
import {
  type Attempt,
  type confirmAttempt,
  listUnsentAttempts,
  saveAttempt,
} from "./attempt-store.ts";
import { RETRY_MS, useUnsentSender } from "./send-attempt.ts";

const PLACE = { environment: "test", staffId: "ana", training: false } as const;

function paid(saleId: string, openedAt: number) {
  const attempt = {
    ...PLACE,
    saleId,
    openedAt,
    lines: [{ transactionId: `${saleId}-line`, item: { productType: "TOPUP", offerId: "A" } }],
  } as unknown as Attempt;
  const confirmed = { ...attempt, confirmedAt: openedAt, input: { saleId } };
  return confirmed as unknown as ReturnType<typeof confirmAttempt>;
}

function Sender() {
  useUnsentSender(PLACE);
  return null;
}

function open(): void {
  render(
    <QueryClientProvider client={newQueryClient()}>
      <Sender />
    </QueryClientProvider>,
  );
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("other paid sales are sent even if the browser's full storage cannot store a refusal", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  saveAttempt(paid("first", 1));
  saveAttempt(paid("second", 2));
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (_url: unknown, init: { body: string }) => {
    sent.push((JSON.parse(init.body) as { saleId: string }).saleId);
    return Response.json(
      { errorCode: "OFFER_DISABLED", message: "no", fields: {} },
      { status: 400 },
    );
  });
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  open();
  await expect.poll(() => sent).toEqual(["first", "second"]);
  await vi.advanceTimersByTimeAsync(RETRY_MS);
  await expect.poll(() => sent).toEqual(["first", "second", "first", "second"]);
});

it("a paid sale without an open shift is sent again, not refused", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  saveAttempt(paid("first", 1));
  let times = 0;
  vi.stubGlobal("fetch", async () => {
    times += 1;
    return Response.json({ errorCode: "SHIFT_REQUIRED", message: "", fields: {} }, { status: 409 });
  });
  open();
  await expect.poll(() => times).toBe(1);
  await vi.advanceTimersByTimeAsync(RETRY_MS);
  await expect.poll(() => times).toBe(2);
  expect(listUnsentAttempts()).toHaveLength(1);
});

it("a held copy whose answer was lost is deleted after the sale is sold", async () => {
  saveAttempt({ ...paid("first", 1), heldAs: ["held-1"] });
  const calls: string[] = [];
  vi.stubGlobal("fetch", async (url: string, { method }: RequestInit = {}) => {
    calls.push(`${method} ${url}`);
    return Response.json({ saleId: "first", lines: [], tenders: [] });
  });
  open();
  await expect.poll(() => listUnsentAttempts()).toEqual([]);
  expect(calls.slice(0, 2)).toEqual(["POST /pos/sales", "DELETE /pos/held-sales/held-1"]);
});
