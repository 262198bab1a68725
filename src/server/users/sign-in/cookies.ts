import { trustedDays } from '#server/users/second-factor/queries.ts'

const isHttps = (publicUrl: string | undefined) => publicUrl?.startsWith('https:') ?? false

const optionsFor = (publicUrl: string | undefined) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(publicUrl) }) as const

/** The prefix `__Host-` requires HTTPS. */
const named = (name: string, publicUrl: string | undefined) => (isHttps(publicUrl) ? `__Host-${name}` : name)

/** The cookie of the session, which ends with the browser. */
export function sessionCookie(publicUrl: string | undefined) {
  return { name: named('sid', publicUrl), options: optionsFor(publicUrl) }
}

const knownDays = 365

/** The cookie of a browser by which people have signed in before: it passes a lock of their accounts. */
export function knownCookie(publicUrl: string | undefined) {
  return {
    name: named('known', publicUrl),
    options: { ...optionsFor(publicUrl), maxAge: knownDays * 24 * 60 * 60 },
  }
}

/** The cookie of a browser that needs no code. */
export function deviceCookie(publicUrl: string | undefined) {
  const maxAge = trustedDays * 24 * 60 * 60
  return { name: named('device', publicUrl), options: { ...optionsFor(publicUrl), maxAge } }
}
