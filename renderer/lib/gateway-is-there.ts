import { setupOperations } from "../../server/contract/pos/setup.ts";
import { ApiError, call } from "./api-client.ts";

/** Interval between attempts. */
const AGAIN_MS = 1_000;

/**
 * Waits until the gateway answers before a script is loaded. A browser does not retry a failed script until
 * the page is reloaded, and the screen or dialog would be missing that long.
 */
export async function gatewayIsThere(): Promise<void> {
  // In development and tests the gateway does not serve the scripts.
  if (!import.meta.env.PROD) {
    return;
  }
  while (!(await answers())) {
    await new Promise((again) => setTimeout(again, AGAIN_MS));
  }
}

async function answers(): Promise<boolean> {
  try {
    await call(setupOperations.getStatus);
    return true;
  } catch (error) {
    return error instanceof ApiError;
  }
}
