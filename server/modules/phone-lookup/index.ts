export { registerLookupRoutes } from "./lookup-routes.ts";
export { formatPhoneNumber, PhoneService } from "./phone-service.ts";
