import { IconBell, IconBellRinging } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { alertsQuery, countAlerts } from "../lib/alerts-query.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./nav-rail.module.css";

/** How many alerts wait for the person, and the way to them; nothing while there are none. */
export function AlertBell() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(alertsQuery());
  const { count, isUrgent } = countAlerts(data);
  if (count === 0) {
    return null;
  }
  const Icon = isUrgent ? IconBellRinging : IconBell;
  return (
    <Link
      to="/office/$section"
      params={{ section: "alerts" }}
      className={classes.place}
      data-small
      data-alerts={isUrgent ? "urgent" : "soon"}
    >
      <Icon size="1.5rem" stroke={1.75} aria-hidden="true" />
      <span>{t("nav.alerts", { number: format.number(count) })}</span>
    </Link>
  );
}
