import { useTranslation } from "react-i18next";
import { LinkButton } from "./link-button.tsx";
import { PAGE_SIZE } from "./page-size.ts";

interface MoreTilesProps {
  readonly drawn: number;
  readonly found: number;
  readonly onTurn: (page: number) => void;
}

export function MoreTiles({ drawn, found, onTurn }: MoreTilesProps) {
  const { t } = useTranslation();
  return drawn < found ? (
    <LinkButton shortcut="PgDn" onPress={() => onTurn(Math.floor(drawn / PAGE_SIZE))}>
      {t("counter.nextPage")}
    </LinkButton>
  ) : null;
}
