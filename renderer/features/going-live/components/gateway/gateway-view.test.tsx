import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { UpstreamState, WaitingCatalog } from "../../../../../server/contract/pos/upstream.ts";
import { addOfficeWords } from "../../../../lib/i18n.ts";
import { newQueryClient } from "../../../../lib/testing/reset-page.ts";
import { officeWordsIn } from "../../../../locales/office-words.ts";
import { GatewayView } from "./gateway-view.tsx";

const SAME = "No changes at the provider.";
const WAITS = /^Changed products wait for your review/;
const NONE = { added: 0, changed: 0, removed: 0 };
const POLLING_INTERVAL_MS = 10_000;

const WAITING: NonNullable<WaitingCatalog["waiting"]> = {
  fetchedAt: "2026-01-15T10:00:00.000Z",
  difference: {
    isFirst: false,
    offers: { total: 6_448, added: 6_448, removed: 0, cheaper: 0, dearer: 0, changed: 0 },
    added: [],
    removed: [],
    costChanges: [],
    brands: NONE,
    promos: NONE,
    leftOut: [],
    leftOutCount: 0,
  },
};

/** Sentence of the gateway, in English. */
const REASON = "It is so.";

let upstream: UpstreamState;
let waiting: WaitingCatalog["waiting"];
/** Body of the last connection. */
let sent: unknown;
/** Fields of the refusal of the next connection. */
let refused: Record<string, string> | undefined;

beforeAll(() => addOfficeWords(officeWordsIn));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  upstream = {
    connected: true,
    providerId: "first",
    kind: "gateway",
    baseUrl: "https://first.example",
    allowPrivate: false,
    approvesCatalog: true,
    hook: "NONE",
    connectedAt: "2026-01-15T08:00:00.000Z",
    syncedAt: "2026-01-15T08:05:00.000Z",
  };
  waiting = undefined;
  refused = undefined;
  vi.stubGlobal("fetch", async (url: string, { method, body }: RequestInit) => {
    if (method === "PUT" && url === "/pos/upstream") sent = JSON.parse(body as string);
    if (method === "PUT" && refused) {
      const error = { errorCode: "INVALID_REQUEST", message: REASON, fields: refused };
      return Response.json(error, { status: 400 });
    }
    return Response.json(answer(method ?? "GET", url));
  });
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <GatewayView />
      </QueryClientProvider>
    </MantineProvider>,
  );
});

function answer(method: string, url: string): object {
  switch (`${method} ${url.replace("?providerId=first", "")}`) {
    case "GET /pos/upstream":
      return upstream;
    case "PUT /pos/upstream":
      upstream = { ...upstream, connectedAt: "2026-01-15T09:30:00.000Z" };
      return {};
    case "GET /pos/upstream/catalog":
    case "POST /pos/upstream/catalog":
      return waiting ? { waiting } : {};
    case "POST /pos/upstream/catalog/acceptance":
      waiting = undefined;
      return {};
    default:
      return {};
  }
}

async function press(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole("button", { name }));
}

async function poll(): Promise<void> {
  await act(() => vi.advanceTimersByTime(POLLING_INTERVAL_MS));
}

async function connectAgain(): Promise<void> {
  await press("Change address or key");
  fireEvent.change(screen.getByLabelText("Key"), { target: { value: "live_key_of_the_shop" } });
  await press("Connect");
  await screen.findByRole("button", { name: "Change address or key" });
}

it("GatewayView shows 'Nothing changed' after a fetch if no catalog waits", async () => {
  await press("Download products now");
  expect(await screen.findByText(SAME)).toBeDefined();
  expect(screen.queryByText(WAITS)).toBeNull();
});

it("GatewayView shows the waiting catalog instead of 'Nothing changed' after a fetch", async () => {
  await press("Download products now");
  await screen.findByText(SAME);
  waiting = WAITING;
  await press("Download products now");
  expect(await screen.findByText(WAITS)).toBeDefined();
  expect(screen.getByText("6,448")).toBeDefined();
  expect(screen.queryByText(SAME)).toBeNull();
});

