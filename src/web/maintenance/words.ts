const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 })
const twoDigits = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const oneDigit = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const list = new Intl.ListFormat('pt-BR', { type: 'conjunction' })

/** '184.903' */
export const figure = (count: number): string => whole.format(count)

/** '1 conversa', '8.242 conversas' */
export const counted = (count: number, one: string, many: string): string =>
  `${figure(count)} ${count === 1 ? one : many}`

/** 'a, b e c' */
export const listed = (parts: readonly string[]): string => list.format(parts)

/** '71,4% de 1 GB usado'. @see specification §9 Sizes */
export const usedText = (percent: number): string => `${oneDigit.format(percent)}% de 1 GB usado`

const units = ['Bytes', 'KB', 'MB', 'GB'] as const

/** A size in its largest unit: step 1024, two decimals. @see specification §9 Size units */
export function sizeOf(bytes: number): { amount: string; unit: string } {
  const exponent = bytes >= 1 ? Math.floor(Math.log2(bytes) / 10) : 0
  const step = Math.min(exponent, units.length - 1)
  const unit = units[step] ?? 'GB'
  return step === 0
    ? { amount: whole.format(bytes), unit }
    : { amount: twoDigits.format(bytes / 1024 ** step), unit }
}

/** '731,48 MB' */
export function sizeText(bytes: number): string {
  const { amount, unit } = sizeOf(bytes)
  return `${amount} ${unit}`
}

/** Whole percents, 100 only at the end. */
export const percentOf = (done: number, total: number): number =>
  total <= 0 ? 0 : Math.min(100, Math.max(0, Math.floor((done / total) * 100)))
