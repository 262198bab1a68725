import { and, eq, isNotNull } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { ownerPhone } from '#shared/gateway/owner-phone.ts'
import { areaCodeOf, phoneOfAddress, readCompanyPhone, readPhone } from '#shared/text/phones/read-phone.ts'
import type { Db } from '#server/platform/database/db.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'

/**
 * The area of numbers that are written without one: that of the numbers that are connected, when it is the
 * same for all. Two digits.
 */
export async function usualAreaCode(db: Db): Promise<string | undefined> {
  const found = await db
    .select({ ownerJid: evolutionApiConfig.ownerJid })
    .from(evolutionApiConfig)
    .where(and(eq(evolutionApiConfig.isActive, true), isNotNull(evolutionApiConfig.ownerJid)))
  const areas = new Set(found.map(({ ownerJid }) => areaOfOwner(ownerJid)))
  const [area, ...others] = areas
  return others.length === 0 ? area : undefined
}

function areaOfOwner(ownerJid: string | null): string | undefined {
  const phone = phoneOfAddress(ownerPhone(ownerJid) ?? '')
  return phone === undefined ? undefined : areaCodeOf(phone)
}

/**
 * The normal form of a telephone number that a person has written.
 * @throws AppError request.invalid with the reason in the field 'phone'
 */
export const typedPhone = (db: Db, typed: string): Promise<string> => typedAs(readPhone, db, typed)

/** The same for the telephone of a company, which may be one of the whole country. */
export const typedCompanyPhone = (db: Db, typed: string): Promise<string> =>
  typedAs(readCompanyPhone, db, typed)

async function typedAs(read: typeof readPhone, db: Db, typed: string): Promise<string> {
  const result = read(typed, await usualAreaCode(db))
  if ('phone' in result) return result.phone
  const { problem } = result
  throw new AppError('request.invalid', { fields: { phone: problem }, text: problem })
}
