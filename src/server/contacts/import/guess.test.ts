import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { importedRow } from '#shared/text/contacts/imported-row.ts'
import { workbookWith } from '#server/testing/inputs/hostile-workbooks.ts'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import { type KeptRow, keptRows } from './reading/kept-rows.ts'
import { readForeign } from './reading/reading.ts'
import { guessMapping } from './guess.ts'

const fieldsOf = (fields: string) => fields.split(' ').map((field) => (field === '-' ? null : field))

test.each([
  ['NOME COMPLETO;FONE;E-MAIL;RAZAO SOCIAL;TIPO;OBS;CPF', 'name phone email company category notes -'],
  [
    'Nome;Telefone;Email;Empresa;Categoria;Etiquetas;Notas;Bloqueado;Criado em',
    'name phone email company category tags notes - -',
  ],
  ['nome_da_empresa;Contato;Celular', 'company name phone'],
  ['Cliente;WhatsApp;Correio;Tags;Observações', 'name phone email tags notes'],
  ['Razão Social;Nome Fantasia;Telefone 1;Telefone 2', 'company name phone phone'],
  ['Nome;Telefone;Telefone do vendedor;Celular', 'name phone - phone'],
  ['Nome;Sobrenome;Celular', 'name name phone'],
  ['Nome completo;Nome;Sobrenome;Celular', 'name - - phone'],
  ['Código;Valor', '- -'],
])('the columns of the header %s are guessed by their names', (headers, fields) => {
  expect(guessMapping(headers.split(';'))).toEqual(fieldsOf(fields))
})

test('a column is that of the sector where there are any, unless it is of something else', () => {
  const headings = ['Nome', 'Telefone', 'Setor fixo', 'Setor de atuação']
  expect(guessMapping(headings, [], { hasSectors: true })).toEqual(['name', 'phone', 'sector', null])
  expect(guessMapping(headings)).toEqual(['name', 'phone', null, null])
})

test.each([
  [
    'a heading that says nothing',
    'A;B;C',
    ['Ana Sá;41987651501;ana@x.example', 'Rui;41987651502;'],
    'name phone email',
  ],
  ['a heading that says another thing', 'Nome;Contato', ['Ana;41987651501', 'Rui;41987651502'], 'name phone'],
  ['a telephone column with kinds in it', 'Nome;Phone;Value', ['Ana;Mobile;41987651501'], 'name - phone'],
  ['a column of tax numbers', 'Nome;CPF;Fone', ['Ana;41987651501;41987651501'], 'name - phone'],
  [
    'cities beside names',
    'Cidade;Quem;Fone',
    ['Bagé;Ana;41987651501', 'Bagé;Rui;41987651502'],
    '- name phone',
  ],
  ['telephones of which none can be read', 'Nome;Telefone', ['Ana;ramal 2', 'Rui;?'], 'name phone'],
])('the columns below %s are guessed by what is in them', (_what, header, rows, fields) => {
  const cells = rows.map((row) => row.split(';'))
  expect(guessMapping(header.split(';'), cells)).toEqual(fieldsOf(fields))
})

const addressBook = (name: string) => fileURLToPath(new URL(`reading/address-books/${name}`, import.meta.url))

/** What the columns that are guessed make of the rows of a file. */
async function importedFrom(path: string) {
  expect(readFileSync(path).length).toBeGreaterThan(0)
  const rows: KeptRow[] = []
  for await (const row of keptRows(() => readForeign(path).lines)) rows.push(row)
  const [headings = [], ...cells] = rows.map((row) => row.cells)
  const mapping = guessMapping(headings, cells)
  return cells.map((row) => {
    const read = importedRow(row, mapping, null)
    if ('error' in read) return read.error.text
    const { contact } = read
    return [contact.name, contact.phone, contact.email, contact.company, contact.tags.join(), contact.notes]
  })
}

