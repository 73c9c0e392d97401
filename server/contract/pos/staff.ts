import { type Static, Type } from "typebox";
import { Input, Timestamp } from "../common.ts";
import { LONGEST_STAFF_NAME, Name } from "./name.ts";
import { Pin } from "./setup.ts";

const ROLES = ["clerk", "owner"] as const;
export const Role = Type.Enum(ROLES);
export type Role = Static<typeof Role>;

const name = Name(LONGEST_STAFF_NAME);

/** Somebody who can be chosen on the sign-in screen. */
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
});
export type StaffMember = Static<typeof StaffMember>;
export const StaffList = Type.Object({ list: Type.Array(StaffMember) });
export type StaffList = Static<typeof StaffList>;

/** `POST /pos/staff` (owner). */
export const StaffInput = Input({ name, role: Role, pin: Pin });
export type StaffInput = Static<typeof StaffInput>;

/** `PATCH /pos/staff/{staffId}` (owner): what is given is changed. A new PIN unlocks and signs out. */
export const StaffChange = Input({
  name: Type.Optional(name),
  role: Type.Optional(Role),
  pin: Type.Optional(Pin),
  active: Type.Optional(Type.Boolean()),
});
export type StaffChange = Static<typeof StaffChange>;

/** `POST /pos/session`: sign in. */
export const SignInInput = Input({
  staffId: Type.String({ minLength: 1, maxLength: 64 }),
  pin: Pin,
});
export type SignInInput = Static<typeof SignInInput>;

/** `GET|POST /pos/session`: who is signed in. */
export const PosSession = Type.Object({ staff: StaffName, expiresAt: Timestamp });
export type PosSession = Static<typeof PosSession>;
