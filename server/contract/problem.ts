import { ERROR_STATUS, type ErrorCode } from "./error-codes.ts";

/**
 * An error on which a caller can act. A thrown Problem rolls back the surrounding transaction. The
 * HTTP layer converts it to the status of its code and a `dto.ResponseError` body.
 */
export class Problem extends Error {
  readonly errorCode: ErrorCode;
  readonly fields: Record<string, string>;

  constructor(errorCode: ErrorCode, message: string, fields: Record<string, string> = {}) {
    super(message);
    this.errorCode = errorCode;
    this.fields = fields;
  }

  get status(): number {
    return ERROR_STATUS[this.errorCode];
  }

  /** Pause that a client makes after 503, in seconds. */
  get retryAfter_s(): number {
    return 1;
  }
}

/** INVALID_REQUEST for one field. The rule completes a sentence that starts with the field's name. */
export function invalidField(field: string, rule: string): Problem {
  const message = `${field} ${rule}${rule.endsWith(".") ? "" : "."}`;
  return new Problem("INVALID_REQUEST", message, { [field]: rule });
}

/**
 * INVALID_REQUEST for several fields, each with its rule. None if no field is invalid.
 * @param subject the request in a sentence, such as "The schedule"
 */
export function refuseFields(subject: string, fields: Record<string, string>): void {
  const names = Object.keys(fields);
  if (names.length === 0) return;
  throw new Problem("INVALID_REQUEST", `${subject} not valid: ${names.join(", ")}.`, fields);
}

/** SYSTEM_UNAVAILABLE for a failure that lasts, so that clients repeat their requests less often. */
export class LastingProblem extends Problem {
  constructor(message: string, fields: Record<string, string> = {}) {
    super("SYSTEM_UNAVAILABLE", message, fields);
  }

  override get retryAfter_s(): number {
    return 60;
  }
}
