import { useTranslation } from "react-i18next";
import { LinkButton } from "./link-button.tsx";
import stepClasses from "./step.module.css";

interface PageTurnerProps {
  readonly page: number;
  readonly pages: number;
  readonly onTurn: (page: number) => void;
  /** Its place is kept until it is known how many pages there are. */
  readonly isWaiting?: boolean;
}

/** More tiles than the digits reach: the next page, and round to the first. */
export function PageTurner({ page, pages, onTurn, isWaiting = false }: PageTurnerProps) {
  const { t } = useTranslation();
  if (pages < 2 && !isWaiting) {
    return null;
  }
  return (
    <div className={`${stepClasses.head} ${stepClasses.turner}`} data-waiting={isWaiting}>
      <span className={stepClasses.small}>
        {t("counter.page", { page: page + 1, pages: isWaiting ? 99 : pages })}
      </span>
      <LinkButton shortcut="PgDn" onPress={() => onTurn((page + 1) % pages)}>
        {t("counter.nextPage")}
      </LinkButton>
    </div>
  );
}
