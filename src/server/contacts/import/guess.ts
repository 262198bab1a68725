import type { ImportField, ImportMapping } from '#shared/contacts/contact-imports.ts'
import { fold } from '#shared/text/fold.ts'

/** Words of headers, the most certain field first: 'NOME DA EMPRESA' is a company. */
const words: readonly (readonly [ImportField, RegExp])[] = [
  ['email', /\be-? ?mails?\b|\bcorreio\b/],
  ['company', /\bempresas?\b|\brazao\b|\bfantasia\b|\bcompany\b|\borganiza(cao|tion)\b/],
  [
    'phone',
    /\b(tele)?fones?\b|\bcel(ular)?\b|\bwhats ?(app)?\b|\bzap\b|\btel\b|\bmobile\b|\bphone\b|\bnumero\b/,
  ],
  ['category', /\bcategorias?\b|\btipo\b|\bcategory\b/],
  ['tags', /\betiquetas?\b|\btags?\b|\bmarcadores\b|\blabels?\b/],
  ['notes', /\bobs\b|\bobserva(cao|coes)\b|\bnotas?\b|\bnotes?\b|\bcomentarios?\b/],
  ['name', /\bnomes?\b|\bname\b|\bcontatos?\b|\bclientes?\b/],
]

/** What each column is by its header; the first of several counts. */
export function guessMapping(headers: readonly string[]): ImportMapping {
  const taken = new Set<ImportField>()
  return headers.map((header) => {
    const said = fold(header).replace(/[_.]/g, ' ')
    const field = words.find(([name, pattern]) => !taken.has(name) && pattern.test(said))?.[0] ?? null
    if (field) taken.add(field)
    return field
  })
}
