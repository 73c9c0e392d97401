import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";

let loads = 0;

async function opened(): Promise<typeof import("./print-settings.ts")> {
  loads += 1;
  return import(/* @vite-ignore */ `./print-settings.ts?load=${loads}`);
}

test("defaults apply until this device stores its own settings", async () => {
  const first = await opened();
  expect(first.getPrintSettings()).toEqual({
    paper: "80mm",
    rule: "ask",
    printerId: undefined,
    deviceName: undefined,
    driverPage: false,
  });
  first.changePrintSettings({ paper: "A4", rule: "always", printerId: "p1" });
  first.changePrintSettings({ printerId: undefined, deviceName: "POS_80", driverPage: true });
  const again = await opened();
  expect(again.getPrintSettings()).toEqual({
    paper: "A4",
    rule: "always",
    printerId: undefined,
    deviceName: "POS_80",
    driverPage: true,
  });
  expect(again.widthMm("A4")).toBe(210);
});

test("an invalid stored paper becomes the default", async () => {
  localStorage.setItem("tillgate.paper-width", "A3");
  localStorage.setItem("tillgate.print-rule", "sometimes");
  expect((await opened()).getPrintSettings()).toMatchObject({ paper: "80mm", rule: "ask" });
});

test("components see a changed setting", async () => {
  const { usePrintSettings, changePrintSettings } = await opened();
  const { result } = renderHook(() => usePrintSettings());
  expect(result.current.paper).toBe("80mm");
  act(() => changePrintSettings({ paper: "58mm" }));
  expect(result.current.paper).toBe("58mm");
});

test("settings that another tab changed are read even if no component on this page listens", async () => {
  const { getPrintSettings } = await opened();
  expect(getPrintSettings().paper).toBe("80mm");
  localStorage.setItem("tillgate.paper-width", "58mm");
  expect(getPrintSettings().paper).toBe("58mm");
  expect(getPrintSettings()).toBe(getPrintSettings());
});
