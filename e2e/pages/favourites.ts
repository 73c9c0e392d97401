import type { Locator, Page } from "@playwright/test";

export class Favourites {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  row(name: string): Locator {
    return this.#page.getByRole("listitem").filter({
      has: this.#page.getByText(name, { exact: true }),
    });
  }

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

  async write(name: string): Promise<void> {
    await this.#page.getByRole("textbox", { name: /^Name for / }).fill(name);
    await this.#page.keyboard.press("Enter");
  }
}