it("GatewayView removes 'Nothing changed' after a change of the key, and shows a catalog that arrives later", async () => {
  await press("Download products now");
  await screen.findByText(SAME);
  await connectAgain();
  expect(screen.queryByText(SAME)).toBeNull();
  waiting = WAITING;
  await poll();
  expect(await screen.findByText(WAITS)).toBeDefined();
  expect(screen.getByText("6,448")).toBeDefined();
  expect(screen.queryByText(SAME)).toBeNull();
});

it("GatewayView connects Reloadly with a client id and a secret, and says that it is a preview", async () => {
  await press("Change address or key");
  expect(screen.queryByLabelText("Client ID")).toBeNull();
  const kind = screen.getByLabelText("Kind of provider");
  fireEvent.change(kind, { target: { value: "reloadly" } });
  expect(screen.getByText(/never run against its service/)).toBeDefined();
  fireEvent.change(screen.getByLabelText("Client secret"), { target: { value: "secret_of_it" } });
  expect(screen.getByRole("button", { name: "Connect" }).hasAttribute("disabled")).toBe(true);
  fireEvent.change(screen.getByLabelText("Client ID"), { target: { value: " id_of_the_shop " } });
  await press("Connect");
  await screen.findByRole("button", { name: "Change address or key" });
  expect(sent).toMatchObject({
    kind: "reloadly",
    clientId: "id_of_the_shop",
    key: "secret_of_it",
    // The address of the gateway that was connected before must not receive the secret.
    baseUrl: "https://topups.reloadly.com",
  });
});

it("GatewayView does not show 'Nothing changed' again after the owner accepts a catalog", async () => {
  await press("Download products now");
  await screen.findByText(SAME);
  waiting = WAITING;
  await poll();
  await screen.findByText(WAITS);
  await press("Use these products");
  await waitFor(() => expect(screen.queryByText(WAITS)).toBeNull());
  expect(screen.queryByText(SAME)).toBeNull();
});

describe("a refused connection", () => {
  async function connect(fields: Record<string, string>): Promise<string> {
    refused = fields;
    await press("Change address or key");
    fireEvent.change(screen.getByLabelText("Key"), { target: { value: "live_key_of_the_shop" } });
    await press("Connect");
    return (await screen.findByRole("alert")).textContent ?? "";
  }

  it.each([
    [{ reason: "CURRENCY", theirs: "EUR", ours: "USD" }, "The provider uses EUR, your wallet USD"],
    [
      { reason: "UNFINISHED", address: "https://first.example" },
      "Sales or refunds through https://first.example are not finished. Connect another provider once they are: within 24 hours.",
    ],
    [
      { reason: "ACCOUNT" },
      "Sales or refunds are not finished, and this key belongs to another account. Connect it once they are: within 24 hours.",
    ],
    [{ reason: "TWIN", provider: "North" }, "This account is already connected as North."],
    [{ reason: "TEST" }, "Test key: sales would not be real"],
    [
      { reason: "BUSY" },
      "The provider takes no more requests for now. Try again in a few minutes.",
    ],
  ])("for the reason %o is explained in the language of the page", async (fields, words) => {
    const shown = await connect(fields);
    expect(shown).toContain(`Not connected. ${words}`);
    expect(shown).not.toContain(REASON);
  });

  it.each([
    [{ reason: "REFUSED" }, "Key not accepted: check that all of it was pasted"],
    [{ reason: "UNREACHED" }, "Provider unreachable: check the address and the internet"],
    [
      { reason: "UNCLEAR" },
      "No provider of this kind answers at this address. Check the address and the kind.",
    ],
    [{ baseUrl: "is not known" }, ""],
  ])("for the reason %o also has the sentence of the gateway", async (fields, words) => {
    const shown = await connect(fields);
    expect(shown).toContain(words);
    expect(shown).toContain(REASON);
  });
});
