import { type Static, Type } from "typebox";
import { Environment, Input, Timestamp } from "../common.ts";
import { LONGEST_STAFF_NAME, Name } from "./name.ts";
import { Limits, OwnRights, Rights, Role } from "./rights.ts";
import { Pin } from "./setup.ts";

const name = Name(LONGEST_STAFF_NAME);

/** A person who can be chosen on the sign-in screen. */
export const StaffName = Type.Object({
  staffId: Type.String(),
  name: Type.String(),
  role: Role,
});
export type StaffName = Static<typeof StaffName>;

/** `GET /pos/staff/names`, public: the faces on the lock screen. */
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
    Type.Boolean({ description: "They still have the PIN that an owner gave them" }),
  ),
  rights: Rights,
  ownRights: OwnRights,
  limits: Limits,
});
export type StaffMember = Static<typeof StaffMember>;
export const StaffList = Type.Object({ list: Type.Array(StaffMember) });
export type StaffList = Static<typeof StaffList>;

/** `POST /pos/staff` (owner). The PIN is good for the person's first sign-in, where they choose their own. */
export const StaffInput = Input({ name, role: Role, pin: Pin });
export type StaffInput = Static<typeof StaffInput>;

export const StaffParams = Input({ staffId: Type.String({ minLength: 1, maxLength: 64 }) });

/**
 * `PATCH /pos/staff/{staffId}` (owner): what is given is changed. A new PIN unlocks and signs out;
 * another person's is good for one sign-in, at which they choose their own.
 * `ownRights` and `limits` replace what was set before; an owner has neither. Another role begins
 * with the rights of that role.
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
 * `POST /pos/session`: sign in. With a PIN that an owner gave them, the person also chooses their own,
 * `newPin`: without it they are refused with PIN_DUE, and nobody is signed in.
 */
export const SignInInput = Input({
  staffId: Type.String({ minLength: 1, maxLength: 64 }),
  pin: Pin,
  newPin: Type.Optional(Pin),
});
export type SignInInput = Static<typeof SignInInput>;

/** What a person reads once, as they sign in. */
export const SignInNotices = Type.Object({
  wrongPins: Type.Optional(
    Type.Integer({
      description: "Wrong PINs for them since they last signed in, but those mistyped",
    }),
  ),
  weakPin: Type.Optional(
    Type.Enum(["EASY", "SHORT"], { description: "Why their PIN could not be chosen today" }),
  ),
  wrongPinsOf: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() }), {
      description: "For an owner: of others who had many since the owner last signed in",
    }),
  ),
});
export type SignInNotices = Static<typeof SignInNotices>;

/** `GET|POST /pos/session`: who is signed in, where they sell, and what they may do themselves. */
export const PosSession = Type.Object({
  staff: StaffName,
  expiresAt: Timestamp,
  environment: Environment,
  training: Type.Boolean({ description: "Nothing real is sold, whatever the shop does" }),
  rights: Rights,
  limits: Limits,
  notices: Type.Optional(SignInNotices),
});
export type PosSession = Static<typeof PosSession>;

/** `PUT /pos/session/pin`: the person chooses another PIN; their other sessions end. */
export const PinChange = Input({ pin: Pin });

/** `DELETE /pos/session`: signs out; `idle` when the till locked because nobody touched it. */
export const SignOutQuery = Input({ reason: Type.Optional(Type.Literal("idle")) });

/** `POST /pos/session/training`: sell in the test environment until it is switched off. */
export const TrainingInput = Input({ on: Type.Boolean() });
export type TrainingInput = Static<typeof TrainingInput>;
