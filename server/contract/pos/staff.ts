import { type Static, Type } from "typebox";
import { Environment, Input, Timestamp } from "../common.ts";
import { LONGEST_STAFF_NAME, Name } from "./name.ts";
import { defineOperation, NOTHING } from "./operation.ts";
import { Pin } from "./pins.ts";
import { Limits, OwnRights, Rights, Role } from "./rights.ts";

const name = Name(LONGEST_STAFF_NAME);

/** A person on the sign-in screen. */
export const StaffName = Type.Object({
  staffId: Type.String(),
  name: Type.String(),
  role: Role,
});
export type StaffName = Static<typeof StaffName>;

/** `GET /pos/staff/names`, public: people on the lock screen. */
export const StaffNames = Type.Object({ list: Type.Array(StaffName) });
export type StaffNames = Static<typeof StaffNames>;

/** A member of staff as the owner sees them. */
export const StaffMember = Type.Object({
  staffId: Type.String(),
  name: Type.String(),
  role: Role,
  active: Type.Boolean(),
  createdAt: Timestamp,
  pinDue: Type.Optional(
    Type.Boolean({ description: "True if they still have the PIN from an owner" }),
  ),
  rights: Rights,
  ownRights: OwnRights,
  limits: Limits,
});
export type StaffMember = Static<typeof StaffMember>;
const StaffList = Type.Object({ list: Type.Array(StaffMember) });

/** `POST /pos/staff` (owner). The PIN is valid for the first sign-in, where the person chooses their own. */
export const StaffInput = Input({ name, role: Role, pin: Pin });
export type StaffInput = Static<typeof StaffInput>;

const StaffParams = Input({ staffId: Type.String({ minLength: 1, maxLength: 64 }) });

/**
 * `PATCH /pos/staff/{staffId}` (owner): only given fields change. A new PIN unlocks the person and ends their
 * sessions; another person's PIN is valid for one sign-in, where they choose their own. `ownRights` and
 * `limits` replace the earlier ones; an owner has neither. A new role starts with its default permissions.
 */
export const StaffChange = Input({
  name: Type.Optional(name),
  role: Type.Optional(Role),
  pin: Type.Optional(Pin),
  active: Type.Optional(Type.Boolean()),
  ownRights: Type.Optional(OwnRights),
  limits: Type.Optional(Limits),
});
export type StaffChange = Static<typeof StaffChange>;

/**
 * `POST /pos/session`: sign in. With a PIN from an owner, the person also sends their own as `newPin`;
 * without it the sign-in is refused with PIN_DUE.
 */
export const SignInInput = Input({
  staffId: Type.String({ minLength: 1, maxLength: 64 }),
  pin: Pin,
  newPin: Type.Optional(Pin),
});
export type SignInInput = Static<typeof SignInInput>;

/** Notices that a person sees once, at sign-in. */
export const SignInNotices = Type.Object({
  wrongPins: Type.Optional(
    Type.Integer({
      description: "Wrong PINs for the person since the last sign-in, except typing errors",
    }),
  ),
  weakPin: Type.Optional(
    Type.Enum(["EASY", "SHORT"], { description: "Reason why their PIN would be refused today" }),
  ),
  wrongPinsOf: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() }), {
      description: "For owners: others with many wrong PINs since the owner's last sign-in",
    }),
  ),
});
export type SignInNotices = Static<typeof SignInNotices>;

/** `GET|POST /pos/session`: the signed-in person, their environment and permissions. */
export const PosSession = Type.Object({
  staff: StaffName,
  expiresAt: Timestamp,
  environment: Environment,
  training: Type.Boolean({ description: "True for training: nothing real is sold" }),
  rights: Rights,
  limits: Limits,
  notices: Type.Optional(SignInNotices),
});
export type PosSession = Static<typeof PosSession>;

/** `PUT /pos/session/pin`: the person changes their PIN; their other sessions end. */
const PinChange = Input({ pin: Pin });

/** `DELETE /pos/session`: signs out; `idle` if the idle lock caused it. */
const SignOutQuery = Input({ reason: Type.Optional(Type.Literal("idle")) });

/** `POST /pos/session/training`: sells in the test environment until it is switched off. */
const TrainingInput = Input({ on: Type.Boolean() });

/** Staff: names for the lock screen, everything for the owner. */
export const staffOperations = {
  listNames: defineOperation({
    method: "GET",
    path: "/staff/names",
    answer: StaffNames,
    access: "anyone",
    refusals: [],
  }),
  list: defineOperation({
    method: "GET",
    path: "/staff",
    answer: StaffList,
    access: "owner",
    refusals: [],
  }),
  add: defineOperation({
    method: "POST",
    path: "/staff",
    body: StaffInput,
    answer: StaffMember,
    access: "owner",
    asksPin: "always",
    refusals: ["NAME_TAKEN", "PIN_WEAK"],
  }),
  change: defineOperation({
    method: "PATCH",
    path: "/staff/:staffId",
    params: StaffParams,
    body: StaffChange,
    answer: StaffMember,
    access: "owner",
    asksPin: "always",
    refusals: ["NOT_FOUND", "NAME_TAKEN", "PIN_WEAK", "LAST_OWNER"],
  }),
};

/** Sign-in, sign-out, training and activity. */
export const sessionOperations = {
  signIn: defineOperation({
    method: "POST",
    path: "/session",
    body: SignInInput,
    answer: PosSession,
    access: "anyone",
    refusals: ["PIN_WRONG", "PIN_LOCKED", "PIN_KEY_MISSING", "PIN_DUE", "PIN_WEAK"],
  }),
  get: defineOperation({
    method: "GET",
    path: "/session",
    answer: PosSession,
    access: "staff",
    refusals: [],
  }),
  signOut: defineOperation({
    method: "DELETE",
    path: "/session",
    query: SignOutQuery,
    answer: NOTHING,
    access: "staff",
    refusals: [],
  }),
  changePin: defineOperation({
    method: "PUT",
    path: "/session/pin",
    body: PinChange,
    answer: NOTHING,
    access: "staff",
    asksPin: "always",
    refusals: ["PIN_WEAK"],
  }),
  /**
   * Confirms that the owner at the till is the signed-in one: the desktop program requires it before kiosk
   * mode ends.
   */
  confirm: defineOperation({
    method: "POST",
    path: "/session/confirmation",
    answer: NOTHING,
    access: "owner",
    asksPin: "always",
    refusals: [],
  }),
  train: defineOperation({
    method: "POST",
    path: "/session/training",
    body: TrainingInput,
    answer: PosSession,
    access: "seller",
    refusals: [],
  }),
  /** Sent by the till on activity, at most every few seconds. */
  touch: defineOperation({
    method: "POST",
    path: "/session/activity",
    answer: NOTHING,
    access: "staff",
    refusals: [],
  }),
};
