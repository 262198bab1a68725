// The numbers of 12 countries in the spellings that people, files and other programs use, with the form that
// each must get, which is written by hand.

export interface Spelling {
  country: string
  written: string
  /** Where the team is, for numbers without area code. */
  areaCode?: string
  phone: string
}

/** Area code, then the two parts of the number as people write them. */
const mobilesOfBrazil = `11 98765-1501|21 99876-2502|27 98123-3503|31 97654-4504|41 98765-1505|47 99111-2206
  |48 96543-7707|51 98222-3308|55 99777-4409|61 98333-5510|62 96666-6611|71 98444-7712|81 99555-8813
  |85 98888-9914|92 99222-1015`
const landlinesOfBrazil = `11 3333-1503|41 3322-4507|51 3211-5508|61 2105-6509|85 4004-7510`

const dashes = ['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212', '\uff0d']
const blanks = ['\u00a0', '\u202f', '\u2009', '\t']
const invisible: readonly (readonly [string, string])[] = [
  ['\u202a', '\u202c'],
  ['\u200e', ''],
  ['\u2066', '\u2069'],
  ['\ufeff', ''],
  ['\u200b', '\u2060'],
  ['', '\u00ad'],
]
/** Zeros, carriers and the country code, before the area code. */
const before = `|0|+55 |+55|55 |55|0055 |00 55 |015 |0 21 |0 41 |+55 0|+55 0 15 |0 55 `.split('|')

const whole = (area: string, first: string, last: string): string[] => [
  ...before.flatMap((prefix) => [`${prefix}${area} ${first}-${last}`, `${prefix}${area}${first}${last}`]),
  `(${area}) ${first}-${last}`,
  `(0${area}) ${first}-${last}`,
  `(${area})${first}${last}`,
  `+55 (${area}) ${first}-${last}`,
  `(+55) ${area} ${first} ${last}`,
  `0(${area}) ${first}-${last}`,
  `(015${area}) ${first}-${last}`,
  `+55 (0${area}) ${first}-${last}`,
  `+55 (0)${area} ${first}-${last}`,
  ...dashes.map((dash) => `(${area}) ${first}${dash}${last}`),
  ...blanks.map((blank) => `${area}${blank}${first}${blank}${last}`),
  ...invisible.map(([from, to]) => `${from}+55 ${area} ${first}-${last}${to}`),
  `${area}${first}${last}.0`,
  `${area}${first}${last},00`,
  `55${area}${first}${last}.0`,
  `${area}.${first}.${last}`,
  `${area}·${first}·${last}`,
  `  ${area} ${first} ${last}  `,
  `'${area}${first}${last}`,
  `https://wa.me/55${area}${first}${last}`,
  `wa.me/55${area}${first}${last}?text=Oi`,
  `https://api.whatsapp.com/send?phone=55${area}${first}${last}&text=Oi`,
  `55${area}${first}${last}@s.whatsapp.net`,
  `55${area}${first}${last}@c.us`,
  `tel:+55${area}${first}${last}`,
  `${area}${first}${last}`.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
]

/** As they were before mobiles got their ninth digit, and as WhatsApp still names many. */
const withoutNinth = (area: string, first: string, last: string): string[] => [
  `${area} ${first}-${last}`,
  `${area}${first}${last}`,
  `(0${area}) ${first}-${last}`,
  `+55 ${area} ${first}-${last}`,
  `55${area}${first}${last}`,
  `0 15 ${area} ${first}-${last}`,
  `${area}${first}${last}.0`,
]

const withoutArea = (first: string, last: string): string[] => [
  `${first}-${last}`,
  `${first}${last}`,
  `${first} ${last}`,
  `${first}\u2011${last}`,
]

const exponential = (digits: string) => `${digits[0]},${digits.slice(1)}E+${digits.length - 1}`

function ofBrazil(listed: string): Spelling[] {
  return listed.split('|').flatMap((entry) => {
    const [area = '', first = '', last = ''] = entry.trim().split(/[ -]/)
    const isMobile = first.length === 5
    const phone = `55${area}${first}${last}`
    const all = (written: readonly string[], areaCode?: string): Spelling[] =>
      written.map((one) => ({ country: 'BR', written: one, phone, ...(areaCode && { areaCode }) }))
    const short = first.slice(1)
    return [
      ...all([...whole(area, first, last), exponential(phone)]),
      ...all(withoutArea(first, last), area),
      ...(isMobile
        ? [
            ...all(withoutNinth(area, short, last)),
            ...all([...withoutArea(short, last), `9 ${short}-${last}`], area),
          ]
        : []),
    ]
  })
}

