import { render } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { type ReactNode, useRef } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { useOpenDialog } from "../components/dialog/dialog.tsx";
import { useScreenKeys } from "./use-screen-keys.ts";

let heard: string[] = [];
let closed: string[] = [];

function Box({ name, isOpen, children }: { name: string; isOpen: boolean; children?: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  useOpenDialog(isOpen, () => closed.push(name), content);
  return isOpen ? (
    <div role="dialog" aria-label={name}>
      <div ref={content}>
        <input aria-label={`${name} field`} />
        {children}
      </div>
    </div>
  ) : null;
}

function Screen({ first = false, second = false }) {
  useScreenKeys(({ key }) => heard.push(key));
  return (
    <>
      <main>
        <input data-counter-field aria-label="number" />
        <button type="button">Take payment</button>
      </main>
      <Box name="first" isOpen={first} />
      <Box name="second" isOpen={second} />
    </>
  );
}

const focused = () => document.activeElement?.getAttribute("aria-label");

afterEach(() => {
  heard = [];
  closed = [];
});

describe("an open dialog", () => {
  it("takes every key from the screen, and Escape closes only the top dialog", async () => {
    const user = userEvent.setup({ delay: null });
    const { rerender } = render(<Screen />);
    await user.keyboard("5");
    expect(heard).toEqual(["5"]);
    rerender(<Screen first second />);
    document.querySelector<HTMLElement>("main button")?.blur();
    await user.keyboard("c1{Enter}{Escape}");
    expect(heard).toEqual(["5"]);
    expect(closed).toEqual(["second"]);
    rerender(<Screen first />);
    await user.keyboard("{Escape}");
    expect(closed).toEqual(["second", "first"]);
    rerender(<Screen />);
    await user.keyboard("7");
    expect(heard).toEqual(["5", "7"]);
  });

  it("withholds its closing key from the screen below", async () => {
    const user = userEvent.setup({ delay: null });
    const { rerender } = render(<Screen first />);
    const close = () => rerender(<Screen />);
    document.querySelector("[role=dialog]")?.addEventListener("keydown", close);
    document.querySelector<HTMLElement>("[role=dialog] input")?.focus();
    await user.keyboard("{Enter}");
    expect(document.querySelector("[role=dialog]")).toBeNull();
    expect(heard).toEqual([]);
  });

  it("keeps the focus until it closes, and then returns the focus to the former element", async () => {
    const { rerender } = render(<Screen />);
    const number = document.querySelector<HTMLElement>("[data-counter-field]");
    number?.focus();
    rerender(<Screen first />);
    expect(focused()).toBe("first field");
    number?.focus();
    expect(focused()).toBe("first field");
    document.querySelector<HTMLElement>("main button")?.focus();
    expect(focused()).toBe("first field");
    rerender(<Screen />);
    await Promise.resolve();
    expect(focused()).toBe("number");
  });

  it("gets the focus by Tab if no element has the focus", async () => {
    const user = userEvent.setup({ delay: null });
    render(<Screen first />);
    (document.activeElement as HTMLElement).blur();
    await user.tab();
    expect(focused()).toBe("first field");
    expect(heard).toEqual([]);
  });

  it("leaves the focus to the step's own field if the former element is gone", async () => {
    const { rerender } = render(<Screen />);
    const gone = document.createElement("input");
    document.body.append(gone);
    gone.focus();
    rerender(<Screen first />);
    gone.remove();
    rerender(<Screen />);
    await Promise.resolve();
    expect(focused()).toBe("number");
  });
});
