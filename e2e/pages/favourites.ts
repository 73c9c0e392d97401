import type { Locator, Page } from "@playwright/test";

/** The numbers that are known at the counter, and the names they are kept under. */
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

  /** The star beside a number that has no name yet. */
  star(formatted: string): Locator {
    return this.#page
      .getByRole("main")
      .getByRole("listitem")
      .filter({ hasText: formatted })
      .getByRole("button", { name: "Add to favorites" });
  }

  /** The star beside a number with a name. */
  starOf(name: string): Locator {
    return this.#page.getByRole("main").getByRole("button", { name: `Rename ${name}` });
  }

  /** Types the name that is asked for. */
  async write(name: string): Promise<void> {
    await this.#page.getByRole("textbox", { name: /^Name for / }).fill(name);
    await this.#page.keyboard.press("Enter");
  }
}
