import { AppError } from '#shared/errors.ts'
import type { Database } from '#server/platform/database/db.ts'
import { guesserAddress } from '#server/platform/http/source/guesser-address.ts'
import type { RequestSource } from '#server/platform/http/source/request-source.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { countNow, countUp } from './attempts.ts'
import { listSessionAddresses } from './queries.ts'

const windowMinutes = 15
const failuresPerAddressAndName = 10
const failuresPerAddress = 100

const tooMany = () => new AppError('auth.too_many_attempts', { retryAfterSeconds: 60 })

export interface GuesserContext {
  secrets: Secrets
  source: RequestSource
  /** Whether failures are also counted by address. */
  isLimitedByAddress: boolean
}

/** @throws AppError 429 for an address that has guessed too often */
export async function refuseGuessers(
  database: Database,
  username: string,
  context: GuesserContext,
): Promise<void> {
  if (!context.isLimitedByAddress) return
  const [ofBoth, ofAddress] = await Promise.all([
    countNow(database, bothKey(username, context)),
    countNow(database, addressKey(context)),
  ])
  if (ofBoth >= failuresPerAddressAndName) throw tooMany()
  if (ofAddress < failuresPerAddress) return
  // An office shares one address: who is signed in there vouches for the others.
  const here = guesserAddress(context.source.address ?? '')
  const living = await listSessionAddresses(database)
  if (!living.some((address) => guesserAddress(address) === here)) throw tooMany()
}

export async function countFailure(
  database: Database,
  username: string,
  context: GuesserContext,
): Promise<void> {
  if (!context.isLimitedByAddress) return
  await countUp(database, bothKey(username, context), windowMinutes)
  await countUp(database, addressKey(context), windowMinutes)
}

const bothKey = (username: string, context: GuesserContext) =>
  `${addressKey(context)}:${context.secrets.fingerprint(username.toLowerCase())}`
const addressKey = ({ source }: GuesserContext) => `login:${guesserAddress(source.address ?? '')}`
