import { expect, type Locator, type Page } from "@playwright/test";

/** The shift screen, used with the keyboard. */
export class Shift {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.keyboard.press("F7");
    await expect(this.page.getByRole("heading", { name: "Shift", exact: true })).toBeVisible();
  }

  /** Types the drawer's contents, if the till asks for them. */
  async takeOver(float: string): Promise<void> {
    await expect(this.page.getByRole("heading", { name: "Open shift" })).toBeVisible();
    await this.page.keyboard.type(float);
    await this.page.keyboard.press("Enter");
  }

  /** Opens one of the numbered actions, 1 to 5. */
  async choose(digit: string, heading: string): Promise<void> {
    await this.page.keyboard.press(digit);
    await expect(this.page.getByRole("heading", { name: heading })).toBeVisible();
    // Within this time it may still be the first digit of a number.
  }

  row(label: string): Locator {
    return this.page.locator("dl > div").filter({ hasText: label });
  }
}
