import type { Http } from '#server/platform/http/http.ts'
import { profilePictureRoutes } from './profile-pictures.ts'

/** The calls of files that belong to no conversation. */
export function routes(http: Http, context: Parameters<typeof profilePictureRoutes>[1]): void {
  profilePictureRoutes(http, context)
}
