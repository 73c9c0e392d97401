import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Flag } from "./flag.tsx";

const gateway = vi.hoisted(() => ({ isAway: true }));

vi.mock("country-flag-icons/react/3x2", () => {
  if (gateway.isAway) {
    throw new TypeError("Failed to fetch dynamically imported module");
  }
  return { GT: () => <svg data-testid="GT" /> };
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("is left out while it cannot be fetched, and there later: nothing else is the worse for it", async () => {
  const { unmount } = await act(async () => render(<p>Guatemala {<Flag country="GT" />}</p>));
  expect(screen.getByText("Guatemala")).toBeDefined();
  unmount();
  gateway.isAway = false;
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await act(async () => render(<Flag country="GT" />));
  expect(screen.getByTestId("GT")).toBeDefined();
});
