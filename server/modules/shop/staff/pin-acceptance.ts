import type { Tx } from "../../../db/database.ts";
import type { Ids } from "../../../lib/ids.ts";
import { deviceOf } from "../../../lib/place.ts";
import { isKnownDevice, markDevice } from "./device-store.ts";
import { findActive, type Proven, type Typed, takeBackRight, wrongPin } from "./pin-check.ts";
import { renewHash, type StaffRow } from "./staff-store.ts";

const DEVICE_TOKEN_BYTES = 32;

/**
 * Takes the guess back that was right, in the transaction of what it was typed for. The wrong ones
 * before it stay counted, but for those in a row.
 * @throws Problem PIN_WRONG where the PIN was changed, or the person left, while it was checked
 */
export async function acceptGuess(tx: Tx, proven: Proven): Promise<void> {
  const { staff, hash } = proven;
  await requireUnchanged(tx, staff, hash);
  await takeBackRight(tx, proven);
  if (hash !== staff.pin_hash) await renewHash(tx, staff, hash);
}

/**
 * Accepts a right PIN; the device is one of the person's from now on.
 * @returns the token of a cookie for a browser that is not known yet
 * @throws Problem PIN_WRONG where the PIN was changed, or the person left, while it was checked
 */
export async function acceptPin(
  tx: Tx,
  proven: Proven,
  { at, ids }: { at: number; ids: Ids },
): Promise<string | undefined> {
  const { accountId, staffId } = proven.guess;
  await acceptGuess(tx, proven);
  return rememberDevice(tx, { accountId, staffId, place: proven.place }, { at, ids });
}

/**
 * The device is one of the person's from now on.
 * @returns the token of a cookie for a browser that is not known yet
 */
export async function rememberDevice(
  tx: Tx,
  { accountId, staffId, place }: Omit<Typed, "pin">,
  { at, ids }: { at: number; ids: Ids },
): Promise<string | undefined> {
  // A cookie that was not made here may be known to others, who would share its tries.
  const known = place.device;
  if (
    known !== undefined &&
    (place.enrolled !== undefined || (await isKnownDevice(tx, { accountId, device: known })))
  ) {
    await markDevice(tx, { accountId, staffId, device: known }, at);
    return undefined;
  }
  const token = ids.secret(DEVICE_TOKEN_BYTES);
  await markDevice(tx, { accountId, staffId, device: deviceOf(token) }, at);
  return token;
}

/** A check takes some tenths of a second, in which an owner may have made the PIN worthless. */
async function requireUnchanged(tx: Tx, checked: StaffRow, hash: string): Promise<void> {
  const { account_id: accountId, staff_id: staffId, pin_hash } = checked;
  const now = await findActive(tx, { accountId, staffId });
  // Two tills at once may have begun to keep the same PIN in another form: that is no other PIN.
  const isKeptAnew = hash !== pin_hash;
  if (now.pin_hash !== pin_hash && !isKeptAnew) throw wrongPin();
}
