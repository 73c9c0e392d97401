import { useContext } from "react";
import { FACE_SHAPE, type FaceStyle, faceOf } from "../../server/contract/faces/face.ts";
import { BrandFacesContext, brandLogoAddress, type FaceFacts } from "../lib/brand-faces.ts";
import classes from "./brand-face.module.css";
import { Flag } from "./flag.tsx";

interface BrandFaceProps {
  /** The brand's code in the catalog; empty if unknown. */
  readonly brand: string;
  /** Empty while the brand is unknown: the card shows nothing. */
  readonly name: string;
  /** `#rrggbb`, or empty. */
  readonly color: string;
  readonly size?: "small" | "large";
  /**
   * The product's country, ISO 3166-1 alpha-2; the card shows its flag unless it is the shop's
   * country.
   */
  readonly country?: string | undefined;
  /** Replaces the till's own data about the brand. */
  readonly facts?: FaceFacts | undefined;
}

const STYLE: Readonly<Record<"small" | "large", FaceStyle>> = { small: "SMALL", large: "CARD" };

/**
 * A brand card: the logo if the shop may use it, else the name and a product icon on the brand's
 * colour. Hidden from screen readers: the brand's name is beside the card.
 */
export function BrandFace(props: BrandFaceProps) {
  const { brand, name, color, size = "small", country = "", facts } = props;
  const { factsOf, home } = useContext(BrandFacesContext);
  const { glyph, logo } = facts ?? factsOf(brand) ?? {};
  const isForeign = country !== "" && home !== "" && country !== home;
  return (
    <span className={classes.face} data-size={size} data-empty={name === ""} aria-hidden="true">
      {logo ? (
        <img className={classes.logo} src={brandLogoAddress(logo)} alt="" />
      ) : (
        <Drawing brand={{ brandName: name, brandColor: color, glyph }} style={STYLE[size]} />
      )}
      {isForeign ? (
        <span className={classes.band}>
          <Flag country={country} />
        </span>
      ) : null}
    </span>
  );
}

interface DrawingProps {
  readonly brand: Parameters<typeof faceOf>[0];
  readonly style: FaceStyle;
}

function Drawing({ brand, style }: DrawingProps) {
  if (brand.brandName === "") {
    return null;
  }
  const { ground, ink, glyph, name } = faceOf(brand, style);
  const { width, height } = FACE_SHAPE;
  const direction = name.isRightToLeft ? "rtl" : "ltr";
  const fontSize = `${(100 * name.size) / width}cqi`;
  return (
    <span className={classes.drawing} style={{ background: ground, color: ink }}>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <path d={glyph.path} transform={glyph.transform} strokeWidth={glyph.stroke} />
      </svg>
      <span className={classes.name} dir={direction} style={{ fontSize }}>
        {name.lines.map(({ text }) => (
          // CSS draws the text: otherwise, a search in the page would find the name twice.
          <span key={text} data-line={text} />
        ))}
      </span>
    </span>
  );
}
