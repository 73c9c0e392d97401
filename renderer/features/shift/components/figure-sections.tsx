import type { Section } from "../shift-sections.ts";
import classes from "./figure-sections.module.css";

export function FigureSections({ sections }: { readonly sections: readonly Section[] }) {
  return (
    <div className="container">
      <div className={classes.sections}>
        {sections.map(({ title, rows }) => (
          <section key={title} className={classes.section}>
            <h2 className={classes.heading}>{title}</h2>
            <dl>
              {rows.map(({ key, label, value, strong }) => (
                <div key={key} className={classes.row} data-strong={strong}>
                  <dt>{label}</dt>
                  <dd className={`push-end medium tabular nowrap ${strong ? "size-label" : ""}`}>
                    {value}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </div>
  );
}
