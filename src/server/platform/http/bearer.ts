import type { IncomingHttpHeaders } from 'node:http'

/** The session token of the Authorization header; undefined when there is none, or it is malformed. */
export function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer ([\w-]+)$/i.exec(authorization ?? '')?.[1]
}
