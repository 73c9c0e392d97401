import { useContext } from "react";
import { FACE_SHAPE, type FaceStyle, faceOf } from "../../server/contract/faces/face.ts";
import { BrandFacesContext, brandLogoAddress, type FaceFacts } from "../lib/brand-faces.ts";
import classes from "./brand-face.module.css";
import { Flag } from "./flag.tsx";

interface BrandFaceProps {
  /** The catalog's code of it; empty where none is known. */
  readonly brand: string;
  /** Empty where the brand is not known yet: an empty card. */
  readonly name: string;
  /** `#rrggbb`, or empty. */
  readonly color: string;
  readonly size?: "small" | "large";
  /** What it is for, ISO 3166-1 alpha-2; it bears the flag of a country that is not the shop's. */
  readonly country?: string | undefined;
  /** In place of what this till knows of the brand. */
  readonly facts?: FaceFacts | undefined;
}

const STYLE: Readonly<Record<"small" | "large", FaceStyle>> = { small: "SMALL", large: "CARD" };

/**
 * A brand as a card: its logo where the shop has the right to it, else its name and what it sells on its
 * colour. Decoration: the brand's name stands beside it.
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
          // Drawn, not written: a name that stands beside it is found and copied once.
          <span key={text} data-line={text} />
        ))}
      </span>
    </span>
  );
}
