import { IconBellRinging } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { alertsQuery, countAlerts } from "../../lib/alerts-query.ts";
import { useFormat } from "../../lib/use-format.ts";
import classes from "./office-menu.module.css";

/** How many alerts wait for the person, beside the name of their section. */
export function AlertCount() {
  const format = useFormat();
  const { data } = useQuery(alertsQuery());
  const { count, isUrgent } = countAlerts(data);
  return count === 0 ? null : (
    <span className={classes.count} data-urgent={isUrgent}>
      {isUrgent ? <IconBellRinging size="1rem" stroke={2} aria-hidden="true" /> : null}
      {format.number(count)}
    </span>
  );
}
