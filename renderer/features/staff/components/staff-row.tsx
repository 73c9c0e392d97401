import { Button } from "@mantine/core";
import { IconCircleCheck, IconCircleMinus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { StaffMember } from "../../../../server/contract/pos/staff.ts";
import { initialsOf } from "../../../lib/initials.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./staff-screen.module.css";

interface StaffRowProps {
  readonly member: StaffMember;
  readonly isSelf: boolean;
  readonly busy: boolean;
  readonly onRights: () => void;
  readonly onResetPin: () => void;
  readonly onActive: (active: boolean) => void;
}

/** One person and what the owner can do about them; nobody deactivates themselves. */
export function StaffRow(props: StaffRowProps) {
  const { member, isSelf, busy, onRights, onResetPin, onActive } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const { name, role, active, createdAt, pinDue } = member;
  const StateIcon = active ? IconCircleCheck : IconCircleMinus;
  return (
    <li className={classes.row} data-active={active}>
      <span className={classes.initials} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span className={classes.who}>
        <span className={classes.name}>
          {name}
          {isSelf ? ` (${t("staff.you")})` : null}
        </span>
        <span className={classes.small}>
          {t(`role.${role}`)} · {t("staff.since", { day: format.day(createdAt) })}
          {pinDue && active ? ` · ${t("staff.pinDue")}` : null}
        </span>
      </span>
      <span className={classes.state}>
        <StateIcon size="1.25rem" aria-hidden="true" />
        {t(active ? "staff.active" : "staff.inactive")}
      </span>
      <span className={classes.actions}>
        <Button variant="default" aria-label={t("staff.rightsFor", { name })} onClick={onRights}>
          {t("staff.rights")}
        </Button>
        <Button
          variant="default"
          aria-label={t("staff.resetPinFor", { name })}
          onClick={onResetPin}
        >
          {t("staff.resetPin")}
        </Button>
        <Button
          variant="default"
          disabled={busy || isSelf}
          aria-label={t(active ? "staff.deactivateFor" : "staff.activateFor", { name })}
          onClick={() => onActive(!active)}
        >
          {t(active ? "staff.deactivate" : "staff.activate")}
        </Button>
      </span>
    </li>
  );
}
