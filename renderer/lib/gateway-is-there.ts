import { setupOperations } from "../../server/contract/pos/setup.ts";
import { ApiError, call } from "./api-client.ts";

const AGAIN_MS = 1_000;

/**
 * Waits until the gateway answers. A script is loaded after this, because a browser retries a
 * failed script only after the page is reloaded.
 */
export async function gatewayIsThere(): Promise<void> {
  // In development and tests the gateway does not serve the scripts.
  if (!import.meta.env.PROD) {
    return;
  }
  while (!(await gatewayAnswers())) {
    await new Promise((again) => setTimeout(again, AGAIN_MS));
  }
}

export async function gatewayAnswers(): Promise<boolean> {
  try {
    await call(setupOperations.getStatus);
    return true;
  } catch (error) {
    return error instanceof ApiError;
  }
}
