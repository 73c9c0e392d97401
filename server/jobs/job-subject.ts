import { ENVIRONMENTS } from "../contract/common.ts";
import { NO_ACCOUNT } from "../db/account-lock.ts";
import type { Scope } from "../db/changes.ts";

const SEPARATOR = "/";

/**
 * Encodes a job's subject: an id within an account and environment.
 * @param id not empty; any character is allowed
 * @throws RangeError if the text could not be decoded
 */
export function encodeSubject(scope: Scope, id: string): string {
  if (id === "") throw new RangeError("the subject of a job has an empty id");
  return `${encodeScope(scope)}${SEPARATOR}${id}`;
}

/** @throws RangeError for a text not written by `encodeSubject` */
export function decodeSubject(subject: string): { scope: Scope; id: string } {
  const [accountId = "", environment = "", ...rest] = subject.split(SEPARATOR);
  const id = rest.join(SEPARATOR);
  const scope = toScope(accountId, environment);
  if (!scope || id === "") throw unreadable(subject, "account/environment/id");
  return { scope, id };
}

/**
 * Encodes the subject of a job for an account and environment as a whole.
 * @throws RangeError if the text could not be decoded
 */
export function encodeScope({ accountId, environment }: Scope): string {
  if (!toScope(accountId, environment) || accountId.includes(SEPARATOR)) {
    throw new RangeError(`not the scope of a job: ${JSON.stringify({ accountId, environment })}`);
  }
  return `${accountId}${SEPARATOR}${environment}`;
}

/** @throws RangeError for a text not written by `encodeScope` */
export function decodeScope(subject: string): Scope {
  const [accountId = "", environment = "", ...rest] = subject.split(SEPARATOR);
  const scope = toScope(accountId, environment);
  if (!scope || rest.length > 0) throw unreadable(subject, "account/environment");
  return scope;
}

/**
 * Returns the common prefix of the subjects of an account and environment. An unreadable subject
 * gets its own lane, so that only its own job fails.
 */
export function laneOfSubject(subject: string): string {
  const [accountId = "", environment = "", ...rest] = subject.split(SEPARATOR);
  const isReadable = toScope(accountId, environment) !== undefined && rest.length > 0;
  return isReadable ? `${accountId}${SEPARATOR}${environment}${SEPARATOR}` : subject;
}

export function accountOfSubject(subject: string): string | typeof NO_ACCOUNT {
  const [accountId = "", environment = ""] = subject.split(SEPARATOR);
  return toScope(accountId, environment)?.accountId ?? NO_ACCOUNT;
}

function toScope(accountId: string, text: string): Scope | undefined {
  const environment = ENVIRONMENTS.find((one) => one === text);
  return accountId === "" || !environment ? undefined : { accountId, environment };
}

function unreadable(subject: string, form: string): RangeError {
  return new RangeError(`not the subject of a job, ${form}: ${JSON.stringify(subject)}`);
}
