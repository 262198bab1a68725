import { AppError, type ErrorCode } from '#shared/errors.ts'
import { isMasked, maskPhone, maskPhonesIn } from '#shared/contacts/masked-phone.ts'
import type { PhoneReader } from './searched-phones.ts'

// What people save from whom numbers are hidden: a form that shows a masked number sends it back.

/**
 * A number as somebody wants it: masked, it stays as it was.
 * @throws AppError 400 for a masked one that is another
 */
export const keptPhone = (who: PhoneReader, sent: string, before: string | null): string =>
  kept(who, sent, { before, mask: maskPhone, refusal: 'contacts.phone_masked' })

/** The same for a name, which may have a number in it. */
export const keptName = (who: PhoneReader, sent: string, before: string | null): string =>
  kept(who, sent, { before, mask: maskPhonesIn, refusal: 'contacts.name_masked' })

function kept(
  who: PhoneReader,
  sent: string,
  of: { before: string | null; mask: (text: string) => string; refusal: ErrorCode },
): string {
  if (!who.hidesPhones || !isMasked(sent)) return sent
  if (of.before !== null && sent === of.mask(of.before)) return of.before
  throw new AppError(of.refusal)
}
