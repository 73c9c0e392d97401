import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type {
  ProviderList,
  ProviderSummary,
  UnclearProducts,
} from "../../../../../server/contract/pos/providers.ts";
import { addOfficeWords } from "../../../../lib/i18n.ts";
import type { OfficeSearch } from "../../../../lib/office-section.ts";
import { newQueryClient } from "../../../../lib/testing/reset-page.ts";
import { officeWordsIn } from "../../../../locales/office-words.ts";
import { ProvidersScreen } from "./providers-screen.tsx";

const NORTH: ProviderSummary = {
  providerId: "first",
  name: "North",
  kind: "gateway",
  baseUrl: "https://north.example",
  state: "WORKING",
  products: 1_980,
  balance: 61_260,
  health: {
    purchases: 100,
    delivered: 98,
    p50_ms: 2_100,
    p95_ms: 9_000,
    unknown: 0,
    daysLeft: 2.4,
  },
  brands: [],
};
const SOUTH: ProviderSummary = {
  ...NORTH,
  providerId: "p2",
  name: "South",
  kind: "reloadly",
  products: 1,
  health: { purchases: 0, delivered: 0, unknown: 2 },
};
const TIGO = { brand: "TIGO", brandName: "Tigo", families: ["TOPUP" as const], countries: ["GT"] };
const COSTS = {
  list: [
    {
      offerId: "TIGO_10",
      family: "TOPUP",
      country: "GT",
      send: { amount: 1_000, currency: "GTQ", currencyDivisor: 100 },
      used: "p2",
      costs: [
        { providerId: "first", cost: 121 },
        { providerId: "p2", cost: 119 },
      ],
    },
  ],
};

const NOTHING = { brands: [], joined: [], unclear: 0 };

let providers: ProviderList;
let unclear: UnclearProducts;
/** Method, path and body of each change. */
let sent: [string, unknown][];

beforeAll(() => addOfficeWords(officeWordsIn));

beforeEach(() => {
  sent = [];
  unclear = { currency: "USD", currencyDivisor: 100, list: [] };
  providers = {
    currency: "USD",
    currencyDivisor: 100,
    list: [NORTH],
    orders: [],
    shared: [],
    ...NOTHING,
  };
  vi.stubGlobal("fetch", async (url: string, { method = "GET", body }: RequestInit) => {
    if (method !== "GET") sent.push([`${method} ${url}`, JSON.parse(body as string)]);
    return Response.json(answer(method, url));
  });
});

function answer(method: string, url: string): object {
  if (url.startsWith("/pos/providers/costs")) return COSTS;
  if (url.startsWith("/pos/providers/unclear-products")) return unclear;
  if (url.startsWith("/pos/providers")) return providers;
  if (url === "/pos/upstream/verdict") return { tests: [], usable: false, currency: "USD" };
  if (method === "GET" && url.startsWith("/pos/upstream?")) {
    const { providerId, kind, baseUrl } = SOUTH;
    const settings = { allowPrivate: false, approvesCatalog: true, hook: "NONE" };
    return { connected: true, providerId, kind, baseUrl, ...settings };
  }
  return {};
}

function Shown() {
  const [search, setSearch] = useState<OfficeSearch>({});
  return <ProvidersScreen search={search} onSearch={setSearch} />;
}

function show(list: ProviderSummary[], changed: Partial<ProviderList> = {}): void {
  providers = { ...providers, list, ...changed };
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <Shown />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));
const choose = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });

