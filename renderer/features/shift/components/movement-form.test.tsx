import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import type { MovementInput, Shift } from "../../../../server/contract/pos/shifts.ts";
import { newQueryClient } from "../../../lib/testing/reset-page.ts";
import { MovementForm } from "./movement-form.tsx";

const shift = { shiftId: "shift-1", currency: "GTQ", currencyDivisor: 100 } as Shift;

let sent: MovementInput[] = [];
let answer: () => Response;

function refused(errorCode: string, status: number): Response {
  return Response.json({ errorCode, message: "", fields: {} }, { status });
}

beforeEach(() => {
  sent = [];
  vi.stubGlobal("fetch", async (_address: string, { body }: RequestInit) => {
    sent.push(JSON.parse(body as string) as MovementInput);
    return answer();
  });
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <MovementForm shift={shift} kind="PAY_OUT" onDone={() => undefined} />
      </QueryClientProvider>
    </MantineProvider>,
  );
});

async function record(amount: string, reason: string): Promise<void> {
  const [amountField, reasonField] = screen.getAllByRole("textbox") as [HTMLElement, HTMLElement];
  fireEvent.change(amountField, { target: { value: amount } });
  fireEvent.change(reasonField, { target: { value: reason } });
  const times = sent.length;
  fireEvent.submit(amountField.closest("form") as HTMLFormElement);
  await vi.waitFor(() => expect(sent).toHaveLength(times + 1));
  await screen.findByRole("alert");
}

it("MovementForm sends the same id after a lost answer, and states that the first request was recorded", async () => {
  answer = () => {
    throw new TypeError("connection lost");
  };
  await record("50", "taxi");
  answer = () => refused("ID_TAKEN", 409);
  await record("50", "taxi home");
  expect(new Set(sent.map(({ movementId }) => movementId)).size).toBe(1);
  expect(await screen.findByText(/recorded as you entered it the first time/)).toBeDefined();
});

it("MovementForm sends a new id after a refused request was changed", async () => {
  answer = () => refused("FORBIDDEN", 403);
  await record("50", "taxi");
  await record("60", "taxi");
  expect(new Set(sent.map(({ movementId }) => movementId)).size).toBe(2);
});
