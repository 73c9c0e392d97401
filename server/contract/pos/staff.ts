import { type Static, Type } from "typebox";
import { Environment, Input, Timestamp } from "../common.ts";
import { LONGEST_STAFF_NAME, Name } from "./name.ts";
import { defineOperation, NOTHING } from "./operation.ts";
import { Pin } from "./pins.ts";
import { Limits, OwnRights, Rights, Role } from "./rights.ts";

const name = Name(LONGEST_STAFF_NAME);

export const StaffName = Type.Object({
  staffId: Type.String(),
  name: Type.String(),
  role: Role,
});
export type StaffName = Static<typeof StaffName>;

/** `GET /pos/staff/names`, public: people on the lock screen. */
export const StaffNames = Type.Object({ list: Type.Array(StaffName) });
export type StaffNames = Static<typeof StaffNames>;

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

/**
 * `POST /pos/staff` (owner). The PIN is valid for the first sign-in, at which the
 * person chooses a new PIN.
 */
export const StaffInput = Input({ name, role: Role, pin: Pin });
export type StaffInput = Static<typeof StaffInput>;

const StaffParams = Input({ staffId: Type.String({ minLength: 1, maxLength: 64 }) });

/**
 * `PATCH /pos/staff/{staffId}` (owner): changes only given fields. A new PIN unlocks the person and
 * ends the person's sessions. A PIN set for another person is valid for one sign-in, at which that
 * person chooses a new PIN. `ownRights` and `limits` replace the earlier values; owners have
 * neither. A new role starts with its default permissions.
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
 * `POST /pos/session`: signs a person in. A person whose PIN was set by an owner must also send a
 * new PIN as `newPin`; otherwise the sign-in is refused with PIN_DUE.
 */
export const SignInInput = Input({
  staffId: Type.String({ minLength: 1, maxLength: 64 }),
  pin: Pin,
  newPin: Type.Optional(Pin),
});
export type SignInInput = Static<typeof SignInInput>;

/** Notices that a person sees once, after signing in. */
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

/** `GET` and `POST /pos/session`: the signed-in person, environment and permissions. */
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

/** `PUT /pos/session/pin`: changes the person's PIN and ends the person's other sessions. */
const PinChange = Input({ pin: Pin });

/** `DELETE /pos/session`: signs out. The reason is `idle` if the idle lock caused it. */
const SignOutQuery = Input({ reason: Type.Optional(Type.Literal("idle")) });

/**
 * `POST /pos/session/training`: switches training on or off. Training sells
 * in the test environment.
 */
const TrainingInput = Input({ on: Type.Boolean() });

export const staffOperations = {
  listNames: defineOperation({
    method: "GET",
    path: "/staff/names",
    answer: StaffNames,
    access: "anyone",
  }),
  list: defineOperation({
    method: "GET",
    path: "/staff",
    answer: StaffList,
    access: "owner",
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
  }),
  signOut: defineOperation({
    method: "DELETE",
    path: "/session",
    query: SignOutQuery,
    answer: NOTHING,
    access: "staff",
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
   * Confirms by the PIN that the person at the till is the signed-in owner. The desktop program
   * requires this before kiosk mode ends.
   */
  confirm: defineOperation({
    method: "POST",
    path: "/session/confirmation",
    answer: NOTHING,
    access: "owner",
    asksPin: "always",
  }),
  train: defineOperation({
    method: "POST",
    path: "/session/training",
    body: TrainingInput,
    answer: PosSession,
    access: "seller",
  }),
  /** The till reports activity, at most every few seconds. */
  touch: defineOperation({
    method: "POST",
    path: "/session/activity",
    answer: NOTHING,
    access: "staff",
  }),
};
