import { expect, type Locator, type Page } from "@playwright/test";

export class Shift {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.keyboard.press("F7");
    await expect(this.page.getByRole("heading", { name: "Shift", exact: true })).toBeVisible();
  }

  async takeOver(float: string): Promise<void> {
    await expect(this.page.getByRole("heading", { name: "Open shift" })).toBeVisible();
    await this.page.keyboard.type(float);
    await this.page.keyboard.press("Enter");
  }

  async choose(digit: string, heading: string): Promise<void> {
    await this.page.keyboard.press(digit);
    await expect(this.page.getByRole("heading", { name: heading })).toBeVisible();
    // The till waits before it opens the action: the digit may be the start of a number.
  }

  row(label: string): Locator {
    return this.page.locator("dl > div").filter({ hasText: label });
  }
}
