import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { writeXlsx } from 'hucre/xlsx'
import { hostileWorkbooks, workbookWith } from '#server/testing/inputs/hostile-workbooks.ts'
import { guessHeaderLine } from '#server/contacts/import/chosen-rows.ts'
import { guessMapping } from '#server/contacts/import/guess.ts'
import { importedRow } from '#shared/text/contacts/imported-row.ts'
import { type KeptRow, keptRows } from './kept-rows.ts'
import { readForeign } from './reading.ts'

const folder = mkdtempSync(join(tmpdir(), 'balcao-reading-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** In the process, as an upload is read. */
async function readAll(bytes: Uint8Array) {
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  const reading = readForeign(path)
  const rows: KeptRow[] = []
  for await (const row of keptRows(() => reading.lines)) rows.push(row)
  return { ...reading.facts(), rows }
}

const table = [
  ['NOME COMPLETO', 'FONE', 'OBS'],
  ['José "Zé" da Conceição', '(21) 98812-4410', 'paga em 28 dias;\nà tarde, \t€ 5'],
  ['Ótica Boa Vista', '92991740388', ''],
]
const bom = Buffer.from([0xef, 0xbb, 0xbf])
const windows1252 = (text: string) =>
  Buffer.from(text.split('').map((sign) => (sign === '€' ? 0x80 : sign.charCodeAt(0))))

describe.each([
  { encoding: 'utf-8', hasBom: false },
  { encoding: 'utf-8', hasBom: true },
  { encoding: 'windows-1252', hasBom: false },
  { encoding: 'windows-1252', hasBom: true },
])('a file in $encoding, with a byte order mark: $hasBom', ({ encoding, hasBom }) => {
  test.each([
    [';', '\r\n'],
    [',', '\n'],
    ['\t', '\r'],
  ])('a file with cells separated by %j, rows by %j, is read as it is', async (separator, end) => {
    const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
    const text = table.map((row) => row.map(quoted).join(separator) + end).join('')
    const body = encoding === 'utf-8' ? Buffer.from(text) : windows1252(text)
    const { form, rows } = await readAll(hasBom ? Buffer.concat([bom, body]) : body)
    expect(form).toEqual({ encoding, hasBom, separator })
    expect(rows.map(({ cells }) => cells)).toEqual(table)
  })
})

test('lines are numbered as a spreadsheet does, blank ones and cells of several lines included', async () => {
  const { rows } = await readAll(Buffer.from('Nome;Fone\n\n"Ana\nPaula";1\n;\nRui;2\n'))
  expect(rows.map(({ line, cells }) => [line, cells[0]])).toEqual([
    [1, 'Nome'],
    [3, 'Ana\nPaula'],
    [5, 'Rui'],
  ])
})

test('rows may be shorter or longer than the header, and have quotation marks inside', async () => {
  const { rows } = await readAll(Buffer.from('Nome;Fone\nAna\nRui "Rui" Sá;2;3\n'))
  expect(rows.map(({ cells }) => cells)).toEqual([['Nome', 'Fone'], ['Ana'], ['Rui "Rui" Sá', '2', '3']])
})

test('line ends may be mixed', async () => {
  const { rows } = await readAll(Buffer.from('Nome;Fone\r\nAna;1\nRui;2\rLia;3'))
  expect(rows.map(({ cells }) => cells[0])).toEqual(['Nome', 'Ana', 'Rui', 'Lia'])
})

test('quotation marks that do not close are said, with the line', async () => {
  const text = `Nome;Fone\nAna;1\n"Rui;2\n${'Lia;3\n'.repeat(400_000)}`
  for (const one of [text, 'Nome;Fone\nAna;1\n"Rui;2\nLia;3\n'])
    await expect(readAll(Buffer.from(one))).rejects.toThrow(
      'Não conseguimos ler este arquivo: há aspas que não fecham depois da linha 2.',
    )
})

test('bytes of no kind are refused though none is zero, and a stray control character is read', async () => {
  const bytes = Buffer.from(Array.from({ length: 4096 }, (_none, n) => 1 + ((n * 37) % 254)))
  await expect(readAll(bytes)).rejects.toThrow('ele não é um texto')
  const { rows } = await readAll(Buffer.from(`Nome\nAna\u0001 Paula\n${'Rui\n'.repeat(50)}`))
  expect(rows).toHaveLength(52)
})

test('bytes that are no text are refused', async () => {
  const utf16 = Buffer.from('\ufeffNome;Fone\n', 'utf16le')
  await expect(readAll(utf16)).rejects.toThrow('Não conseguimos ler este arquivo: ele não é um texto.')
})

const shared = (name: string) => hostileWorkbooks.find((one) => one.name === name)

describe('a spreadsheet', () => {
  test('of a spreadsheet all sheets are read: texts, numbers, dates, results', async () => {
    const bytes = await writeXlsx({
      sheets: [
        {
          name: 'Clientes',
          rows: [
            ['Nome', 'Fone', 'Desde', 'Ativo'],
            ['José; "Zé"', 21_988_124_410, new Date('2026-03-01T00:00:00Z'), true],
            [],
            ['Ana', '+5511987654321', null, false],
          ],
        },
        { name: 'Outra', rows: [['Também', 'é', 'lida']] },
      ],
    })
    const { rows, sheets, format } = await readAll(bytes)
    expect({ format, sheets }).toEqual({
      format: 'xlsx',
      sheets: [
        { name: 'Clientes', rows: 3, hidden: 0 },
        { name: 'Outra', rows: 1, hidden: 0 },
      ],
    })
    expect(rows.map(({ sheet, line, cells }) => [sheet, line, ...cells])).toEqual([
      [0, 1, 'Nome', 'Fone', 'Desde', 'Ativo'],
      [0, 2, 'José; "Zé"', '21988124410', '2026-03-01', 'Sim'],
      [0, 4, 'Ana', '+5511987654321', '', 'Não'],
      [1, 1, 'Também', 'é', 'lida'],
    ])
  })

  test('a cell of a spreadsheet that is an error says nothing, whatever the error is called', async () => {
    const failed = '<c t="e"><v>#PYTHON!</v></c>'
    const bytes = await workbookWith(`<row><c><v>1</v></c>${failed}<c t="str"><v>2</v></c></row>`)
    expect((await readAll(bytes)).rows.map(({ cells }) => cells)).toEqual([['1', '', '2']])
  })

  test.each([
    ['16.7 million empty shared texts', 'ele é grande demais'],
    ['elements within each other, ten million deep', 'ele é grande demais'],
    ['an attribute of 100 MB', 'ele não é uma planilha XLSX inteira'],
    ['sizes of 0 in the directory', 'ele está incompleto'],
    ['rows in the wrong order', 'as linhas da planilha estão fora de ordem'],
    ['a sheet outside of the file', 'ele não é uma planilha XLSX inteira'],
    ['entities that grow a billion times', 'ele não é uma planilha XLSX inteira'],
    ['another archive', 'ele não é uma planilha XLSX inteira'],
  ])('a spreadsheet with %s is refused: %s', async (name, reason) => {
    const bytes = await shared(name)?.bytes()
    await expect(readAll(bytes ?? Buffer.of())).rejects.toThrow(`Não conseguimos ler este arquivo: ${reason}`)
  })

  test.each(['a cell in the last row', 'a cell in the last column of 5,000 rows'])(
    'a spreadsheet with %s is read as one without it',
    async (name) => {
      const { rows } = await readAll((await shared(name)?.bytes()) ?? Buffer.of())
      expect(rows.map(({ cells }) => cells)).toEqual([
        ['Nome', 'Fone'],
        ['Ana', '41987651501'],
      ])
    },
  )
})

test('a first line "sep=" tells the separator, and is no row', async () => {
  const { form, rows } = await readAll(Buffer.from('sep=,\r\nNome,Fone;Obs\r\nAna,1;2\r\n'))
  expect(form?.separator).toBe(',')
  expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
    [2, 'Nome', 'Fone;Obs'],
    [3, 'Ana', '1;2'],
  ])
})

