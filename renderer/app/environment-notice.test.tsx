import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { EnvironmentNotice } from "./notices.tsx";

type Place = Pick<PosSession, "environment" | "training">;

const TEST = { environment: "test", training: false } as const;
const LIVE = { environment: "live", training: false } as const;
const TRAINING = { environment: "test", training: true } as const;
const LIVE_WORDS = "The tills are in live mode now. Every sale is real.";

function shown(session: Place) {
  return (
    <MantineProvider env="test">
      <EnvironmentNotice session={session} />
    </MantineProvider>
  );
}

const told = () => screen.queryByRole("note")?.querySelector("strong")?.textContent ?? null;

it("the notice about going live stays until a person confirms it, even after a restart", async () => {
  const first = render(shown(TEST));
  expect(told()).toBeNull();
  first.rerender(shown(LIVE));
  expect(told()).toBe(LIVE_WORDS);
  first.unmount();
  const again = render(shown(LIVE));
  expect(told()).toBe(LIVE_WORDS);
  await userEvent.click(screen.getByRole("button", { name: "OK" }));
  expect(told()).toBeNull();
  again.unmount();
  render(shown(LIVE));
  expect(told()).toBeNull();
});

it("the notice returns the focus to the element that had it before", async () => {
  localStorage.setItem("tillgate.environment", "test");
  render(
    <>
      <input aria-label="Number" />
      {shown(LIVE)}
    </>,
  );
  const field = screen.getByRole("textbox", { name: "Number" });
  field.focus();
  await userEvent.click(screen.getByRole("button", { name: "OK" }));
  expect(document.activeElement).toBe(field);
});

it("training, which keeps the shop's environment, causes no notice", () => {
  const { rerender } = render(shown(LIVE));
  rerender(shown(TRAINING));
  expect(told()).toBeNull();
  rerender(shown(LIVE));
  expect(told()).toBeNull();
});

it("after training, the notice reports that the shop went live during the training", () => {
  const { rerender } = render(shown(TEST));
  rerender(shown(TRAINING));
  rerender(shown(LIVE));
  expect(told()).toBe(LIVE_WORDS);
});
