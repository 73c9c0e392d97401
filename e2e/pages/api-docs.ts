import type { Locator, Page } from "@playwright/test";

/** The page where integrators try the API. */
export class ApiDocs {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Uses the key for every later call. */
  async authorize(key: string): Promise<void> {
    await this.page.getByRole("button", { name: "Authorize", exact: true }).click();
    const dialog = this.page.locator(".modal-ux");
    await dialog.getByRole("textbox").fill(key);
    await dialog.getByRole("button", { name: /apply credentials/i }).click();
    await dialog.getByRole("button", { name: "Close" }).last().click();
  }

  operation(operationId: string): Locator {
    return this.page.locator(`.opblock[id$="-${operationId}"]`);
  }

  /** Opens an operation and sends its example request. */
  async execute(operationId: string): Promise<Locator> {
    const operation = this.operation(operationId);
    await operation.locator(".opblock-summary-control").click();
    await operation.getByRole("button", { name: "Execute" }).click();
    return operation.locator(".live-responses-table");
  }
}
