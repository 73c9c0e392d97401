import { expect, type Locator, type Page } from "@playwright/test";
import { pressAtOnce } from "../support/typing-clock.ts";

export class Counter {
  readonly page: Page;
  readonly number: Locator;
  /** Main area with the current step. Excludes the panel, which repeats some texts of the step. */
  readonly work: Locator;
  readonly panel: Locator;
  /** Keys pressed since the last `resetKeys`, including digits of the number. */
  keys = 0;

  constructor(page: Page) {
    this.page = page;
    this.number = page.getByRole("textbox", { name: "Number, name, product or barcode" });
    this.work = page.getByRole("main");
    this.panel = page.locator("[data-counter]");
  }

  async isReady(): Promise<void> {
    await expect(this.number).toBeVisible();
  }

  async openFromAccount(name: string | RegExp): Promise<void> {
    await this.page.getByRole("button", { name: /^Account/ }).click();
    await this.page.getByRole("dialog", { name: "Account" }).getByRole("button", { name }).click();
  }

  async train(): Promise<void> {
    const isThere = this.page.waitForResponse(/\/pos\/shifts\/current/);
    await this.openFromAccount(/^Training mode/);
    await isThere;
    await this.isReady();
  }

  /**
   * Presses keys one after another, with a pause before a digit that follows a digit or a letter.
   */
  async press(...keys: string[]): Promise<void> {
    let before = "";
    for (const key of keys) {
      const isChoice = /^\d$/.test(key) && /^[\d\p{L}]$/u.test(before);
      if (before === "" || isChoice) await this.page.keyboard.press(key);
      else await pressAtOnce(this.page, key);
      before = key;
    }
    this.keys += keys.length;
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.keys += [...text].length;
  }

  /**
   * A choice in the current step. Excludes earlier sales in the panel, which contain the same
   * texts.
   */
  tile(name: string | RegExp): Locator {
    return this.work.getByRole("button", { name });
  }

  primary(name: string | RegExp): Locator {
    return this.page.locator("[data-counter] > aside").getByRole("button", { name });
  }

  async chooseTopup(digits: string, tile: string): Promise<void> {
    await this.type(digits);
    await this.press("Enter");
    await expect(this.tile(/Q 25\b/)).toBeVisible();
    await this.press(tile);
    await expect(this.primary(/Take payment/)).toBeEnabled();
  }

  async sellFirstOffer(digits: string): Promise<void> {
    await this.type(digits);
    await this.press("Enter");
    const tiles = this.page.getByRole("main").getByRole("button", { name: /Q 5\b/ });
    await expect(tiles.first()).toBeVisible();
    await this.press("1");
    await expect(this.primary(/Take payment/)).toBeEnabled();
    await this.press("Enter");
  }
}
