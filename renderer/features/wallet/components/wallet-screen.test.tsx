import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { beforeAll, expect, it, vi } from "vitest";
import { counterOperations } from "../../../../server/contract/pos/counter.ts";
import { addOfficeWords } from "../../../lib/i18n.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import { officeWordsIn } from "../../../locales/office-words.ts";
import { WalletScreen } from "./wallet-screen.tsx";

const MONEY = { held: 0, currency: "USD", currencyDivisor: 100 };

let balance: number;
/** Holds the answers of the wallet while it is pending. */
let held: Promise<void>;
/** Requests of the balance since the balance was set. */
let askedAgain: number;

beforeAll(() => addOfficeWords(officeWordsIn));

function show() {
  balance = 100_000;
  held = Promise.resolve();
  askedAgain = 0;
  vi.stubGlobal("fetch", async (path: string, { method }: RequestInit) => {
    if (method === "PUT") {
      balance = 5_000;
      return Response.json({});
    }
    if (path === "/pos/wallet" && balance === 5_000) askedAgain += 1;
    await held;
    const figures = { ...MONEY, available: balance };
    return Response.json(
      path === "/pos/wallet"
        ? { environment: "test", level: "enough", paysBelow: 1, figures }
        : { environment: "test", ...figures, alert: {}, low: [] },
    );
  });
  const queryClient = newQueryClient();
  const props = {
    session: { staff: { role: "owner" }, environment: "test" },
    status: { currency: "GTQ", currencyDivisor: 100 },
    search: {},
    onSearch: () => {},
  } as unknown as OfficeSectionProps;
  render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <WalletScreen {...props} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return queryClient;
}

it("the wallet page reports a saved test balance only once it shows that balance", async () => {
  show();
  expect(await screen.findAllByText("$1,000.00")).toHaveLength(2);
  let release = () => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  fireEvent.change(screen.getByRole("textbox", { name: /New available amount/ }), {
    target: { value: "50" },
  });
  fireEvent.click(screen.getByRole("button", { name: "Set the amount" }));
  await vi.waitFor(() => expect(askedAgain).toBe(1));
  expect(screen.queryByText("The test wallet is set.")).toBeNull();
  release();
  expect(await screen.findByText("The test wallet is set.")).toBeDefined();
  expect(screen.getAllByText("$50.00")).toHaveLength(2);
});

it("the wallet page follows the balance of the page's head", async () => {
  const queryClient = show();
  expect(await screen.findAllByText("$1,000.00")).toHaveLength(2);
  balance = 97_500;
  await invalidateAnswers(queryClient, [counterOperations.getWallet]);
  expect(await screen.findAllByText("$975.00")).toHaveLength(2);
});
