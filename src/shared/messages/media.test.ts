import { expect, test } from 'vitest'
import { disguisedNames, disguises } from './disguised-names.ts'
import { blockedExtensionOf, blockedExtensions, extensionOf, finalFileName } from './media.ts'

const blocked = (given: string) => blockedExtensionOf(finalFileName(given))

test.each(Object.entries(disguises))('a program with %s is known by its extension', (_name, disguise) => {
  const missed = [...blockedExtensions].filter((ext) => blocked(disguise(ext)) !== ext)
  expect(missed).toEqual([])
})

// Written out once more, so that one that is dropped from the list is missed.
const named = (
  'php asp aspx jsp js jar exe bat cmd com scr pif vbs vbe ws wsh ps1 py rb pl sh bash msi deb rpm ' +
  'dmg pkg app apk ipa sql db sqlite reg inf sys dll lib so dylib bin hex run action application ' +
  'command workflow hta jse wsc wsf'
).split(' ')
const alsoNamed = (
  'lnk url cpl chm xll jnlp iso vhd vhdx msc msp mst scf appx msix hlp gadget img psm1 sct ' +
  'appref-ms library-ms search-ms searchconnector-ms settingcontent-ms docm dotm xlsm xlsb xltm ' +
  'xlam xla slk iqy pptm potm ppam ppsm one'
).split(' ')

test.each([...named, ...alsoNamed])('a file of type .%s is refused', (extension) => {
  expect(blocked(`x.${extension}`)).toBe(extension)
})

test('they are more than the 1,224 names of the agreement', () => {
  expect(disguisedNames.length).toBeGreaterThanOrEqual(1224)
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
  // Names arrive as they were given: only what disguises is taken out.
  ['2ª via — boleto nº 12 (½).pdf', '2ª via — boleto nº 12 (½).pdf'],
  ['Área 40 m².pdf', 'Área 40 m².pdf'],
  ['Contrato™ 1º termo….pdf', 'Contrato™ 1º termo….pdf'],
  ['📦 👩‍🚒.pdf', '📦 👩‍🚒.pdf'],
  ['❤️ 👍🏽.pdf', '❤️ 👍🏽.pdf'],
  ['a\u200db\ufe0f.pdf', 'ab.pdf'],
])('a file named %j is stored as %s', (given, name) => {
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
    'e\ufe0f\u0301.pdf',
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
])('the extension of the file name %s is %j', (name, extension) => {
  expect(extensionOf(name)).toBe(extension)
})
