export { Housekeeping } from "./housekeeping.ts";
