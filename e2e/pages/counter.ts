import { expect, type Locator, type Page } from "@playwright/test";

/** Within this time a digit may still turn out to be the first of a number. */
const LOOK_MS = 350;
const SECONDS_PER_DIGIT = 0.001;

/** The main screen, used with the keyboard. Counts the keys that are pressed. */
export class Counter {
  readonly page: Page;
  readonly number: Locator;
  readonly panel: Locator;
  /** Keys pressed since the last `resetKeys`, digits of the number included. */
  keys = 0;
  #wasDigit = false;
  #wasLetter = false;

  constructor(page: Page) {
    this.page = page;
    this.number = page.getByRole("textbox", { name: "Number, name or product" });
    this.panel = page.getByRole("complementary", { name: "Sale" });
  }

  async isReady(): Promise<void> {
    await expect(this.number).toBeVisible();
  }

  /** Begins training, and waits until all that is shown is of it. */
  async train(): Promise<void> {
    const isThere = this.page.waitForResponse(/\/pos\/shifts\/current/);
    await this.page.getByRole("button", { name: "Practise", exact: true }).click();
    await isThere;
    await this.isReady();
  }

  /** Each digit that is named alone is a choice of its own, by a clerk who saw the tiles before it. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      if (isDigit(key) && (this.#wasDigit || this.#wasLetter)) {
        await this.page.waitForTimeout(LOOK_MS);
      }
      await this.#press(key);
    }
  }

  /**
   * Types digits anywhere, without a look at the screen between them; after one that was a choice of
   * its own, with the look of a clerk who saw what it chose.
   */
  async type(digits: string): Promise<void> {
    if (this.#wasDigit) {
      await this.page.waitForTimeout(LOOK_MS);
    }
    if (/^\d+$/.test(digits)) {
      return this.#typeQuickly(digits);
    }
    for (const digit of digits) {
      await this.#press(digit);
    }
  }

  /** Digits as fast as a clerk types them, however slow this machine is: each says when it was typed. */
  async #typeQuickly(digits: string): Promise<void> {
    const devtools = await this.page.context().newCDPSession(this.page);
    const began = Date.now() / 1_000;
    for (const [index, digit] of [...digits].entries()) {
      const key = { key: digit, code: `Digit${digit}`, windowsVirtualKeyCode: digit.charCodeAt(0) };
      const timestamp = began + index * SECONDS_PER_DIGIT;
      await devtools.send("Input.dispatchKeyEvent", {
        type: "keyDown",
        text: digit,
        ...key,
        timestamp,
      });
      await devtools.send("Input.dispatchKeyEvent", { type: "keyUp", ...key, timestamp });
    }
    await devtools.detach();
    this.#wasDigit = true;
    this.keys += digits.length;
  }

  async #press(key: string): Promise<void> {
    this.#wasDigit = isDigit(key);
    this.#wasLetter = /^\p{L}$/u.test(key);
    await this.page.keyboard.press(key);
    this.keys++;
  }

  /** A look at what the last key led to. */
  async look(): Promise<void> {
    await this.page.waitForTimeout(LOOK_MS);
  }

  tile(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name });
  }

  primary(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name });
  }

  /** Number and the tile with this digit, as far as the payment. */
  async chooseTopup(digits: string, tile: string): Promise<void> {
    await this.type(digits);
    await this.press("Enter");
    await expect(this.tile(/Q 25\b/)).toBeVisible();
    await this.press(tile);
    await expect(this.primary(/Take payment/)).toBeEnabled();
  }

  /** Number, first top-up, exact cash. */
  async sellFirstOffer(digits: string): Promise<void> {
    await this.type(digits);
    await this.press("Enter");
    // The panel has amounts on its buttons too.
    const tiles = this.page.getByRole("main").getByRole("button", { name: /Q 5\b/ });
    await expect(tiles.first()).toBeVisible();
    await this.press("1");
    await expect(this.primary(/Take payment/)).toBeEnabled();
    await this.press("Enter");
  }
}

function isDigit(key: string): boolean {
  return /^[0-9]$/.test(key);
}
