import {
  IconCircleCheck,
  IconCircleHalf2,
  IconCircleX,
  IconClock,
  IconSend,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { nameOutcome, type ShownLine } from "../../server/contract/pos/outcome.ts";
import type { SaleOutcome } from "../lib/sale-outcome.ts";
import classes from "./outcome-badge.module.css";

const ICONS = {
  SENDING: IconSend,
  STILL_SENDING: IconClock,
  DELIVERED: IconCircleCheck,
  PARTLY_DELIVERED: IconCircleHalf2,
  NOT_DELIVERED: IconCircleX,
} as const;

interface OutcomeBadgeProps {
  readonly outcome: SaleOutcome;
  /** Lines with this outcome. Their products determine the outcome's name. */
  readonly of?: readonly ShownLine[];
  readonly size?: "body" | "large";
}

export function OutcomeBadge({ outcome, of = [], size = "body" }: OutcomeBadgeProps) {
  const { t } = useTranslation();
  const Icon = ICONS[outcome];
  return (
    <span className={classes.badge} data-outcome={outcome} data-size={size}>
      <Icon size="1.3em" stroke={2} aria-hidden="true" className={classes.icon} />
      {t(`sale.outcome.${nameOutcome(outcome, of)}`)}
    </span>
  );
}