/**
 * Of each country its code, the zero of its long-distance calls, and numbers as people group them, without
 * those.
 */
const abroad: readonly (readonly [country: string, code: string, trunk: string, listed: string])[] = [
  ['PT', '351', '', '912 345 678|961 234 567|936 123 456|213 456 789|223 456 789'],
  ['US', '1', '', '202 555 0123|415 555 2671|212 555 1234|305 555 1234|617 555 1234'],
  ['ES', '34', '', '612 345 678|654 321 987|622 345 678|912 345 678|932 345 678'],
  ['GB', '44', '0', '7400 123456|7911 123456|20 7946 0958|161 496 0123|131 496 0123'],
  ['IT', '39', '', '312 345 6789|347 123 4567|338 123 4567|06 6982 1234|02 1234 5678'],
  ['DE', '49', '0', '1512 3456789|170 1234567|160 12345678|30 123456|89 123456'],
  ['PY', '595', '0', '961 456789|981 123456|971 123456|21 234 567|985 765432'],
  ['UY', '598', '0', '94 231 234|99 123 456|98 765 432|95 123 456|91 234 567'],
  ['CL', '56', '', '9 6123 4567|9 9876 5432|9 8765 4321|2 2123 4567|9 7654 3210'],
]

/** `canon`: the code with the sign of mobiles; `codes`: all that come before the number. */
const mobilesWithSigns: readonly (readonly [
  country: string,
  canon: string,
  codes: string,
  listed: string,
])[] = [
  ['AR', '549', '54|54 9|549', '11 5555 4444|11 2345 6789|351 555 4444|341 555 1234|261 555 1234'],
  ['MX', '52', '52|52 1|521', '55 1234 5678|81 1234 5678|33 1234 5678|222 123 4567|55 8765 4321'],
]

function spelled(code: string, number: string): string[] {
  const digits = `${code}${number}`.replace(/\D/g, '')
  const plain = number.replaceAll(' ', '')
  return [
    `+${code} ${number}`,
    `+${code}${plain}`,
    `+${code} ${number.replaceAll(' ', '-')}`,
    `+${code}.${number.replaceAll(' ', '.')}`,
    `00${code} ${number}`,
    `00 ${code} ${plain}`,
    ...dashes.slice(0, 3).map((dash) => `+${code}${dash}${number.replaceAll(' ', dash)}`),
    ...blanks.slice(0, 2).map((blank) => `+${code} ${number}`.replaceAll(' ', blank)),
    ...invisible.slice(0, 3).map(([from, to]) => `${from}+${code} ${number}${to}`),
    `+${digits}.0`,
    `https://wa.me/${digits}`,
    `${digits}@s.whatsapp.net`,
    // Longer than any number of Brazil, so that it can be told.
    ...(digits.length >= 12 ? [digits, `${digits}.0`] : []),
  ]
}

function ofOthers(): Spelling[] {
  const plain = abroad.flatMap(([country, code, trunk, listed]) =>
    listed.split('|').flatMap((number) => {
      const written = spelled(code, number)
      if (trunk !== '') written.push(`+${code} (0)${number}`, `+${code} 0${number}`)
      return written.map((one) => ({ country, written: one, phone: `${code}${number.replaceAll(' ', '')}` }))
    }),
  )
  const signed = mobilesWithSigns.flatMap(([country, canon, codes, listed]) =>
    listed.split('|').flatMap((number) =>
      codes.split('|').flatMap((code) =>
        spelled(code, number).map((written) => ({
          country,
          written,
          phone: `${canon}${number.replaceAll(' ', '')}`,
        })),
      ),
    ),
  )
  return [...plain, ...signed]
}

export const spellings: readonly Spelling[] = [
  ...ofBrazil(mobilesOfBrazil),
  ...ofBrazil(landlinesOfBrazil),
  ...ofOthers(),
]

/** All spellings of one person of each country. */
export function onePersonEach(): Map<string, Spelling[]> {
  const byCountry = Map.groupBy(spellings, ({ country }) => country)
  return new Map(
    [...byCountry].map(([country, all]) => [country, all.filter(({ phone }) => phone === all[0]?.phone)]),
  )
}