describe("the providers' screen", () => {
  it("says that a replaced provider sells nothing before its catalog is accepted", async () => {
    show([{ ...SOUTH, state: "NO_CATALOG" }]);
    expect(await screen.findByText("Catalog not accepted")).toBeDefined();
    fireEvent.click(await screen.findByRole("link", { name: "South" }));
    expect(await screen.findByText(/until you accept its catalog/)).toBeDefined();
  });

  it("shows one provider with its health, without order and costs", async () => {
    show([NORTH]);
    expect(await screen.findByText("98% of the last 100")).toBeDefined();
    for (const text of [
      "Working",
      "$612.60",
      "2 days",
      "2.1 s, 95% within 9 s",
      "1,980 products",
    ]) {
      expect(screen.getByText(text)).toBeDefined();
    }
    expect(screen.queryByText("Order of providers")).toBeNull();
  });

  it("marks a preview and unknown outcomes, and shows no health without purchases", async () => {
    show([NORTH, { ...SOUTH, state: "PAUSED" }]);
    const row = (await screen.findByText("South")).closest("tr") as HTMLElement;
    for (const text of ["Preview · 1 product", "Paused", "2"]) {
      expect(within(row).getByText(text)).toBeDefined();
    }
    expect(within(row).queryByText(/of the last/)).toBeNull();
  });

  it("shows the results of each brand on the provider's page, and since when one is paused", async () => {
    const tigo = { brand: "TIGO", brandName: "Tigo", purchases: 4, delivered: 3, unknown: 1 };
    const pausedSince = "2026-01-15T09:30:00.000Z";
    const claro = { brand: "CLARO", brandName: "Claro", purchases: 0, delivered: 0, unknown: 0 };
    const brands = [
      { ...claro, pausedSince },
      { ...tigo, p50_ms: 900, p95_ms: 31_000 },
    ];
    show([NORTH, { ...SOUTH, brands }]);
    fireEvent.click(await screen.findByText("South"));
    const table = await screen.findByLabelText("Results by brand", { selector: "section section" });
    const [, paused, other] = within(table).getAllByRole("row");
    expect(paused?.textContent).toMatch(/^ClaroPaused since .+ after failures––0$/);
    expect(other?.textContent).toBe("Tigo75% of the last 40.9 s, 95% within 31 s1");
  });

  it("asks the owner to review the products of a provider that sells nothing yet", async () => {
    show([NORTH, { ...SOUTH, products: 0 }]);
    expect(await screen.findByText(/Nothing is sold yet: review its products/)).toBeDefined();
  });

  it("connects a further provider under a name of its own, and its catalog waits", async () => {
    show([NORTH]);
    await press("Connect provider");
    const connect = await screen.findByRole("button", { name: "Connect" });
    await choose("Address", "https://south.example");
    await choose("Key", "live_key-of-south");
    expect(connect.hasAttribute("disabled")).toBe(true);
    await choose("Name", "South");
    await press("Connect");
    await screen.findByText("Where your products come from.");
    expect(sent).toEqual([
      [
        "PUT /pos/upstream",
        expect.objectContaining({ newName: "South", kind: "gateway", approvesCatalog: true }),
      ],
    ]);
  });

  it("renames, pauses and tests the chosen provider only", async () => {
    show([NORTH, SOUTH]);
    fireEvent.click(await screen.findByText("South"));
    await choose("Name", " West ");
    await press("Save name");
    await waitFor(() => expect(sent).toHaveLength(1));
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Pause" }).hasAttribute("data-loading")).toBe(
        false,
      ),
    );
    await press("Pause");
    await waitFor(() => expect(sent).toHaveLength(2));
    await press("Test the connection");
    await waitFor(() => expect(sent).toHaveLength(3));
    expect(sent).toEqual([
      ["PATCH /pos/providers/p2", { name: "West" }],
      ["PATCH /pos/providers/p2", { paused: true }],
      ["POST /pos/upstream/verdict", { providerId: "p2" }],
    ]);
  });

  it("saves the order of a brand, and compares its costs", async () => {
    show([NORTH, SOUTH], { shared: [TIGO], orders: [{ providers: ["p2"] }] });
    expect(await screen.findByText("All products")).toBeDefined();
    await choose("Brand", "TIGO");
    expect(await screen.findByText("$1.19 · used")).toBeDefined();
    expect(screen.getByText("$1.21")).toBeDefined();
    await choose("Provider", "p2");
    await choose("Then", "first");
    await press("Save order");
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toEqual([
      "PUT /pos/providers/order",
      { brand: "TIGO", providers: ["p2", "first"] },
    ]);
  });

  it("joins a brand with that of another provider, and separates it", async () => {
    const brands = [
      { brand: "TIGO", brandName: "Tigo" },
      { brand: "RLD-88", brandName: "Tigo Guatemala" },
    ];
    const joined = [{ brand: "RLD-9", brandName: "Claro GT", as: "CLARO", asName: "Claro" }];
    show([NORTH, SOUTH], { brands, joined });
    await screen.findByText("Claro GT is sold as Claro");
    await choose("Brand to join", "RLD-88");
    await choose("Sold as", "TIGO");
    await press("Join brands");
    await waitFor(() => expect(sent).toHaveLength(1));
    await waitFor(() =>
      expect(
        screen.getByRole("button", { name: "Separate Claro GT" }).hasAttribute("disabled"),
      ).toBe(false),
    );
    await press("Separate Claro GT");
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent).toEqual([
      ["PUT /pos/providers/brands", { brand: "RLD-88", as: "TIGO" }],
      ["PUT /pos/providers/brands", { brand: "RLD-9" }],
    ]);
  });

  it("lets the owner choose the product that equals one of two others", async () => {
    const offer = (offerId: string, providerId: string, notes: string) => ({
      offerId,
      providerId,
      notes,
      cost: 119,
    });
    const offers = [
      offer("A", "first", "Home"),
      offer("B:p2", "p2", "Home line"),
      offer("C:p2", "p2", "Internet"),
    ];
    const send = { amount: 1_000, currency: "USD", currencyDivisor: 100 };
    const product = { brandName: "Nauta", family: "VOUCHER", country: "CU", send, offers } as const;
    unclear = { ...unclear, list: [{ ...product, offers }] };
    show([NORTH, SOUTH], { unclear: 1 });
    fireEvent.click(await screen.findByText("South"));
    await screen.findByText("Products that match several others");
    await choose("South · Home line · $1.19", "A");
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent).toEqual([["PUT /pos/providers/products", { offerId: "B:p2", as: "A" }]]);
  });
});
