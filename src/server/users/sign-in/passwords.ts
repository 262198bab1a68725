import { hash, verify } from '@node-rs/argon2'
import { AppError } from '#shared/errors.ts'

const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 2
/**
 * The people of an office who sign in at the same moment, twice over; worked off in a second or two. @see
 * security S-12, and S-14, whose twenty were those of a hash that takes ten times as long
 */
const queueLimit = 60

/** Too many passwords at the moment; nothing is revealed about this one. */
export class PasswordsBusy extends AppError {
  constructor() {
    super('request.unavailable', { retryAfterSeconds: 5 })
  }
}

let running = 0
const waiting: (() => void)[] = []

/** Runs two at once: hashing is slow by design, and shares two cores with all other requests. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= queueLimit) throw new PasswordsBusy()
    // The one that ends passes its slot on directly, so that a newcomer cannot take it first.
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** Argon2id; the result contains the parameters. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, parameters))
}

/** @throws PasswordsBusy when sixty others are waiting */
export function isPassword(passwordHash: string, password: string): Promise<boolean> {
  return inTurn(() => verify(passwordHash, password))
}

let decoy: Promise<string> | undefined

/** Takes as long as a real comparison and is always false, so that an unknown name is not answered faster. */
export async function isPasswordOfNobody(password: string): Promise<false> {
  decoy ??= hashPassword('nobody has this password')
  await isPassword(await decoy, password)
  return false
}

/** Creates the decoy hash in advance, so that not even the first login of an unknown name takes longer. */
export async function preparePasswords(): Promise<void> {
  await isPasswordOfNobody('')
}
