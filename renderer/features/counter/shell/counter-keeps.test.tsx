import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { FakeLocks } from "../../../lib/testing/fake-locks.ts";
import { listAttempts } from "../sale/attempt/attempt-store.ts";
import { show, standInForGateway } from "../testing/counter-till.tsx";
import { delivered, gateway } from "../testing/gateway-stand-in.ts";

standInForGateway();

describe("storage of drafts and attempts", () => {
  it("stores the ids when the confirm step opens, and deletes them on undo", async () => {
    const user = userEvent.setup({ delay: null });
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText("Confirm with the customer");
    expect(listAttempts()).toHaveLength(1);
    expect(gateway.sent).toHaveLength(0);
    await user.keyboard("{Escape}");
    expect(listAttempts()).toEqual([]);
  });

  it("reopens a confirm step with the same ids after a restart", async () => {
    const user = userEvent.setup({ delay: null });
    const { unmount } = show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    const [stored] = listAttempts();
    unmount();
    show();
    await screen.findByText("Confirm with the customer");
    await user.keyboard("{Enter}");
    await screen.findByText("Confirmation C-77");
    expect(gateway.sent.map(({ saleId }) => saleId)).toEqual([stored?.saleId]);
  });

  function moveToWindow(windowId: string) {
    const [open] = listAttempts();
    const stored = JSON.stringify({ ...open, windowId });
    localStorage.setItem(`tillgate.attempt.${open?.saleId}`, stored);
  }

  async function openConfirmStep() {
    const user = userEvent.setup({ delay: null });
    const shown = show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText("Confirm with the customer");
    return shown;
  }

  it("restores another window's confirm step only after that window has closed", async () => {
    const locks = new FakeLocks();
    Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
    locks.hold("tillgate.window.other");
    const other = await openConfirmStep();
    const [{ saleId } = { saleId: "" }] = listAttempts();
    other.unmount();
    moveToWindow("other");
    const mine = show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    expect(screen.queryByText("Confirm with the customer")).toBeNull();
    mine.unmount();
    locks.letGo();
    show();
    await screen.findByText("Confirm with the customer");
    await userEvent.setup({ delay: null }).keyboard("{Enter}");
    await screen.findByText("Confirmation C-77");
    expect(gateway.sent.map((input) => input.saleId)).toEqual([saleId]);
    Reflect.deleteProperty(navigator, "locks");
  });

  it("keeps training baskets separate from baskets of the test environment", async () => {
    const selling = await openConfirmStep();
    const [{ saleId } = { saleId: "" }] = listAttempts();
    selling.unmount();
    const user = userEvent.setup({ delay: null });
    const training = show("ana", true);
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    expect(screen.queryByText("Confirm with the customer")).toBeNull();
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText("Confirm with the customer");
    training.unmount();
    show();
    await screen.findByText("Confirm with the customer");
    expect(listAttempts().map((attempt) => attempt.saleId)).toEqual([saleId]);
  });

  it("sends the paid sale of a closed window, but not of an open window", async () => {
    gateway.answerSale = () => {
      throw new TypeError("connection lost");
    };
    const locks = new FakeLocks();
    Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
    locks.hold("tillgate.window.third");
    const other = await openConfirmStep();
    await userEvent.setup({ delay: null }).keyboard("{Enter}");
    await screen.findByText("Paid. Waiting for the connection.");
    other.unmount();
    moveToWindow("third");
    gateway.sent = [];
    gateway.answerSale = delivered;
    const mine = show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    expect(gateway.sent).toEqual([]);
    mine.unmount();
    locks.letGo();
    show();
    await waitFor(() => expect(gateway.sent).toHaveLength(1));
    await waitFor(() => expect(listAttempts()).toEqual([]));
    Reflect.deleteProperty(navigator, "locks");
  });

  it("keeps typed text for the same person, and never shows it to others", async () => {
    const typed = () => screen.getByRole<HTMLInputElement>("textbox").value.replaceAll(/\D/g, "");
    const user = userEvent.setup({ delay: null });
    const hers = show();
    await user.keyboard("5025123");
    hers.unmount();
    const his = show("ben");
    expect(typed()).toBe("");
    his.unmount();
    show();
    expect(typed()).toBe("5025123");
  });

  it("preserves the open confirm step of a person while another person sells", async () => {
    const user = userEvent.setup({ delay: null });
    const hers = show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText("Confirm with the customer");
    hers.unmount();
    const his = show("ben");
    expect(screen.queryByText("Confirm with the customer")).toBeNull();
    his.unmount();
    show();
    await screen.findByText("Confirm with the customer");
  });
});
