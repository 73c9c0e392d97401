import type { Locator, Page } from "@playwright/test";

export class ApiDocs {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

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

  async execute(operationId: string): Promise<Locator> {
    const operation = this.operation(operationId);
    await operation.locator(".opblock-summary-control").click();
    await operation.getByRole("button", { name: "Execute" }).click();
    return operation.locator(".live-responses-table");
  }
}
