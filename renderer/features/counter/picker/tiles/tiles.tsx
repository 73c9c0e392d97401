import type { PosBrandTile } from "../../../../../server/contract/pos/brands.ts";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { Flag } from "../../../../components/flag.tsx";
import { type Pause, PauseMark, pauseOf } from "../../ui/pause.tsx";
import { PromoMark, type PromoOn } from "../../ui/promo.tsx";
import { WalletMark } from "../../ui/wallet.tsx";
import classes from "./tiles.module.css";

interface BrandTileProps {
  readonly brand: PosBrandTile;
  readonly details: string;
}

export function BrandTile({ brand, details }: BrandTileProps) {
  const pause = pauseOf(brand);
  const [only] = brand.countries.length === 1 ? brand.countries : [];
  return (
    <span className={classes.brand} data-brand-tile>
      <BrandFace
        brand={brand.brand}
        name={brand.brandName}
        color={brand.brandColor}
        size="large"
        country={only}
      />
      <span className={classes.words}>
        <span className={classes.name} title={brand.brandName}>
          <bdi>{brand.brandName}</bdi>
        </span>
        <span className="soft size-caption">{pause ? <PauseMark pause={pause} /> : details}</span>
      </span>
    </span>
  );
}

interface PlaceTileProps {
  /** ISO 3166-1 alpha-2; undefined for a region. */
  readonly country?: string;
  readonly name: string;
  readonly details: string;
  readonly isShort?: boolean;
}

export function PlaceTile({ country, name, details, isShort = false }: PlaceTileProps) {
  return (
    <>
      <span className={classes.name} title={name}>
        {country ? <Flag country={country} /> : null} {name}
      </span>
      <span className="soft size-caption">{isShort ? <WalletMark /> : details}</span>
    </>
  );
}

interface OfferFaceProps {
  readonly face: string;
  readonly details: string;
  readonly price: string;
  readonly pause?: Pause | undefined;
  readonly promo?: PromoOn;
  readonly isShort?: boolean;
}

/** Matches a word that is too long for the large type. */
const LONG_WORD = /\S{13}/;

export function OfferFace(props: OfferFaceProps) {
  const { face, details, price, pause, promo, isShort = false } = props;
  const mark = isShort ? <WalletMark /> : pause && <PauseMark pause={pause} />;
  return (
    <>
      <PromoMark on={promo} />
      <span className={classes.face} data-long={LONG_WORD.test(face)}>
        {face}
      </span>
      <span className="soft size-caption">{mark ?? details}</span>
      <span className="push-down strong">{price}</span>
    </>
  );
}
