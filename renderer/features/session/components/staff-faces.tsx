import { useTranslation } from "react-i18next";
import type { StaffName } from "../../../../server/contract/pos/staff.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { initialsOf } from "../../../lib/initials.ts";
import classes from "./staff-faces.module.css";

interface StaffFacesProps {
  readonly people: readonly StaffName[];
  readonly unsentOf: ReadonlySet<string>;
  readonly chosen: string | undefined;
  readonly onChoose: (staffId: string) => void;
}

/** Everybody who can sign in, as a face to press. */
export function StaffFaces({ people, unsentOf, chosen, onChoose }: StaffFacesProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.faces} aria-label={t("signIn.choose")}>
      {people.map(({ staffId, name, role }, index) => (
        <button
          key={staffId}
          type="button"
          aria-pressed={staffId === chosen}
          className={classes.face}
          onClick={(event) => {
            event.currentTarget.blur();
            onChoose(staffId);
          }}
        >
          <span className={classes.initials} aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span className={classes.words}>
            <span className={classes.name}>
              <bdi>{name}</bdi>
            </span>
            {unsentOf.has(staffId) ? (
              <span className={classes.unsent}>{t("signIn.unsent")}</span>
            ) : (
              <span className={classes.role}>{t(`role.${role}`)}</span>
            )}
          </span>
          {chosen === undefined && index < 9 ? <KeyCap>{index + 1}</KeyCap> : null}
        </button>
      ))}
    </fieldset>
  );
}
