import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const stepSeconds = 30

/** As every authenticator application expects it: SHA-1, six digits, thirty seconds. @see RFC 6238 */
const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: 'Balcão', label, secret: Secret.fromBase32(secret), period: stepSeconds })

/** A new shared secret of 160 bits, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The `otpauth:` address that a QR code shows to the application. */
export function totpAddress(secret: string, username: string): string {
  return totpOf(secret, username).toString()
}

/**
 * The step, counted in 30 seconds since 1970, for which the code is right; clocks may differ by one step.
 * @returns undefined for a wrong code
 */
export function totpStep(secret: string, code: string, now: Date): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: 1 })
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / stepSeconds) + delta
}

/** Without I, L, O and U, as Crockford's base 32. */
const signs = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groups = 4
const signsOfGroup = 4

/** A one-time code such as '4F7K-9QX2-0HTW-C31D', of eighty bits. */
export function newRecoveryCode(): string {
  const group = () => Array.from({ length: signsOfGroup }, () => signs[randomInt(signs.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** A recovery code as it is stored, however it was typed. */
export function plainRecoveryCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
}
