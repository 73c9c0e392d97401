import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { RequestDetails } from "../../../../server/contract/pos/request-log.ts";
import type { PosSession } from "../../../../server/contract/pos/staff.ts";

import { addOfficeWords } from "../../../lib/i18n.ts";
import type { OfficeSearch } from "../../../lib/office-section.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import { officeWordsIn } from "../../../locales/office-words.ts";
import { toCurl } from "../to-curl.ts";
import { RequestLogScreen } from "./request-log-screen.tsx";

const SESSION = { environment: "test" } as PosSession;
const REQUEST: RequestDetails = {
  requestNo: 7,
  requestId: "0b6c1a52-0b5e-4d6b-9d0a-0a3c4f7f7a10",
  at: "2026-01-15T09:30:00.000Z",
  method: "POST",
  path: "/v1/topups/purchases",
  status: 400,
  duration_ms: 21,
  keyId: "k",
  keyName: "Web shop",
  transactionId: "order-1",
  request: { bytes: 30, text: `{"offerId":"it's"}` },
  response: { bytes: 20_000 },
};

let asked: string[];
let answers: Record<string, object>;
const onOpen = vi.fn<(section: string, search?: OfficeSearch) => void>();

beforeAll(() => addOfficeWords(officeWordsIn));
beforeEach(() => {
  asked = [];
  onOpen.mockClear();
  const { request: _request, response: _response, ...listed } = REQUEST;
  const delivery = { deliveryId: "d", state: "DELIVERED" };
  answers = {
    "/pos/requests": { list: [listed], next: 7, dropped: 3 },
    "/pos/requests/7": REQUEST,
    "/pos/sandboxes": { list: [{ name: "ci", state: "CLOSED" }], scenarios: [] },
    "/pos/sandboxes/ci/requests": { list: [{ ...listed, keyName: "ci" }], dropped: 0 },
    "/pos/sandboxes/ci/requests/7": REQUEST,
    "/pos/sandboxes/ci/deliveries": { list: [delivery], total: 1, limit: 20, offset: 0 },
    "/pos/keys": { list: [{ keyId: "k", environment: "test", name: "Web shop" }] },
    "/pos/webhooks/deliveries": { list: [delivery], total: 1, limit: 20, offset: 0 },
  };
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal("fetch", async (input: string | URL | Request) => {
    const url = new URL(input instanceof Request ? input.url : input, "http://till");
    asked.push(url.pathname + url.search);
    const answer = answers[url.pathname];
    if (!answer) throw new TypeError("connection refused");
    if (url.searchParams.has("before")) return Response.json({ list: [], dropped: 0 });
    return Response.json(answer);
  });
});

function Page() {
  const [search, setSearch] = useState<OfficeSearch>({});
  return (
    <RequestLogScreen session={SESSION} search={search} onSearch={setSearch} onOpen={onOpen} />
  );
}

function open() {
  render(
    <QueryClientProvider client={newQueryClient()}>
      <MantineProvider>
        <Page />
      </MantineProvider>
    </QueryClientProvider>,
  );
}

function askedLast(path: string): URLSearchParams {
  const url = asked.filter((one) => one.split("?")[0] === path).at(-1) ?? "";
  return new URLSearchParams(url.split("?")[1]);
}

describe("RequestLogScreen", () => {
  it("shows a request with its bodies, transaction, deliveries and command", async () => {
    open();
    fireEvent.click(
      await screen.findByRole("button", { name: /400.*POST \/v1\/topups.*Web shop/ }),
    );
    expect(await screen.findByText(/"offerId": "it's"/)).toBeDefined();
    expect(screen.getByText(/Not kept: 20,000 bytes/)).toBeDefined();
    expect(screen.getByText(/Bearer \$KEY/)).toBeDefined();
    expect(await screen.findByText(/Webhook deliveries Accepted/)).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "order-1" }));
    expect(onOpen).toHaveBeenCalledWith("sales", { id: "order-1" });
  });

  it("shows the requests and deliveries of a sandbox, without the shop's records", async () => {
    open();
    await screen.findByRole("option", { name: "Sandbox ci" });
    fireEvent.change(screen.getByLabelText("Key"), { target: { value: "sandbox:ci" } });
    fireEvent.click(await screen.findByRole("button", { name: /POST \/v1\/topups.* ci$/ }));
    expect(await screen.findByText(/"offerId": "it's"/)).toBeDefined();
    expect(asked).toContain("/pos/sandboxes/ci/requests/7");
    expect(await screen.findByText(/Webhook deliveries Accepted/)).toBeDefined();
    const deliveries = asked.filter((path) => path.includes("deliveries"));
    expect(deliveries).toEqual([
      "/pos/sandboxes/ci/deliveries?transactionId=order-1&_limit=20&_offset=0",
    ]);
    fireEvent.click(screen.getByRole("button", { name: "Sandboxes" }));
    expect(onOpen).toHaveBeenCalledWith("sandboxes");
    expect(screen.queryByRole("button", { name: "order-1" })).toBeNull();
  });

  it("filters by key, status, day and a typed text", async () => {
    open();
    await screen.findByRole("option", { name: "Web shop" });
    fireEvent.change(screen.getByLabelText("Key"), { target: { value: "k" } });
    fireEvent.change(screen.getByLabelText("Status"), { target: { value: "4xx" } });
    fireEvent.change(screen.getByLabelText("Day"), { target: { value: "2026-01-15" } });
    const text = screen.getByLabelText(/Path, transaction id/);
    for (const [typed, name] of [
      ["/topups", "path"],
      ["order-1", "transactionId"],
      [REQUEST.requestId, "requestId"],
    ] as const) {
      fireEvent.change(text, { target: { value: ` ${typed} ` } });
      fireEvent.click(screen.getByRole("button", { name: "Search" }));
      await waitFor(() => expect(askedLast("/pos/requests").get(name)).toBe(typed));
    }
    const last = Object.fromEntries(askedLast("/pos/requests"));
    expect(last).toMatchObject({ environment: "test", keyId: "k", status: "4xx" });
    expect(last).toHaveProperty("since");
  });

  it("continues with older requests, and says how many were not recorded", async () => {
    open();
    fireEvent.click(await screen.findByRole("button", { name: "Search older requests" }));
    await waitFor(() => expect(askedLast("/pos/requests").get("before")).toBe("7"));
    expect(screen.getByText(/could not be recorded.*: 3$/)).toBeDefined();
  });

  it("says whether the log is empty or no request matches", async () => {
    answers["/pos/requests"] = { list: [], dropped: 0 };
    open();
    expect(await screen.findByText(/No request was recorded yet/)).toBeDefined();
    fireEvent.change(screen.getByLabelText("Status"), { target: { value: "5xx" } });
    expect(await screen.findByText("No request matches.")).toBeDefined();
  });

  it("shows an error with a retry button if the gateway does not answer", async () => {
    answers = {};
    open();
    expect((await screen.findByRole("alert")).textContent).toContain("reach the Tillgate server");
    expect(screen.getByRole("button", { name: "Try again" })).toBeDefined();
  });
});

describe("toCurl", () => {
  it("quotes the body for a shell, and leaves the key out", () => {
    expect(toCurl(REQUEST)).toBe(
      [
        `curl -sS -X POST "$BASE"'/v1/topups/purchases'`,
        `-H "Authorization: Bearer $KEY"`,
        `-H 'content-type: application/json'`,
        `-d '{"offerId":"it'\\''s"}'`,
      ].join(" \\\n  "),
    );
    expect(toCurl({ ...REQUEST, method: "GET", request: {} })).not.toContain("-d");
  });
});
