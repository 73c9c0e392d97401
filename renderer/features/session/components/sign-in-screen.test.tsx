import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { PosSession, SignInInput } from "../../../../server/contract/pos/staff.ts";
import { ApiError, UnreachableError } from "../../../lib/api-client.ts";
import { KEYPAD_KEYS } from "../../../lib/testing/key-reports.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import { staffNamesQuery } from "../api/session-queries.ts";
import { SignInScreen } from "./sign-in-screen.tsx";

const ROSA = { staffId: "rosa", name: "Rosa", role: "owner" } as const;
const ANA = { staffId: "ana", name: "Ana", role: "cashier" } as const;
const SESSION = { staff: ROSA } as unknown as PosSession;
const AWAY = /Can’t reach Tillgate/;
const onSignedIn = vi.fn<(session: PosSession) => void>();
const asked = vi.fn<(input: SignInInput, signal: AbortSignal) => Promise<PosSession>>();

async function answerSignIn({ body, signal }: RequestInit): Promise<Response> {
  try {
    return Response.json(await asked(JSON.parse(body as string), signal as AbortSignal));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, errorCode, message, fields } = error;
    return Response.json({ errorCode, message, fields }, { status });
  }
}

beforeEach(() => {
  asked.mockReset();
  onSignedIn.mockReset();
  const client = newQueryClient({
    defaultOptions: {
      queries: { staleTime: Infinity, refetchOnMount: false },
      mutations: { retryDelay: 1 },
    },
  });
  client.setQueryData(staffNamesQuery().queryKey, { list: [ROSA, ANA] } as never);
  vi.stubGlobal("fetch", (_url: string, init: RequestInit) =>
    init.method === "POST" ? answerSignIn(init) : new Promise(() => {}),
  );
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <SignInScreen shopName="Sol" unsentOf={new Set()} onSignedIn={onSignedIn} />
      </QueryClientProvider>
    </MantineProvider>,
  );
});

function typePin(name: string, pin: string): void {
  fireEvent.click(screen.getByRole("button", { name: new RegExp(name) }));
  for (const key of [...pin, "Enter"]) fireEvent.keyDown(document.body, { key });
}

it("the sign-in screen signs a person in as soon as an unreachable gateway becomes reachable", async () => {
  const { promise, resolve } = Promise.withResolvers<PosSession>();
  asked.mockRejectedValueOnce(new UnreachableError());
  asked.mockRejectedValueOnce(new UnreachableError());
  asked.mockReturnValueOnce(promise);
  typePin("Rosa", "471183");
  expect(await screen.findByText(AWAY)).toBeDefined();
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(3));
  resolve(SESSION);
  await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledExactlyOnceWith(SESSION));
  for (const [input] of asked.mock.calls) expect(input).toEqual({ staffId: "rosa", pin: "471183" });
});

it("the sign-in screen sends a wrong PIN only once", async () => {
  asked.mockRejectedValueOnce(new ApiError(403, "PIN_WRONG", "wrong", { attemptsLeft: "4" }));
  typePin("Rosa", "471184");
  expect(await screen.findByText("4 tries left.", { exact: false })).toBeDefined();
  expect(asked).toHaveBeenCalledTimes(1);
});

it("the sign-in screen reports a failure after the last retry, and signs nobody in afterwards", async () => {
  asked.mockRejectedValue(new UnreachableError());
  typePin("Rosa", "471183");
  expect(await screen.findByText(/Can’t reach the Tillgate server/)).toBeDefined();
  expect(asked).toHaveBeenCalledTimes(13);
});

it.each([
  ["another person is chosen", () => fireEvent.click(screen.getByRole("button", { name: /Ana/ }))],
  ["another PIN is typed", () => fireEvent.keyDown(document.body, { key: "1" })],
  ["the page closes", cleanup],
])("the sign-in screen drops a retried PIN when %s", async (_when, change) => {
  const { promise, reject } = Promise.withResolvers<PosSession>();
  asked.mockRejectedValueOnce(new UnreachableError());
  asked.mockReturnValueOnce(promise);
  typePin("Rosa", "471183");
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  change();
  const [, signal] = asked.mock.calls[1] ?? [];
  expect(signal?.aborted).toBe(true);
  reject(signal?.reason);
  expect(onSignedIn).not.toHaveBeenCalled();
});

it("a keypad with NumLock off types a PIN without changing the person", async () => {
  asked.mockResolvedValueOnce(SESSION);
  fireEvent.click(screen.getByRole("button", { name: /Rosa/ }));
  for (const digit of "471182") {
    const key = KEYPAD_KEYS[Number(digit)] ?? "";
    fireEvent.keyDown(document.body, { key, code: `Numpad${digit}` });
  }
  fireEvent.keyDown(document.body, { key: "Enter" });
  await vi.waitFor(() =>
    expect(asked.mock.calls[0]?.[0]).toMatchObject({ staffId: "rosa", pin: "471182" }),
  );
});

it("the unshifted top row of a French keyboard types a PIN", async () => {
  asked.mockResolvedValueOnce(SESSION);
  fireEvent.click(screen.getByRole("button", { name: /Rosa/ }));
  for (const [key = "", code] of [
    ["'", 4],
    ["è", 7],
    ["&", 1],
    ["é", 2],
  ]) {
    fireEvent.keyDown(document.body, { key: String(key), code: `Digit${code}` });
  }
  fireEvent.keyDown(document.body, { key: "Enter" });
  await vi.waitFor(() =>
    expect(asked.mock.calls[0]?.[0]).toMatchObject({ staffId: "rosa", pin: "4712" }),
  );
});

it("the sign-in screen sends nothing on Enter after an unreadable key, and explains the reason", async () => {
  fireEvent.click(screen.getByRole("button", { name: /Rosa/ }));
  for (const key of ["4", "7", "1", "1", "Dead", "Enter"]) {
    fireEvent.keyDown(document.body, { key });
  }
  expect(await screen.findByText(/key was pressed that is not a digit/)).toBeDefined();
  expect(asked).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(screen.queryByText(/key was pressed that is not a digit/)).toBeNull();
});
