import { FieldReader } from "../field-reader.ts";

export interface ReloadlyRefusal {
  /** Empty if the body states none. */
  errorCode: string;
  message: string;
  /** True if only the token was refused, so that the request was not processed. */
  isOfToken: boolean;
}

const LONGEST_MESSAGE = 200;

/**
 * Reads the error of a response, `{timeStamp, message, path, errorCode, infoLink, details}`.
 * Returns undefined for success, and for a body without an error.
 * @param secret removed from the message
 */
export function readReloadlyRefusal(
  { status, body }: { status: number; body: unknown },
  secret: string,
): ReloadlyRefusal | undefined {
  if (status < 400) return undefined;
  const reader = new FieldReader(body);
  const errorCode = reader.text("errorCode").toUpperCase();
  const stated = reader.text("message") || reader.text("error_description");
  const isClear = status === 401 || status === 429;
  if (!isClear && errorCode === "" && stated === "") return undefined;
  const words = stated.replaceAll(secret, "…").replace(/\p{C}+/gu, " ");
  const message = words === "" ? `It answers ${status}.` : words.slice(0, LONGEST_MESSAGE);
  return { errorCode, message, isOfToken: status === 401 };
}
