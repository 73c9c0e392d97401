import { SECOND } from "../lib/clock.ts";
import type { TestGateway } from "./test-gateway.ts";

/**
 * Performs an owner's steps under "Test and live" before a shop goes live, through the till's API.
 */

const MOST_STEPS = 100;

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came.
  readonly body: any;
}

interface Owner {
  readonly pin: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  until(isSo: () => Promise<boolean>): Promise<void>;
  wait(isSo: () => Promise<boolean>): Promise<unknown>;
}

/** Returns a function that advances the clocks of all gateways in steps until a condition holds. */
export function stepBoth(...gateways: readonly TestGateway[]): Owner["until"] {
  return async (isSo) => {
    for (let step = 0; step < MOST_STEPS; step++) {
      if (await isSo()) return;
      for (const gateway of gateways) await gateway.advance(SECOND);
    }
    throw new Error("the condition did not hold");
  };
}

/** A number to which every sandbox delivers. */
const OWN_NUMBER = "+50251234567";
const CONFIRMED = ["TIME_ZONE_CONFIRMED", "SYNC_READ", "PRICES_SEEN"];

/**
 * Confirms the checks, tries a backup, and makes the first live sale. Requires an upstream, a
 * catalog and a funded wallet.
 * @returns cost of the first sale, minor units of the wallet's currency
 */
export async function walkToLive(owner: Owner): Promise<number> {
  for (const what of CONFIRMED) {
    await done(owner.call("PUT", `/till-environment/confirmations/${what}`));
  }
  // A shop with a PostgreSQL database has no backup check.
  const asked = await readChecks(owner);
  if (asked.some(({ check }) => check === "BACKUP_RESTORED")) await tryBackup(owner);
  return sellFirst(owner);
}

async function tryBackup(owner: Owner): Promise<void> {
  await done(owner.call("POST", "/till-environment/backup-trial"));
  await owner.wait(async () => {
    const { backupTrial } = await done(owner.call("GET", "/till-environment"));
    if (backupTrial?.state === "FAILED") throw new Error(backupTrial.failure);
    return backupTrial === undefined;
  });
}

async function sellFirst(owner: Owner): Promise<number> {
  const number = { recipientPhoneNumber: OWN_NUMBER };
  const { list } = await done(owner.call("POST", "/till-environment/first-sale/offers", number));
  const { offerId, cost } = list[0];
  const sale = { ...number, transactionId: crypto.randomUUID(), offerId, pin: owner.pin };
  await done(owner.call("POST", "/till-environment/first-sale", sale));
  await owner.until(async () => isPassed(await readChecks(owner), "FIRST_SALE"));
  return cost;
}

async function readChecks(owner: Owner): Promise<{ check: string; passed: boolean }[]> {
  const body = { to: "live" };
  return (await done(owner.call("POST", "/till-environment/checks", body))).checks;
}

function isPassed(checks: readonly { check: string; passed: boolean }[], name: string): boolean {
  return checks.some(({ check, passed }) => check === name && passed);
}

async function done(asked: Promise<Answer>) {
  const { status, body } = await asked;
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}
