import { expect, type Locator, type Page } from "@playwright/test";

/** Operates the counter by touch only. Can press only visible elements. */
export class Touch {
  readonly page: Page;
  readonly main: Locator;
  readonly pay: Locator;

  constructor(page: Page) {
    this.page = page;
    this.main = page.getByRole("main");
    this.pay = page.getByRole("button", { name: /^Take / });
  }

  async signIn(url: string, name: string, pin: string): Promise<void> {
    await this.page.goto(url);
    await this.page.getByRole("button", { name }).tap();
    for (const digit of pin) await this.key(digit);
    await this.page.getByRole("button", { name: "Sign in" }).tap();
    await expect(this.next).toBeVisible();
  }

  async key(name: string): Promise<void> {
    await this.page.getByRole("button", { name, exact: true }).tap();
  }

  async type(keys: string): Promise<void> {
    const number = this.page.getByRole("textbox", { name: "Number, name, product or barcode" });
    const first = this.page.getByRole("button", { name: keys.slice(0, 1), exact: true });
    // On a phone the keypad opens with the field.
    if ((await number.isVisible()) && !(await first.isVisible())) await number.tap();
    for (const key of keys) await this.key(key);
  }

  async write(field: Locator, text: string): Promise<void> {
    await field.tap();
    const keyboard = this.page.locator("[data-screen-keyboard]");
    await expect(keyboard).toBeVisible();
    for (const letter of text) {
      const key = letter === " " ? "Space" : letter;
      const isThere = await keyboard.getByRole("button", { name: key, exact: true }).count();
      // Digits are beside the letters, or on a separate page in narrow windows.
      if (isThere === 0) await keyboard.getByRole("button", { name: /^(123|@#|abc)$/ }).tap();
      await keyboard.getByRole("button", { name: key, exact: true }).tap();
    }
  }

  get next(): Locator {
    return this.page.getByRole("complementary", { name: "Current sale" }).locator("[data-primary]");
  }

  async goTo(destination: string): Promise<void> {
    await this.page
      .getByRole("navigation", { name: "Main menu" })
      .getByRole("link", { name: destination })
      .tap();
  }

  async open(family: string): Promise<void> {
    await this.page
      .getByRole("group", { name: "Product type" })
      .getByRole("button", { name: family })
      .tap();
  }

  async pick(name: string | RegExp): Promise<void> {
    await this.main.getByRole("button", { name }).first().tap();
  }

  async goOn(name: string | RegExp): Promise<void> {
    await this.page.getByRole("button", { name }).tap();
  }

  async expectToldWhatIsPaid(...words: readonly (string | RegExp)[]): Promise<void> {
    await expect(this.pay).toBeInViewport({ ratio: 1 });
    for (const word of words) {
      const told = this.page.getByText(word).filter({ visible: true });
      await expect(async () => {
        const isSeen = await told.evaluateAll((all) =>
          all.some((element) => {
            // Checks the first line of the text: the middle of a box with several lines may belong
            // to another element.
            const { top, bottom, left, right } =
              element.getClientRects()[0] ?? element.getBoundingClientRect();
            const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            return (
              top >= 0 &&
              bottom <= innerHeight &&
              left >= 0 &&
              right <= innerWidth &&
              found !== null &&
              (element.contains(found) || found.contains(element))
            );
          }),
        );
        expect(isSeen, `${word} is in sight`).toBe(true);
      }).toPass({ timeout: 5_000 });
    }
  }
}
