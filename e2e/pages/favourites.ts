import type { Locator, Page } from "@playwright/test";

/** Known numbers at the counter, and their names. */
export class Favourites {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** A number in the list, by its name. */
  row(name: string): Locator {
    return this.#page.getByRole("listitem").filter({
      has: this.#page.getByText(name, { exact: true }),
    });
  }

  /** The star of a number without a name. */
  star(formatted: string): Locator {
    return this.#page
      .getByRole("main")
      .getByRole("listitem")
      .filter({ hasText: formatted })
      .getByRole("button", { name: "Add to favorites" });
  }

  starOf(name: string): Locator {
    return this.#page.getByRole("main").getByRole("button", { name: `Rename ${name}` });
  }

  /** Types the requested name. */
  async write(name: string): Promise<void> {
    await this.#page.getByRole("textbox", { name: /^Name for / }).fill(name);
    await this.#page.keyboard.press("Enter");
  }
}
