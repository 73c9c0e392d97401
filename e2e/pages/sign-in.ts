import type { Locator, Page } from "@playwright/test";

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

  async first(name: string, given: string, own: string): Promise<void> {
    await this.as(name, given);
    await this.page.getByLabel("Your new PIN", { exact: true }).fill(own);
    await this.page.getByLabel("Your new PIN again").fill(own);
    await this.page.getByRole("button", { name: "Save my PIN" }).click();
  }
}

export function account(page: Page, name: string): Locator {
  return page.getByRole("button", { name: `Account: ${name}`, exact: true });
}

export async function typeOwnPin(page: Page, pin: string): Promise<void> {
  const asked = page.getByRole("dialog", { name: "Enter PIN" });
  await asked.getByLabel("Your PIN").fill(pin);
  await asked.getByRole("button", { name: "Continue" }).click();
}
