import type { Page } from "@playwright/test";

/** The lock screen. */
export class SignIn {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async choose(name: string): Promise<void> {
    await this.page.getByRole("button", { name }).click();
  }

  async typePin(pin: string): Promise<void> {
    await this.page.keyboard.type(pin);
    await this.page.keyboard.press("Enter");
  }

  async as(name: string, pin: string): Promise<void> {
    await this.choose(name);
    await this.typePin(pin);
  }
}
