import { blockedExtensions } from './media.ts'

function bold(letter: string) {
  if (letter === '-') return letter
  return String.fromCodePoint(
    /\d/.test(letter) ? 0x1d7ce + Number(letter) : 0x1d41a + letter.charCodeAt(0) - 'a'.charCodeAt(0),
  )
}

/** Ways to hide a file's extension in its name. */
export const disguises: Readonly<Record<string, (extension: string) => string>> = {
  plain: (ext) => `x.${ext}`,
  'upper case': (ext) => `x.${ext.toUpperCase()}`,
  'mixed case': (ext) => `x.${ext[0]?.toUpperCase()}${ext.slice(1)}`,
  'a dot behind it': (ext) => `x.${ext}.`,
  'dots and spaces behind it': (ext) => `x.${ext}. . .`,
  'a space behind it': (ext) => `x.${ext} `,
  'another extension before it': (ext) => `x.jpg.${ext}`,
  'a space of no width in it': (ext) => `x.${ext[0]}\u200b${ext.slice(1)}`,
  'a space of no width behind it': (ext) => `x.${ext}\u200b`,
  'a mark of byte order before it': (ext) => `x.\ufeff${ext}`,
  'letters turned round': (ext) => `x\u202egpj.${ext}`,
  'a soft hyphen in it': (ext) => `x.${ext.slice(0, 1)}\u00ad${ext.slice(1)}`,
  'a NUL behind it': (ext) => `x.${ext}\0`,
  'a line break behind it': (ext) => `x.${ext}\n`,
  'letters of full width': (ext) =>
    `x.${Array.from(ext, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join('')}`,
  'bold letters of mathematics': (ext) => `x.${Array.from(ext, bold).join('')}`,
  'a dot of full width': (ext) => `x．${ext}`,
  'a dot that leads to a page number': (ext) => `x․${ext}`,
  'a sign for how letters look in it': (ext) => `x.${ext[0]}\ufe0f${ext.slice(1)}`,
  'a stream of its own': (ext) => `x.${ext}::$DATA`,
  'a path before it': (ext) => `../../var/www/x.${ext}`,
  'a path of Windows before it': (ext) => `C:\\inetpub\\x.${ext}`,
  'nothing before it': (ext) => `.${ext}`,
  'a very long name before it': (ext) => `${'x'.repeat(500)}.${ext}`,
  'long emoji before it': (ext) => `${'👩‍🚒'.repeat(200)}.${ext}`,
}

/** Every blocked extension in every disguise, for tests. */
export const disguisedNames: readonly string[] = Object.values(disguises).flatMap((disguise) =>
  Array.from(blockedExtensions, disguise),
)
