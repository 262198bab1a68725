import { fold } from '#shared/text/fold.ts'
import type { PhoneView } from '#simulator/control-views.ts'

function digitsOf(text: string) {
  return text.replace(/\D/g, '')
}
function isNumber(text: string) {
  return /^[\d\s()+.-]+$/.test(text)
}

/**
 * The phones whose name has every word of `search`, or whose number has its digits, ignoring accents and
 * case. Those in `first` come first; otherwise the order is kept.
 */
export function findPhones(phones: PhoneView[], search: string, first: ReadonlySet<string>): PhoneView[] {
  const words = fold(search).split(/\s+/).filter(Boolean)
  const digits = isNumber(search) ? digitsOf(search) : ''
  const found = phones.filter(
    ({ name, number }) =>
      words.every((word) => fold(name).includes(word)) || (digits !== '' && number.includes(digits)),
  )
  return [...found.filter(({ id }) => first.has(id)), ...found.filter(({ id }) => !first.has(id))]
}
