import { describe, expect, test } from 'vitest'
import { writeXlsx } from 'hucre/xlsx'
import { guessMapping } from './guess.ts'
import { formOfCsv, type OpenFile, rowsOfCsv, type SheetRow } from './sheet-file.ts'
import { linesOfSpreadsheet } from './spreadsheet.ts'

/** In pieces of a few bytes, so that no sign comes whole. */
const opener = (bytes: Buffer): OpenFile =>
  async function* () {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
  }
const readAll = async (bytes: Buffer) => {
  const open = opener(bytes)
  const form = await formOfCsv(bytes, open)
  const rows: SheetRow[] = []
  for await (const row of rowsOfCsv(open, form)) rows.push(row)
  return { form, rows }
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
    [2, ''],
    [3, 'Ana\nPaula'],
    [4, ''],
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

test('bytes that are no text are refused', async () => {
  const utf16 = Buffer.from('\ufeffNome;Fone\n', 'utf16le')
  await expect(readAll(utf16)).rejects.toThrow('Não conseguimos ler este arquivo: ele não é um texto.')
})

describe('a spreadsheet', () => {
  const linesOf = async (bytes: Uint8Array) => {
    const pieces: Buffer[] = []
    for await (const piece of linesOfSpreadsheet(Buffer.from(bytes))) pieces.push(piece)
    return (await readAll(Buffer.concat(pieces))).rows
  }

  test('of a spreadsheet the first sheet is read: texts, numbers, dates, results', async () => {
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
        { name: 'Outra', rows: [['Não', 'é', 'lida']] },
      ],
    })
    const rows = await linesOf(bytes)
    expect(rows.map(({ line, cells }) => [line, ...cells]).filter(([, name]) => name !== '')).toEqual([
      [1, 'Nome', 'Fone', 'Desde', 'Ativo'],
      [2, 'José; "Zé"', '21988124410', '2026-03-01', 'Sim'],
      [4, 'Ana', '+5511987654321', '', 'Não'],
    ])
  })

  test('a spreadsheet that is cut off, or is another archive, is refused with a message', async () => {
    const bytes = await writeXlsx({ sheets: [{ name: 'A', rows: [['Nome'], ['Ana']] }] })
    await expect(linesOf(bytes.subarray(0, bytes.length / 2))).rejects.toThrow(
      'Não conseguimos ler este arquivo: ele está incompleto.',
    )
    const changed = Buffer.from(bytes)
    changed.fill(0, 40, 200)
    await expect(linesOf(changed)).rejects.toThrow('Não conseguimos ler este arquivo:')
  })

  test('a spreadsheet that would fill the memory is refused before it is unpacked', async () => {
    const bytes = Buffer.from(await writeXlsx({ sheets: [{ name: 'A', rows: [['Nome'], ['Ana']] }] }))
    const entry = bytes.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'))
    bytes.writeUInt32LE(0xfffffff0, entry + 24)
    await expect(linesOf(bytes)).rejects.toThrow('a planilha é grande demais')
  })
})

test.each([
  ['NOME COMPLETO;FONE;E-MAIL;RAZAO SOCIAL;TIPO;OBS;CPF', 'name phone email company category notes -'],
  [
    'Nome;Telefone;Email;Empresa;Categoria;Etiquetas;Notas;Bloqueado;Criado em',
    'name phone email company category tags notes - -',
  ],
  ['nome_da_empresa;Contato;Celular', 'company name phone'],
  ['Cliente;WhatsApp;Correio;Tags;Observações', 'name phone email tags notes'],
  ['Razão Social;Nome Fantasia;Telefone 1;Telefone 2', 'company name phone -'],
  ['Código;Valor', '- -'],
])('the columns of the header %s are guessed', (headers, fields) => {
  const wanted = fields.split(' ').map((field) => (field === '-' ? null : field))
  expect(guessMapping(headers.split(';'))).toEqual(wanted)
})
