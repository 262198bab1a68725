import { hash, verify } from '@node-rs/argon2'

const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 2
const queueLimit = 20

/** Too many people sign in at this moment; none of them is told anything about his password. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy'
}

let running = 0
const waiting: (() => void)[] = []

/** Two at once: hashing is made to be slow, and everybody else's requests share the two cores with it. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= queueLimit) throw new PasswordsBusy()
    // Whoever ends hands his place over, so that nobody who comes at that moment can slip in between.
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

/** Argon2id; the parameters stand in the result. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, parameters))
}

/** @throws PasswordsBusy when twenty others wait already */
export function isPassword(passwordHash: string, password: string): Promise<boolean> {
  return inTurn(() => verify(passwordHash, password))
}

let decoy: Promise<string> | undefined

/** Takes as long as a real comparison and is always false: an unknown name must not answer faster. */
export async function isPasswordOfNobody(password: string): Promise<false> {
  decoy ??= hashPassword('nobody has this password')
  await isPassword(await decoy, password)
  return false
}

/** Makes the decoy before the first login needs it, so that not even the first one takes longer. */
export async function preparePasswords(): Promise<void> {
  await isPasswordOfNobody('')
}
