import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Encrypts stored keys and fingerprints unknown names. The keys are derived from SECRET_KEY and never stored.
 */
export interface Secrets {
  /** AES-256-GCM, `v1.nonce.tag.text` in base64url. */
  encrypt(plain: string): string
  /** @throws when the text was changed or encrypted with another key */
  decrypt(sealed: string): string
  /** A keyed hash: equal names give equal fingerprints, from which the name cannot be derived. */
  fingerprint(text: string): string
}

/**
 * Uses the given key, or the one in the data folder (mode 0600), created at the first start.
 * @param given SECRET_KEY of the environment
 */
export function openSecrets(given: string | undefined, dataDir: string): Secrets {
  const master = given ?? storedKey(join(dataDir, 'secret.key'))
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, 'balcao', purpose, 32))
  const sealing = derive('seal')
  const naming = derive('fingerprint')
  const opened = new Map<string, string>()
  const open = (sealed: string) => {
    const [version, nonce, tag, text] = sealed.split('.')
    if (version !== 'v1' || !nonce || !tag || text === undefined) throw new Error('unknown secret format')
    // Without the length a tag of four bytes would be accepted, which can be guessed.
    const cipher = createDecipheriv('aes-256-gcm', sealing, Buffer.from(nonce, 'base64url'), {
      authTagLength: 16,
    })
    cipher.setAuthTag(Buffer.from(tag, 'base64url'))
    return Buffer.concat([cipher.update(Buffer.from(text, 'base64url')), cipher.final()]).toString('utf8')
  }
  return {
    encrypt(plain) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce)
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return ['v1', ...[nonce, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))].join('.')
    },
    decrypt(sealed) {
      const known = opened.get(sealed)
      if (known !== undefined) return known
      const plain = open(sealed)
      // Every webhook and every send needs one of the same few.
      if (opened.size >= maxOpened) opened.clear()
      opened.set(sealed, plain)
      return plain
    },
    fingerprint: (text) => createHmac('sha256', naming).update(text).digest('base64url'),
  }
}

/** How many opened secrets are kept; each number has five at most. */
const maxOpened = 100

function storedKey(file: string): string {
  if (!existsSync(file)) {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
    try {
      writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
    } catch (error) {
      // Another instance created it in between: use its key.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  chmodSync(file, 0o600)
  const key = readFileSync(file, 'utf8').trim()
  if (key.length < 32) throw new Error(`${file}: the key is cut off; put it back, or set SECRET_KEY`)
  return key
}

/** A random secret of 256 bits, safe in a header or a URL. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored form of a token: the hash gives no access. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Compares in constant time. */
export function sameSecret(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}

/** Whether nothing is sealed in it: it stands for a key of another installation, to be typed again. */
export const isSealedEmpty = (sealed: string): boolean => sealed.startsWith('v1.') && sealed.endsWith('.')
