/** The channel of Node's diagnostics that says that a gateway has started, and has read what a start leaves out. */
export const STARTED = "tillgate.started";
