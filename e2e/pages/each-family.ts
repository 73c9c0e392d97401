import { expect } from "@playwright/test";
import type { Counter } from "./counter.ts";

export async function sellVoucher(counter: Counter): Promise<void> {
  await counter.press("F2");
  await expect(counter.tile(/Cemaco/)).toBeVisible();
  await counter.press("c", "e", "m");
  await expect(counter.primary(/Continue with Cemaco/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.tile(/Q ?\d+/).first()).toBeVisible();
  await counter.press("1");
  await expect(counter.primary(/Take payment/)).toBeEnabled();
  await counter.press("Enter");
}

export async function sellEsim(counter: Counter): Promise<void> {
  await counter.press("F3");
  await counter.type("spa");
  await expect(counter.primary(/Continue with Spain/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.tile(/1 GB, 7 days/).first()).toBeVisible();
  await counter.press("1");
  await expect(counter.page.getByText("*#06#")).toBeVisible();
  await counter.press("Enter");
  await expect(counter.primary(/Take payment/)).toBeEnabled();
  await counter.press("Enter");
}

export async function payBill(counter: Counter): Promise<void> {
  await counter.press("F4");
  await counter.type("eeg");
  await expect(counter.primary(/Continue with EEGSA/)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.page.getByRole("textbox", { name: "Account number" })).toBeFocused();
  await counter.page.keyboard.type("30001234567");
  await counter.press("Enter");
  await expect(counter.page.getByText("Amount due")).toBeVisible();
  await expect(counter.primary(/Continue with Q /)).toBeEnabled();
  await counter.press("Enter");
  await expect(counter.primary(/Take payment Q /)).toBeEnabled();
  await counter.press("Enter");
  await counter.press("F1");
  await counter.isReady();
}
