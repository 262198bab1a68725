import type { Http } from '#server/platform/http/http.ts'
import { maintenanceRoutes } from './maintenance-routes.ts'
import { privacyRoutes } from './privacy-routes.ts'

/** All calls of the room. */
export function routes(
  http: Http,
  context: Parameters<typeof maintenanceRoutes>[1] & Parameters<typeof privacyRoutes>[1],
): void {
  privacyRoutes(http, context)
  maintenanceRoutes(http, context)
}
