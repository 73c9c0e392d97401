import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { ClearableSelect } from "./clearable-select.tsx";

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});

function Status() {
  const [status, setStatus] = useState<string | null>("Delivered");
  return (
    <MantineProvider env="test">
      <ClearableSelect
        label="Status"
        all="Every status"
        data={["Delivered", "Refunded"]}
        value={status}
        onChange={setStatus}
      />
      <p>chosen: {status ?? "nothing"}</p>
    </MantineProvider>
  );
}

it("a choice is taken back from the keyboard, and the focus returns to the field", async () => {
  render(<Status />);
  const user = userEvent.setup();
  await user.tab();
  await user.tab();
  const clear = screen.getByRole("button", { name: "Status: Every status" });
  expect(document.activeElement).toBe(clear);
  await user.keyboard("{Enter}");
  expect(screen.getByText("chosen: nothing")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole("combobox", { name: "Status" }));
});
