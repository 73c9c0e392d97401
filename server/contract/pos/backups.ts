import { type Static, Type } from "typebox";
import { ClientId, Environment, Input, MinorAmount, PLAIN_TEXT, Timestamp } from "../common.ts";
import { defineOperation } from "./operation.ts";
import { Pin } from "./pins.ts";

const BackupName = Type.String({
  minLength: 1,
  maxLength: 255,
  ...PLAIN_TEXT,
  description: "the name of a backup in the list, such as tillgate-20261120T120000Z.backup",
});

/** Long-running work with backups. Only one runs at a time. LOOK inspects a backup. */
const BACKUP_WORK = ["MAKE", "VERIFY", "LOOK"] as const;
const BackupWorkKind = Type.Enum(BACKUP_WORK);
export type BackupWorkKind = Static<typeof BackupWorkKind>;

export const BackupWorkInput = Input({
  kind: BackupWorkKind,
  name: Type.Optional(BackupName),
});
export type BackupWorkInput = Static<typeof BackupWorkInput>;

/** Contents of a backup's signed header. */
export const BackupAbout = Type.Object({
  shopName: Type.String({ description: "Empty if no shop was set up" }),
  environment: Type.Optional(Environment),
  engine: Type.Literal("sqlite"),
  takenAt: Timestamp,
});
export type BackupAbout = Static<typeof BackupAbout>;

/** Contents of a backup, as they would be after a restore. */
export const BackupView = Type.Object({
  wallets: Type.Array(
    Type.Object({
      environment: Environment,
      currency: Type.String(),
      currencyDivisor: Type.Integer(),
      available: MinorAmount,
      held: MinorAmount,
    }),
  ),
  sales: Type.Integer({ description: "Number of sales without training" }),
  newestSale: Type.Optional(
    Type.Object({
      saleNumber: Type.Integer(),
      environment: Environment,
      createdAt: Timestamp,
      total: MinorAmount,
      currency: Type.String(),
      currencyDivisor: Type.Integer(),
    }),
  ),
});
export type BackupView = Static<typeof BackupView>;

/**
 * UNREADABLE: its disk is gone or fails. COPY_MISSING, COPY_DAMAGED: a backup on which this
 * increment builds. OTHER_KEY: another key file encrypted it. BOOKS: its accounts do not balance.
 * DISK_FULL, FAILED: an error of the computer that restores it.
 */
export const BACKUP_FAULTS = [
  "NOT_A_BACKUP",
  "DAMAGED",
  "UNREADABLE",
  "NEWER",
  "OLDER",
  "COPY_MISSING",
  "COPY_DAMAGED",
  "OTHER_SHOP",
  "OTHER_KEY",
  "BOOKS",
  "UNSIGNED",
  "DISK_FULL",
  "FAILED",
] as const;

/** Reason why a backup cannot be restored. Fields of a refused restore have the same names. */
export const BackupFault = Type.Object({
  kind: Type.Enum(BACKUP_FAULTS),
  copy: Type.Optional(Type.String({ description: "File name of the missing or damaged copy" })),
  copyAt: Type.Optional(Timestamp),
  shop: Type.Optional(Type.String({ description: "OTHER_SHOP: name of the backup's shop" })),
  whole: Type.Optional(Type.String({ description: "File name of the newest complete backup" })),
  wholeAt: Type.Optional(Timestamp),
});
export type BackupFault = Static<typeof BackupFault>;

/** The latest work with backups, kept until the next work starts or the gateway stops. */
const BackupWork = Type.Object({
  kind: BackupWorkKind,
  name: Type.Optional(Type.String()),
  state: Type.Enum(["RUNNING", "DONE", "FAILED"]),
  beganAt: Timestamp,
  endedAt: Type.Optional(Timestamp),
  failure: Type.Optional(Type.String({ description: "Reason of FAILED" })),
  problems: Type.Optional(
    Type.Array(Type.String(), {
      description: "Problems of the backup; empty if it is good",
    }),
  ),
  fault: Type.Optional(BackupFault),
  outdated: Type.Optional(
    Type.Boolean({
      description: "An older version made it: its books are audited on inspection",
    }),
  ),
  isUnsigned: Type.Optional(
    Type.Boolean({
      description: "An earlier version made it unsigned: changes to it cannot be detected",
    }),
  ),
  about: Type.Optional(BackupAbout),
  view: Type.Optional(BackupView),
});
export type BackupWork = Static<typeof BackupWork>;

export const LONGEST_BACKUP_PLACE = 500;

/** `PUT /pos/backups/second` (owner): a local or mounted folder of the gateway's machine. */
const SecondPlaceInput = Input({
  dir: Type.String({ minLength: 1, maxLength: LONGEST_BACKUP_PLACE, ...PLAIN_TEXT }),
});

