import { type Static, Type } from "typebox";

/**
 * Everything that is written into the audit trail. A new action is added here, and its words to
 * `audit.action` in every file of renderer/locales: a test holds the two together.
 */
const AUDIT_ACTIONS = [
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
  "receipt.reprint",
  "sale.discount",
  "sale.give-back",
  "settings.change",
  "printer.save",
  "printer.remove",
  "shop.set-up",
  "backup.restore",
  "brand.pause",
  "brand.resume",
  "catalog.import",
  "catalog.sync",
  "key.create",
  "key.revoke",
  "reconciliation.settle",
  "upstream.connect",
  "upstream.disconnect",
  "upstream.hook",
  "upstream.hook-secret",
  "wallet.recharge",
  "webhook.add",
  "webhook.remove",
  "webhook.resume",
  "webhook.resend",
  "webhook.pause",
  "webhook.unverified",
] as const;
const AuditAction = Type.Enum(AUDIT_ACTIONS);
export type AuditAction = Static<typeof AuditAction>;
