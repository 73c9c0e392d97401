import { expect, type Locator, type Page } from "@playwright/test";
import { pressAtOnce } from "../support/typing-clock.ts";

/** The main screen, used with the keyboard. Counts pressed keys. */
export class Counter {
  readonly page: Page;
  readonly number: Locator;
  /** The step that is open; the current sale beside it repeats some of its words. */
  readonly work: Locator;
  readonly panel: Locator;
  /** Keys pressed since the last `resetKeys`, including digits of the number. */
  keys = 0;

  constructor(page: Page) {
    this.page = page;
    this.number = page.getByRole("textbox", { name: "Number, name, product or barcode" });
    this.work = page.getByRole("main");
    // The result of a sale fills the work, and its sums stand beside it.
    this.panel = page.locator("[data-counter]");
  }

  async isReady(): Promise<void> {
    await expect(this.number).toBeVisible();
  }

  /** Opens something of this till that is no destination. */
  async openFromAccount(name: string | RegExp): Promise<void> {
    await this.page.getByRole("button", { name: /^Account/ }).click();
    await this.page.getByRole("dialog", { name: "Account" }).getByRole("button", { name }).click();
  }

  /** Starts training, and waits until all content is training's. */
  async train(): Promise<void> {
    const isThere = this.page.waitForResponse(/\/pos\/shifts\/current/);
    await this.openFromAccount(/^Training mode/);
    await isThere;
    await this.isReady();
  }

  /**
   * Presses keys one after another. A digit after another digit or letter is a separate choice: the clerk
   * looks at the screen before it.
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

  /** Types text anywhere, without a look at the screen between its characters. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.keys += [...text].length;
  }

  /** A choice in the work; the panel's rows of earlier sales contain the same words. */
  tile(name: string | RegExp): Locator {
    return this.work.getByRole("button", { name });
  }

  /** A large button of the current sale; rows of the work repeat some of its words. */
  primary(name: string | RegExp): Locator {
    return this.page.locator("[data-counter] > aside").getByRole("button", { name });
  }

  /** Types a number and picks a tile, up to the payment. */
  async chooseTopup(digits: string, tile: string): Promise<void> {
    await this.type(digits);
    await this.press("Enter");
    await expect(this.tile(/Q 25\b/)).toBeVisible();
    await this.press(tile);
    await expect(this.primary(/Take payment/)).toBeEnabled();
  }

  /** Sells the first top-up to a number for exact cash. */
  async sellFirstOffer(digits: string): Promise<void> {
    await this.type(digits);
    await this.press("Enter");
    // Buttons of the panel contain amounts too.
    const tiles = this.page.getByRole("main").getByRole("button", { name: /Q 5\b/ });
    await expect(tiles.first()).toBeVisible();
    await this.press("1");
    await expect(this.primary(/Take payment/)).toBeEnabled();
    await this.press("Enter");
  }
}
