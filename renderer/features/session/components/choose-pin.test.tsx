import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { fetchDialogs } from "../../../components/dialog/dialog.tsx";
import { LatePinField } from "../../../components/late-pin-field.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { sendWithOwnPin } from "../../../lib/own-pin.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import { ChangePinDialog, FirstPinDialog } from "./choose-pin.tsx";
import { OwnPin } from "./own-pin-dialog.tsx";

const ANA = { staffId: "ana", name: "Ana", role: "clerk" } as const;
const SESSION = { staff: ANA };
const onClose = vi.fn<() => void>();
const sent = vi.fn<(path: string, body: object) => void>();

beforeAll(() => Promise.all([fetchDialogs(), LatePinField.load()]));

beforeEach(() => {
  onClose.mockReset();
  sent.mockReset();
  vi.stubGlobal("fetch", async (path: string, { body }: RequestInit) => {
    if (typeof body === "string") sent(path, JSON.parse(body));
    return Response.json(SESSION);
  });
});

function show(dialog: ReactElement): void {
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>{dialog}</QueryClientProvider>
    </MantineProvider>,
  );
}

async function type(label: string, value: string): Promise<void> {
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });
}

async function choose(pin: string, again = pin): Promise<void> {
  await type("Your new PIN", pin);
  await type("Your new PIN again", again);
  fireEvent.click(screen.getByRole("button", { name: "Save my PIN" }));
}

it("saving after the first PIN moves on to the second, without an error", async () => {
  show(<ChangePinDialog person={ANA} onClose={onClose} />);
  await type("Your new PIN", "739164");
  fireEvent.click(screen.getByRole("button", { name: "Save my PIN" }));
  const again = screen.getByLabelText("Your new PIN again");
  await vi.waitFor(() => expect(document.activeElement).toBe(again));
  expect(screen.queryByText("The two PINs do not match.")).toBeNull();
  await type("Your new PIN again", "739164");
  fireEvent.click(screen.getByRole("button", { name: "Save my PIN" }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

it("the first sign-in requires another PIN than the given one, typed twice, and signs the person in", async () => {
  const onSignedIn = vi.fn<(session: object) => void>();
  show(<FirstPinDialog person={ANA} given="258025" onSignedIn={onSignedIn} onClose={onClose} />);
  await choose("258025");
  expect(await screen.findByText("Choose a PIN that differs from your old one.")).toBeDefined();
  await choose("739164", "739165");
  expect(await screen.findByText("The two PINs do not match.")).toBeDefined();
  expect(sent).not.toHaveBeenCalled();
  await choose("739164");
  await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
  const input = { staffId: "ana", pin: "258025", newPin: "739164" };
  expect(sent).toHaveBeenCalledExactlyOnceWith("/pos/session", input);
});

it("a changed PIN closes its dialog, but a refused PIN does not", async () => {
  vi.stubGlobal("fetch", async () =>
    Response.json({ errorCode: "FORBIDDEN", message: "no", fields: {} }, { status: 403 }),
  );
  show(<ChangePinDialog person={ANA} onClose={onClose} />);
  await choose("739164");
  expect(await screen.findByRole("alert")).toBeDefined();
  expect(onClose).not.toHaveBeenCalled();
  vi.stubGlobal("fetch", async () => Response.json({}));
  await choose("739164");
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

function ask(send: (pin: string) => Promise<unknown>): Promise<unknown> {
  show(<OwnPin />);
  const outcomes: Promise<unknown>[] = [];
  act(() => {
    outcomes.push(sendWithOwnPin(send, new Error("refused")));
  });
  return Promise.race(outcomes);
}

async function submitOwnPin(pin: string): Promise<void> {
  await type("Your PIN", pin);
  fireEvent.click(screen.getByRole("button", { name: "Continue" }));
}

it("a request that needs the person's PIN is sent again until the typed PIN is right", async () => {
  const outcome = ask(async (pin) => {
    if (pin !== "739164") throw new ApiError(401, "PIN_WRONG", "wrong", { attemptsLeft: "4" });
    return "done";
  });
  await submitOwnPin("1111");
  expect(await screen.findByText("4 tries left.", { exact: false })).toBeDefined();
  await submitOwnPin("739164");
  expect(await outcome).toBe("done");
  await vi.waitFor(() => expect(screen.queryByLabelText("Your PIN")).toBeNull());
});

it("a request that needs the person's PIN fails with the error of the request, not of the PIN", async () => {
  const taken = new ApiError(409, "ID_TAKEN", "taken", {});
  const outcome = ask(() => Promise.reject(taken));
  outcome.catch(() => {});
  await submitOwnPin("739164");
  await expect(outcome).rejects.toBe(taken);
});

it("a request that needs the person's PIN is refused if the person types none", async () => {
  const outcome = ask(() => Promise.resolve("done"));
  outcome.catch(() => {});
  await screen.findByLabelText("Your PIN");
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await expect(outcome).rejects.toThrow("refused");
});