const SecondPlace = Type.Object({
  dir: Type.String(),
  missing: Type.Integer({ description: "Number of backups that are not copied yet" }),
  copiedAt: Type.Optional(Timestamp),
  problem: Type.Optional(
    Type.Object({
      kind: Type.Enum(["AWAY", "FULL", "FAILED"], {
        description: "AWAY: the folder is not reachable; missing backups are copied when it is",
      }),
      message: Type.String(),
      at: Type.String({ format: "date-time", description: "Start of the state" }),
    }),
  ),
});

const Returned = Type.Object({ id: Type.String(), name: Type.String() });

/** A restore that brought back access which the owner has not confirmed yet. */
const RestoreReview = Type.Object({
  restoredAt: Timestamp,
  takenAt: Timestamp,
  people: Type.Array(Returned, { description: "Active staff, without the requesting owner" }),
  devices: Type.Array(Returned),
  keys: Type.Array(Returned),
});

const Ids = Type.Array(Type.String({ minLength: 1, maxLength: 64 }));

/** `POST /pos/backups/review` (owner): revokes some restored access and confirms the rest. */
export const ReviewInput = Input({ pin: Pin, people: Ids, devices: Ids, keys: Ids });
export type ReviewInput = Static<typeof ReviewInput>;

const KitInput = Input({ pin: Pin });

/** Tillgate does not store the phrase of a recovery kit and shows it only once. */
export const RecoveryKit = Type.Object({
  kitId: Type.String(),
  phrase: Type.String(),
  madeAt: Timestamp,
});
export type RecoveryKit = Static<typeof RecoveryKit>;

/** `POST /pos/backups/kit/confirm` (owner): confirms that the owner has the phrase on paper. */
const ConfirmKitInput = Input({ kitId: ClientId });

/** `GET /pos/backups` (owner), newest first. */
export const PosBackups = Type.Object({
  dir: Type.String(),
  list: Type.Array(
    Type.Object({
      name: Type.String(),
      takenAt: Timestamp,
      sizeBytes: Type.Integer(),
      isUnsigned: Type.Optional(Type.Boolean({ description: "An earlier version made it" })),
      isIncrement: Type.Optional(
        Type.Boolean({ description: "Incremental: requires the backups before it" }),
      ),
    }),
  ),
  kit: Type.Optional(
    Type.Object({ madeAt: Timestamp }, { description: "The recovery kit of backups made now" }),
  ),
  draftKit: Type.Optional(
    Type.Object(
      { kitId: Type.String(), madeAt: Timestamp },
      { description: "A kit that nobody confirmed: it and the kit before open backups made now" },
    ),
  ),
  review: Type.Optional(RestoreReview),
  failure: Type.Optional(Type.String({ description: "Reason why the last hourly backup failed" })),
  work: Type.Optional(BackupWork),
  second: Type.Optional(SecondPlace),
  restore: Type.Optional(
    Type.Object(
      {
        name: Type.String(),
        askedAt: Timestamp,
        failure: Type.Optional(
          Type.String({ description: "Reason why the start did not restore it" }),
        ),
        fault: Type.Optional(BackupFault),
      },
      { description: "Backup that the next start restores" },
    ),
  ),
});
export type PosBackups = Static<typeof PosBackups>;

/** `PUT /pos/backups/restore` (owner): the gateway restores the backup at its next start. */
export const RestoreInput = Input({
  name: BackupName,
  pin: Pin,
  acceptUnsigned: Type.Optional(Type.Boolean()),
});
export type RestoreInput = Static<typeof RestoreInput>;

const LONGEST_PATH = 1_000;
const FilePath = Type.String({ minLength: 1, maxLength: LONGEST_PATH, ...PLAIN_TEXT });

/**
 * `POST /pos/restore/find`, before set-up: backups in a folder, or on all disks
 * of the gateway's machine.
 */
const FindBackupsInput = Input({ path: Type.Optional(FilePath) });

export const FoundBackups = Type.Object({
  list: Type.Array(
    Type.Object({ file: Type.String(), takenAt: Timestamp, sizeBytes: Type.Integer() }),
  ),
});
export type FoundBackups = Static<typeof FoundBackups>;

/** Bytes per part of an uploaded backup, before Base64. */
export const UPLOAD_PART_BYTES = 1_000_000;
const UPLOAD_BODY_BYTES = Math.ceil(UPLOAD_PART_BYTES / 3) * 4 + 1_000;

/**
 * `POST /pos/restore/upload`, before set-up: the next part of a backup file.
 * Offset 0 starts a new file.
 */
const UploadPartInput = Input({
  number: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 999,
      description: "Index of the file; the first part of file 0 removes all others",
    }),
  ),
  at: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  content: Type.String({ maxLength: UPLOAD_BODY_BYTES, pattern: "^[A-Za-z0-9+/]*={0,2}$" }),
});

const Uploaded = Type.Object({ file: Type.String(), bytes: Type.Integer() });

const Phrase = Type.String({ minLength: 1, maxLength: 500 });

