import { expect, test } from 'vitest'
import { blockedExtensionOf, blockedExtensions, extensionOf, finalFileName } from './media.ts'

const blocked = (given: string) => blockedExtensionOf(finalFileName(given))

/** Ways in which a name hides what a system would take it for. */
const disguises: Record<string, (ext: string) => string> = {
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
  'a dot of full width': (ext) => `x．${ext}`,
  'a stream of its own': (ext) => `x.${ext}::$DATA`,
  'a path before it': (ext) => `../../var/www/x.${ext}`,
  'a path of Windows before it': (ext) => `C:\\inetpub\\x.${ext}`,
  'nothing before it': (ext) => `.${ext}`,
  'a very long name before it': (ext) => `${'x'.repeat(500)}.${ext}`,
  'long emoji before it': (ext) => `${'👩‍🚒'.repeat(200)}.${ext}`,
}

test.each(Object.entries(disguises))('a program with %s is known by its extension', (_name, disguise) => {
  const missed = [...blockedExtensions].filter((ext) => blocked(disguise(ext)) !== ext)
  expect(missed).toEqual([])
})

test('what only looks like a program passes', () => {
  for (const name of [
    'boleto.empresa.com.br.pdf',
    'x.php.jpg',
    'x.php;.jpg',
    'php',
    'relatório final (2).docx',
    'nota fiscal 48.213.pdf',
    'Ata_reunião.js.pdf',
    'x.jsx',
    'planilha.xlsx',
    'nfe.xml',
    'extrato.ofx',
    'foto.HEIC',
    '...',
    '',
  ])
    expect([name, blocked(name)]).toEqual([name, undefined])
})

test.each([
  ['', 'arquivo'],
  ['...', 'arquivo'],
  ['../../', 'arquivo'],
  ['\0\u200b ', 'arquivo'],
  ['C:\\notas\\nota.pdf', 'nota.pdf'],
  ['/etc/passwd', 'passwd'],
  ['Ata das 10:30.pdf', 'Ata das 10 30.pdf'],
  ['relato\u0301rio.pdf', 'relatório.pdf'],
  ['  com espaços .pdf ', 'com espaços .pdf'],
  ['x\u202egpj.pdf', 'xgpj.pdf'],
  ['تقرير.pdf', 'تقرير.pdf'],
])('%j is called %s', (given, name) => {
  expect(finalFileName(given)).toBe(name)
})

test('a name is never empty, never a path, never long, and stays as it is when it is made once more', () => {
  const strange = [
    'a'.repeat(1000),
    `${'é'.repeat(400)}.pdf`,
    '👩‍🚒'.repeat(300),
    'a/b\\c:d',
    '. .',
    '\u0300.pdf',
  ]
  for (const given of [...strange, ...Object.values(disguises).map((disguise) => disguise('pdf'))]) {
    const name = finalFileName(given)
    expect(name).not.toMatch(/[/\\:\0\u200b\u202e]/)
    expect(Array.from(name).length).toBeGreaterThan(0)
    expect(Array.from(name).length).toBeLessThanOrEqual(220)
    expect(finalFileName(name)).toBe(name)
  }
})

test.each([
  ['foto.JPG', 'jpg'],
  ['sem', ''],
  ['x.', ''],
  ['x.tar.gz', 'gz'],
  ['x.pd f', ''],
  ['x.aaaaaaaaaaaaaaaaa', ''],
])('%s ends in %j', (name, extension) => {
  expect(extensionOf(name)).toBe(extension)
})
