import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { PosSession } from "../../../../server/contract/pos/staff.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import { SetupScreen } from "./setup-screen.tsx";

const SESSION = { staff: { staffId: "olga", name: "Olga", role: "owner" } };
const WORDS =
  "abandon ability able about above absent absorb abstract absurd abuse access accident";
const CURRENCIES = {
  walletCurrency: "USD",
  asOf: "2026-01-15",
  list: [
    { currency: "GTQ", currencyDivisor: 100, rate: "7.66" },
    { currency: "USD", currencyDivisor: 100, rate: "1" },
  ],
};

const BACKUP = "/media/stick/tillgate-20260115T093000Z.increment";

const onDone = vi.fn<(session: PosSession) => void>();
const sent = vi.fn<(path: string, body: object) => void>();
const lookedAt = vi.fn<() => Response>();

function answer(path: string): object {
  switch (path) {
    case "/pos/setup/currencies":
      return CURRENCIES;
    case "/pos/setup":
      return SESSION;
    case "/pos/backups/kit":
      return { kitId: "kit-1", phrase: WORDS, madeAt: "2026-01-15T09:30:00.000Z" };
    case "/pos/restore/find":
      return { list: [{ file: BACKUP, takenAt: "2026-01-15T09:30:00.000Z", sizeBytes: 9 }] };
    default:
      return {};
  }
}

beforeEach(() => {
  onDone.mockReset();
  sent.mockReset();
  vi.stubGlobal("fetch", async (path: string, { body }: RequestInit) => {
    if (typeof body === "string") sent(path, JSON.parse(body));
    return path === "/pos/restore/look" ? lookedAt() : Response.json(answer(path));
  });
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const read = Intl.DateTimeFormat.prototype.resolvedOptions;
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockImplementation(function (
    this: Intl.DateTimeFormat,
  ) {
    return { ...read.call(this), timeZone: "America/Guatemala" };
  });
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <SetupScreen onDone={onDone} />
      </QueryClientProvider>
    </MantineProvider>,
  );
});

async function press(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole("button", { name }));
}

function type(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

it("the set-up creates the shop with the proposed terms, and confirms its first recovery sheet", async () => {
  await press("Continue");
  expect(await screen.findByText("Enter a shop name")).toBeDefined();
  type("Shop name", " Tienda Ana ");
  type("Exchange rate", "77");
  expect(screen.getByText(/^This is far from the usual/)).toBeDefined();
  type("Exchange rate", "7,75");
  await press("Continue");
  await screen.findByText("Your name and PIN");
  type("PIN", "274913");
  type("PIN again", "274914");
  await press("Continue");
  expect(await screen.findByText("The two PINs do not match")).toBeDefined();
  expect(sent).not.toHaveBeenCalled();
  type("PIN again", "274913");
  await press("Continue");
  await press("Make the recovery sheet");
  expect(await screen.findByText("accident")).toBeDefined();
  expect(sent).toHaveBeenCalledWith("/pos/setup", {
    shopName: "Tienda Ana",
    currency: "GTQ",
    timeZone: "America/Guatemala",
    rate: "7.75",
    language: "en",
    ownerName: "Owner",
    ownerPin: "274913",
  });
  expect(onDone).not.toHaveBeenCalled();
  await press("I have stored the sheet");
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledExactlyOnceWith(SESSION));
  expect(sent).toHaveBeenLastCalledWith("/pos/backups/kit/confirm", { kitId: "kit-1" });
});

describe("the restore on the first screen", () => {
  async function openBackup(): Promise<string> {
    await press("Open the backup");
    return (await screen.findByRole("alert")).textContent;
  }

  it("asks for a removed stick, and opens the backup once the stick is back", async () => {
    await press("Restore from a backup");
    fireEvent.click(await screen.findByRole("radio"));
    const gone = { errorCode: "NOT_FOUND", message: "", fields: { kind: "UNREADABLE" } };
    lookedAt.mockImplementation(() => Response.json(gone, { status: 404 }));
    const said = await openBackup();
    expect(said).toContain("can’t be read any more. If it is on a USB stick, plug the stick in");
    expect(said).not.toContain("wallet");
    lookedAt.mockImplementation(() =>
      Response.json({ shopName: "Tienda Sol", isUnsigned: false, problems: [] }),
    );
    await press("Open the backup");
    expect(await screen.findByRole("button", { name: "Restore Tienda Sol" })).toBeDefined();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("names the missing copy and the newest complete backup", async () => {
    await press("Restore from a backup");
    fireEvent.click(await screen.findByRole("radio"));
    const fault = {
      kind: "COPY_MISSING",
      copy: "tillgate-20260115T083000Z.increment",
      copyAt: "2026-01-15T08:30:00.000Z",
      whole: "tillgate-20260115T073000Z.increment",
      wholeAt: "2026-01-15T07:30:00.000Z",
    };
    const problems = ["it needs the copy"];
    const found = { shopName: "", isUnsigned: false, problems, fault };
    lookedAt.mockImplementation(() => Response.json(found));
    const said = await openBackup();
    expect(said).toMatch(/^This backup holds only the changes since .* which is missing\./);
    expect(said).toContain(`Put the file ${fault.copy} in the same folder`);
    expect(said).toContain(`(${fault.whole}). Choose that one.`);
    expect(said).not.toContain("it needs the copy");
    expect(screen.getByRole("button", { name: "Open the backup" })).toBeDefined();
  });
});
