import { expect, type Locator, type Page } from "@playwright/test";

export class GoingLive {
  readonly page: Page;
  readonly main: Locator;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.main = page.getByRole("main");
    this.dialog = page.getByRole("dialog");
  }

  async open(): Promise<void> {
    await expect(this.page.getByRole("navigation").first()).toBeVisible();
    await this.page.keyboard.press("Alt+t");
    await expect(this.page.getByRole("heading", { name: "Go live", level: 1 })).toBeVisible();
  }

  get testMode(): Locator {
    return this.main.getByRole("strong").filter({ hasText: /^Test mode$/ });
  }

  get toDo(): Locator {
    return this.main.locator("li[data-kind=stops]");
  }

  row(words: string | RegExp): Locator {
    return this.main.locator("li[data-kind]").filter({ hasText: words });
  }

  done(words: string | RegExp): Locator {
    return this.main.locator("li[data-kind=passed]").filter({ hasText: words });
  }

  async show(view: string): Promise<void> {
    await this.button(view).click();
  }

  button(name: string): Locator {
    return this.main.getByRole("button", { name, exact: true });
  }

  async checkAgain(): Promise<void> {
    await this.button("Check again").click();
  }

  async goLive(shopName: string, pin: string): Promise<void> {
    await this.button("Go live").click();
    await this.page.keyboard.type(shopName);
    await this.dialog.getByLabel("Your PIN").fill(pin);
    await this.page.keyboard.press("Enter");
  }

  async endTrial(pin: string): Promise<void> {
    await this.button("End the pilot").click();
    await this.dialog.getByLabel("Your PIN").fill(pin);
    await this.page.keyboard.press("Enter");
    await expect(this.dialog).toHaveCount(0);
  }

  async goBack(pin: string): Promise<void> {
    await this.button("Back to test mode").click();
    await expect(this.dialog).toBeVisible();
    await this.page.keyboard.type(pin);
    await this.page.keyboard.press("Enter");
  }
}

export async function closeShifts(page: Page): Promise<void> {
  const pos = `${new URL(page.url()).origin}/pos`;
  const { list } = await (await page.request.get(`${pos}/shifts`)).json();
  const { shift: own } = await (await page.request.get(`${pos}/shifts/current`)).json();
  for (const { shift } of list) {
    const isOwn = shift.shiftId === own?.shiftId;
    const action = isOwn ? "close" : "force-close";
    const data = { counted: 0, ...(isOwn && { leaveUnfinished: true }) };
    const closed = await page.request.post(`${pos}/shifts/${shift.shiftId}/${action}`, { data });
    expect(closed.ok(), await closed.text()).toBe(true);
  }
}