const LookInput = Input({ file: FilePath, phrase: Type.Optional(Phrase) });

/**
 * MISSING: the backup needs a phrase. COUNT: not twelve words. WORD: a word is not in the word list.
 * CHECKSUM: a wrong word or another order. OTHER_BACKUP: the phrase belongs to other backups.
 */
const PHRASE_FAULTS = ["MISSING", "COUNT", "WORD", "CHECKSUM", "OTHER_BACKUP"] as const;

/** Reason why a recovery phrase does not open a backup. */
export const PhraseFault = Type.Object({
  kind: Type.Enum(PHRASE_FAULTS),
  number: Type.Optional(
    Type.Integer({ description: "COUNT: number of typed words; WORD: position of the word" }),
  ),
});
export type PhraseFault = Static<typeof PhraseFault>;

/** A backup that was opened, decrypted and audited, but not restored. */
export const LookedAt = Type.Object({
  about: Type.Optional(BackupAbout),
  shopName: Type.String(),
  isUnsigned: Type.Boolean(),
  problems: Type.Array(Type.String()),
  phraseFault: Type.Optional(PhraseFault),
  fault: Type.Optional(BackupFault),
  view: Type.Optional(BackupView),
});
export type LookedAt = Static<typeof LookedAt>;

/** `POST /pos/restore`, before set-up: the gateway reopens with the restored shop. */
const FirstRestoreInput = Input({
  file: FilePath,
  phrase: Type.Optional(Phrase),
  acceptUnsigned: Type.Optional(Type.Boolean()),
});

const FirstRestored = Type.Object({ shopName: Type.String(), takenAt: Timestamp });

export const backupOperations = {
  list: defineOperation({
    method: "GET",
    path: "/backups",
    answer: PosBackups,
    access: "owner",
  }),
  /** Responds before the work ends. The list of backups then contains the outcome. */
  work: defineOperation({
    method: "POST",
    path: "/backups/work",
    body: BackupWorkInput,
    answer: PosBackups,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  askRestore: defineOperation({
    method: "PUT",
    path: "/backups/restore",
    body: RestoreInput,
    answer: PosBackups,
    access: "owner",
    refusals: ["NOT_FOUND", "PIN_WRONG", "PIN_LOCKED", "PIN_KEY_MISSING"],
  }),
  withdrawRestore: defineOperation({
    method: "DELETE",
    path: "/backups/restore",
    answer: PosBackups,
    access: "owner",
  }),
  /** Copies existing and future backups to the given folder. */
  setSecond: defineOperation({
    method: "PUT",
    path: "/backups/second",
    body: SecondPlaceInput,
    answer: PosBackups,
    access: "owner",
  }),
  removeSecond: defineOperation({
    method: "DELETE",
    path: "/backups/second",
    answer: PosBackups,
    access: "owner",
  }),
  /**
   * Creates a recovery kit. Until the new kit is confirmed, the earlier kit opens new backups too.
   */
  makeKit: defineOperation({
    method: "POST",
    path: "/backups/kit",
    body: KitInput,
    answer: RecoveryKit,
    access: "owner",
    refusals: ["PIN_WRONG", "PIN_LOCKED", "PIN_KEY_MISSING"],
  }),
  /** After the confirmation, only this kit opens new backups. */
  confirmKit: defineOperation({
    method: "POST",
    path: "/backups/kit/confirm",
    body: ConfirmKitInput,
    answer: PosBackups,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  review: defineOperation({
    method: "POST",
    path: "/backups/review",
    body: ReviewInput,
    answer: PosBackups,
    access: "owner",
    refusals: ["NOT_FOUND", "PIN_WRONG", "PIN_LOCKED", "PIN_KEY_MISSING"],
  }),
  /** The four `/restore` operations work only on the gateway's own machine, before set-up. */
  find: defineOperation({
    method: "POST",
    path: "/restore/find",
    body: FindBackupsInput,
    answer: FoundBackups,
    access: "anyone",
    refusals: ["FORBIDDEN", "ALREADY_SET_UP", "NOT_FOUND"],
  }),
  upload: defineOperation({
    method: "POST",
    path: "/restore/upload",
    body: UploadPartInput,
    answer: Uploaded,
    access: "anyone",
    refusals: ["FORBIDDEN", "ALREADY_SET_UP"],
    bodyLimitBytes: UPLOAD_BODY_BYTES,
  }),
  look: defineOperation({
    method: "POST",
    path: "/restore/look",
    body: LookInput,
    answer: LookedAt,
    access: "anyone",
    refusals: ["FORBIDDEN", "ALREADY_SET_UP", "NOT_FOUND"],
  }),
  restoreFirst: defineOperation({
    method: "POST",
    path: "/restore",
    body: FirstRestoreInput,
    answer: FirstRestored,
    access: "anyone",
    refusals: ["FORBIDDEN", "ALREADY_SET_UP", "NOT_FOUND"],
  }),
};
