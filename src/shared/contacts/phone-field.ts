import * as z from 'zod/mini'
import { isMasked } from '#shared/contacts/masked-phone.ts'
import { plainSigns } from '#shared/text/plain-signs.ts'

const digitsIn = (typed: string) => plainSigns(typed).replace(/\D/g, '').length

const longest = z.maxLength(200)
const invalid = { error: 'Telefone inválido', abort: true }
const tooShort = 'Telefone deve ter pelo menos 10 dígitos'

/**
 * A telephone number as people write it. It refuses what nobody takes for one; the rest is judged by the
 * server, with rules that are too large for a page (`text/phones/read-phone.ts`). A masked number is sent
 * back by those who see no other: it is to stay as it was.
 */
export const phoneField = z.string().check(
  z.trim(),
  longest,
  z.refine((typed) => typed === '' || digitsIn(typed) > 0, invalid),
  z.refine((typed) => isMasked(typed) || digitsIn(typed) >= 8, tooShort),
)

/** '' for none. */
export const optionalPhoneField = z.string().check(
  z.trim(),
  longest,
  z.refine((typed) => typed === '' || digitsIn(typed) > 0, invalid),
  z.refine((typed) => typed === '' || isMasked(typed) || digitsIn(typed) >= 8, tooShort),
)
