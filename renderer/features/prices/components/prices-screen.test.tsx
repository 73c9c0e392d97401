import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Environment } from "../../../../server/contract/common.ts";
import { addOfficeWords } from "../../../lib/i18n.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import { officeWordsIn } from "../../../locales/office-words.ts";
import { WhyView } from "./prices-screen.tsx";

const NORTH = { providerId: "first", name: "North", cost: 290 };
const SOUTH = { providerId: "p2", name: "South", cost: 297 };
const EAST = { providerId: "p3", name: "East", cost: 310 };
const LINE = /^Sold through /;

let list: object[];
let asked: string[];

beforeAll(() => addOfficeWords(officeWordsIn));

beforeEach(() => {
  list = [];
  asked = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    if (url.startsWith("/pos/providers/costs")) {
      return Response.json({ currency: "USD", currencyDivisor: 100, list });
    }
    const error = { errorCode: "OFFER_NOT_FOUND", message: "There is no such offer.", fields: {} };
    return Response.json(error, { status: 404 });
  });
});

function sellThrough(used: string, costs: object[]): void {
  list = [{ offerId: "TIGO_10", family: "TOPUP", country: "GT", used, costs }];
}

function open(environment: Environment = "live"): void {
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <WhyView environment={environment} offerId="TIGO_10" onOffer={() => {}} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

describe("WhyView", () => {
  it("names the used provider with its cost, and the costs at the others", async () => {
    sellThrough("first", [SOUTH, NORTH, EAST]);
    open();
    expect((await screen.findByText(LINE)).textContent).toBe(
      "Sold through North at a cost of $2.90. Other providers: South $2.97 · East $3.10",
    );
    expect(asked).toContain("/pos/providers/costs?offerId=TIGO_10");
  });

  it("names the preferred provider even if another is cheaper", async () => {
    sellThrough("p2", [NORTH, SOUTH]);
    open();
    expect((await screen.findByText(LINE)).textContent).toBe(
      "Sold through South at a cost of $2.97. Other providers: North $2.90",
    );
  });

  it.each([
    ["one provider sells the product", () => {}],
    ["no provider works", () => sellThrough("", [NORTH, SOUTH])],
  ])("names no provider if %s", async (_, arrange) => {
    arrange();
    open();
    await screen.findByRole("alert");
    await vi.waitFor(() => expect(asked).toContain("/pos/providers/costs?offerId=TIGO_10"));
    expect(screen.queryByText(LINE)).toBeNull();
  });

  it("asks for no providers in test mode", async () => {
    sellThrough("first", [NORTH, SOUTH]);
    open("test");
    await screen.findByRole("alert");
    expect(asked.filter((url) => url.includes("/providers/"))).toEqual([]);
  });
});
