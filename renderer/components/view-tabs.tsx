import classes from "./view-tabs.module.css";

interface ViewTabsProps<View extends string> {
  readonly label: string;
  readonly views: readonly { readonly value: View; readonly label: string }[];
  /** Undefined while a page outside these parts is shown. */
  readonly view: View | undefined;
  readonly onView: (view: View) => void;
}

/** The parts of a section of the back office; on a phone they take several lines. */
export function ViewTabs<View extends string>({ label, views, view, onView }: ViewTabsProps<View>) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {views.map((one) => (
        <button
          key={one.value}
          type="button"
          className={classes.tab}
          aria-current={one.value === view ? "page" : undefined}
          onClick={() => onView(one.value)}
        >
          {one.label}
        </button>
      ))}
    </nav>
  );
}