test('the line "sep=;" of Excel is no heading, and the columns below it are known', async () => {
  const { form, rows } = await readAll(Buffer.from('sep=;\r\nNome;Telefone\r\nAna Sep;11987651101\r\n'))
  expect(form?.separator).toBe(';')
  const headerLine = guessHeaderLine(rows)
  const [headings = [], ...people] = rows.filter(({ line }) => line >= headerLine).map(({ cells }) => cells)
  const mapping = guessMapping(headings, people)
  expect({ headings, mapping }).toEqual({ headings: ['Nome', 'Telefone'], mapping: ['name', 'phone'] })
  expect(people.map((cells) => importedRow(cells, mapping, null))).toEqual([
    { contact: expect.objectContaining({ name: 'Ana Sep', phone: '5511987651101' }) },
  ])
})

test.each([
  ['the first row', [['Nome', 'Fone']], 1],
  ['the row below a title and a date', [['Clientes da Loja'], ['Em', '28/11/2026'], ['Nome', 'Fone']], 3],
  ['the first row with two values where no column can be told', [['Loja'], ['A', 'B'], ['C', 'D']], 2],
  ['the first row of a single column', [['A'], ['B']], 1],
] as const)('the headings are taken from %s', (_where, cells, line) => {
  const rows = cells.map((row, n) => ({ sheet: 0, line: n + 1, isHidden: false, cells: [...row] }))
  expect(guessHeaderLine(rows)).toBe(line)
})
