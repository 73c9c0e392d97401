import type { Page } from "@playwright/test";

/** Delays matching requests until the returned function is called. */
export async function holdAnswers(page: Page, path: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await promise;
    await route.continue().catch(() => {});
  });
  return resolve;
}

export async function failAnswers(page: Page, path: RegExp): Promise<void> {
  const body = { errorCode: "INTERNAL_ERROR", message: "Something went wrong." };
  await page.route(path, (route) => route.fulfill({ status: 500, json: body }));
}