test.each([
  [
    'google.csv',
    ['Beatriz Nogueira', '5511987651601', 'bia@x.example', 'Mercado Azul', '', ''],
    ['Carlos', '5511987651603', '', '', '', ''],
  ],
  [
    'google-former.csv',
    ['Elisa Prado', '5511987651701', 'elisa@y.example', 'Prado Ltda', 'Atacado', 'Prefere manhã'],
    ['Fábio Reis', '5511987651702', 'fabio@y.example', '', '', ''],
  ],
  [
    'outlook.csv',
    ['Gilda Maria Alves', '5511987651801', 'gilda@z.example', 'Alves SA', 'Atacado,VIP', 'Liga\nà tarde'],
    ['Heitor Braga', '5511987651802', 'heitor@z.example', '', '', ''],
  ],
  [
    'outlook-portugues.csv',
    ['Inês Conceição', '5511987651901', 'ines@w.example', 'Ótica Sol', 'Cliente', 'à vista'],
    ['Jorge de Sá', '5511987651902', '', '', '', ''],
  ],
  [
    'icloud.vcf',
    [
      'Kátia Nunes',
      '5511987652001',
      'katia@icloud.example',
      'Nunes, Filhos e Cia',
      'Atacado,Sul',
      'Paga em 28 dias;\nliga à tarde e pergunta sempre pelo mesmo vendedor que a atendeu da primeira vez',
    ],
    ['Lauro Dias Lopes', '5511987652002', '', '', '', ''],
  ],
  [
    'android-2.1.vcf',
    [
      'Mário Conceição',
      '5511987652101',
      'mario@android.example',
      'Conceicao ME',
      '',
      'Entrega à tarde\nNo portão',
    ],
    ['Nadir', '5511987652102', '', '', '', ''],
  ],
  [
    'version-4.vcf',
    ['Olga Pires', '5511987652201', 'olga@loja.example', 'Pires', 'VIP,A B', ''],
    ['Paulo', '5511987652202', '', '', '', ''],
  ],
])(
  'the people of the address book %s are read with the columns that are guessed',
  async (name, ...people) => {
    expect(await importedFrom(addressBook(name))).toEqual(people)
  },
)

const failed = (
  '#DIV/0! #N/A #N/D #REF! #VALUE! #VALOR! #NAME? #NOME? #NUM! #NÚM! #NULL! #NULO! #SPILL! #DESPEJAR! ' +
  '#CALC! #CÁLC! #FIELD! #CAMPO! #BUSY! #ERROR! #ERRO! #GETTING_DATA #OBTENDO_DADOS ######## Err:502 Erro:508'
).split(' ')
const headings = ['Nome', 'Telefone', 'E-mail', 'Empresa', 'Etiquetas', 'Observações']
/** A row without its name, one without its telephone, and one that has nothing else. */
const rowsWith = (said: string) => [
  [said, '41987651501', '', '', '', ''],
  ['Ana', said, '', '', '', ''],
  ['Ana', '41987651501', said, said, said, said],
]
const written = (cells: string[], typeOf: (cell: string) => string) =>
  `<row>${cells.map((cell) => (cell === '' ? '<c/>' : typeOf(cell))).join('')}</row>`
const asText = (cell: string) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`
const asError = (cell: string) => (cell.startsWith('#') ? `<c t="e"><v>${cell}</v></c>` : asText(cell))

test.each([
  ['a CSV file', (rows: string[][]) => Buffer.from(rows.map((row) => `${row.join(';')}\r\n`).join(''))],
  ['a spreadsheet', (rows: string[][]) => workbookWith(...rows.map((row) => written(row, asError)))],
  ['texts of a spreadsheet', (rows: string[][]) => workbookWith(...rows.map((row) => written(row, asText)))],
] as const)('what a spreadsheet could not compute says nothing in %s', async (_where, fileOf) => {
  const path = join(folderForTests(), 'file')
  const said = ['', ...failed]
  writeFileSync(path, await fileOf([headings, ...said.flatMap(rowsWith)]))
  const nothing = [
    expect.stringContaining('Nome'),
    expect.stringContaining('Telefone'),
    ['Ana', '5541987651501', '', '', '', ''],
  ]
  expect(await importedFrom(path)).toEqual(said.flatMap(() => nothing))
})

test('what only looks like an error of a spreadsheet is what somebody wrote', async () => {
  const path = join(folderForTests(), 'file')
  const notes = ['#VIP!', '#N/A?', 'deu #N/D', '#REF! antigo', '##', 'Err: 502', '#n/a dele']
  const rows = notes.map((said) => ['Ana', '41987651501', '', '', '', said])
  writeFileSync(path, [headings, ...rows].map((row) => row.join(';')).join('\n'))
  expect((await importedFrom(path)).map((row) => row.at(-1))).toEqual(notes)
})
