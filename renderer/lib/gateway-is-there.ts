import { setupOperations } from "../../server/contract/pos/setup.ts";
import { ApiError, call } from "./api-client.ts";

/** Between two looks. */
const AGAIN_MS = 1_000;

/**
 * Waits until the gateway answers, before a script is asked for. A browser does not ask again for one that it
 * could not fetch once, until the page is loaded anew: a screen or a dialog would be gone for as long.
 */
export async function gatewayIsThere(): Promise<void> {
  // Elsewhere the scripts are not the gateway's.
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
