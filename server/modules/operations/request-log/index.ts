export { createRequestLogModule } from "./module.ts";
export { recordRequests } from "./recorded-requests.ts";
