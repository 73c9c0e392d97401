import { type Static, Type } from "typebox";
import { Input, Timestamp } from "../common.ts";

/**
 * Everything that is written into the audit trail. A new action is added here, and its words to
 * `audit.action` in every file of renderer/locales: a test holds the two together.
 */
export const AUDIT_ACTIONS = [
  "staff.sign-in",
  "staff.sign-out",
  "staff.idle-lock",
  "staff.pin-wrong",
  "staff.pin-locked",
  "staff.add",
  "staff.rename",
  "staff.role",
  "staff.pin",
  "staff.activate",
  "staff.deactivate",
  "staff.rights",
  "staff.limits",
  "approval.give",
  "approval.use",
  "training.on",
  "training.off",
  "receipt.print",
  "receipt.reprint",
  "sale.reveal",
  "sale.discount",
  "sale.customer-refund",
  "shift.open",
  "shift.movement",
  "shift.close",
  "shift.force-close",
  "z-report.reprint",
  "figures.export",
  "settings.change",
  "prices.save",
  "prices.undo",
  "printer.save",
  "printer.remove",
  "printer.drawer-test",
  "shop.set-up",
  "shop.logo",
  "shop.no-logo",
  "till.environment",
  "till.name",
  "environment.copy",
  "till.checked",
  "till.first-sale",
  "till.pilot",
  "tender.add",
  "tender.change",
  "tender.remove",
  "tender.order",
  "backup.restore",
  "backup.make",
  "backup.verify",
  "backup.look",
  "backup.restore-ask",
  "backup.restore-withdraw",
  "backup.second-place",
  "backup.no-second-place",
  "program.update",
  "program.go-back",
  "support.file",
  "storage.missing-seen",
  "bulk.confirm",
  "bulk.resume",
  "bulk.stop",
  "bulk.reveal",
  "brand.pause",
  "brand.resume",
  "brand.logo",
  "brand.no-logo",
  "catalog.import",
  "catalog.export",
  "catalog.sync",
  "catalog.hide",
  "catalog.show",
  "catalog.switch-undo",
  "catalog.pin",
  "key.create",
  "key.revoke",
  "reconciliation.settle",
  "upstream.connect",
  "upstream.disconnect",
  "upstream.hook",
  "upstream.hook-secret",
  "wallet.recharge",
  "wallet.set",
  "wallet.alert",
  "esim.refund",
  "report.request",
  "report.download",
  "report.schedule",
  "report.unschedule",
  "accounting.change",
  "mail.server",
  "mail.no-server",
  "alert.silence",
  "alert.unsilence",
  "alert.mail",
  "mail.test",
  "webhook.add",
  "webhook.remove",
  "webhook.resume",
  "webhook.resend",
  "webhook.test",
  "webhook.pause",
  "webhook.unverified",
] as const;
const AuditAction = Type.Enum(AUDIT_ACTIONS);
export type AuditAction = Static<typeof AuditAction>;

/** One action: who did what to what. `staff` is absent for what the program or its command line did. */
export const AuditRecord = Type.Object({
  entryId: Type.Integer(),
  at: Timestamp,
  action: Type.String({ description: "One of the actions above, or one of an earlier version" }),
  staff: Type.Optional(Type.Object({ staffId: Type.String(), name: Type.String() })),
  subject: Type.String(),
  subjectName: Type.Optional(
    Type.String({ description: "Whose it is, or the number of the sale, where that is known" }),
  ),
  detail: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
});
export type AuditRecord = Static<typeof AuditRecord>;

/**
 * `GET /pos/audit-trail` (owner), newest first. `since` and `until` are the ends of a day as the
 * till's clock has it; `before` is the `entryId` that the last page ended with.
 */
export const AuditQuery = Input({
  staffId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  action: Type.Optional(AuditAction),
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
});
export type AuditQuery = Static<typeof AuditQuery>;

export const AuditPage = Type.Object({
  list: Type.Array(AuditRecord),
  more: Type.Boolean({ description: "Whether older entries fit as well" }),
});
export type AuditPage = Static<typeof AuditPage>;
