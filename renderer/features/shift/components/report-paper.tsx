import { directionOf } from "../../../lib/direction.ts";
import type { ReportText } from "../report-text.ts";
import classes from "./report-paper.module.css";

interface ReportPaperProps {
  readonly report: ReportText;
  /** In millimetres. */
  readonly paperWidth: number;
}

export function ReportPaper({ report, paperWidth }: ReportPaperProps) {
  const { language, banners, shopName, title, lines, verdict, sections } = report;
  return (
    <article
      className={classes.paper}
      style={{ width: `${paperWidth}mm` }}
      data-narrow={paperWidth < 70}
      data-sheet={paperWidth > 100}
      lang={language}
      dir={directionOf(language)}
    >
      {banners.map((banner) => (
        <p key={banner} className={classes.banner}>
          {banner}
        </p>
      ))}
      <header className={classes.head}>
        <h1>{shopName}</h1>
        <h2>{title}</h2>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </header>
      {verdict === undefined ? null : <p className={classes.variance}>{verdict}</p>}
      {sections.map(({ title: heading, rows }) => (
        <section key={heading}>
          <h3>{heading}</h3>
          <dl>
            {rows.map(({ key, label, value }) => (
              <div key={key}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </article>
  );
}
