import { expect, test } from 'vitest'
import { planImport } from './plan.ts'
import { readReplies, Unreadable } from './read-file.ts'

const read = (text: string) => readReplies(new TextEncoder().encode(text))

test('the CSV of Chatwoot is read, with its fields and its bold type as ours', () => {
  const { replies, refused } = read(
    'id,short_code,content\r\n' +
      '1,ola,"Oi, {{contact.first_name}}! Aqui é {{ agent.name }}, **da loja**"\r\n' +
      '2,fim,"Linha um\nLinha ""dois"" de {{inbox.name}}"\r\n' +
      '3,,sem atalho\r\n',
  )
  expect(replies).toEqual([
    { shortcut: 'ola', text: 'Oi, {{firstName}}! Aqui é {{operator}}, *da loja*', notes: [] },
    {
      shortcut: 'fim',
      text: 'Linha um\nLinha "dois" de {{inbox_name}}',
      notes: ['{{inbox_name}} se preenche à mão'],
    },
  ])
  expect(refused).toEqual([{ shortcut: '', reason: 'sem atalho' }])
})

test('the JSON of Ticketz and whaticket is read, alone and as a page of their APIs', () => {
  const rows = [
    { id: 1, shortcode: '/bom dia', message: 'Bom dia, {{name}}', companyId: 1, mediaPath: null },
    { id: 2, shortcode: 'nota', message: 'Segue', companyId: 1, mediaPath: 'a.pdf', mediaName: 'a.pdf' },
    { id: 3, shortcode: 'so-arquivo', message: null, companyId: 1, mediaPath: 'a.pdf' },
  ]
  const expected = {
    replies: [
      { shortcut: 'bom-dia', text: 'Bom dia, {{contact}}', notes: ['o atalho era /bom dia'] },
      { shortcut: 'nota', text: 'Segue', notes: ['o arquivo não vem'] },
    ],
    refused: [{ shortcut: 'so-arquivo', reason: 'sem texto' }],
  }
  expect(read(JSON.stringify(rows))).toEqual(expected)
  expect(read(JSON.stringify({ count: 3, records: rows, hasMore: false }))).toEqual(expected)
  expect(read('{"quickAnswers":[{"shortcut":"oi","message":"Olá"}]}').replies).toEqual([
    { shortcut: 'oi', text: 'Olá', notes: [] },
  ])
})

test('a file of Excel is read: semicolons, and the code page of Windows', () => {
  const bytes = Uint8Array.from(
    Array.from('atalho;mensagem\nprazo;São dois dias', (sign) => sign.charCodeAt(0)),
  )
  expect(readReplies(bytes).replies).toMatchObject([{ shortcut: 'prazo', text: 'São dois dias' }])
})

test.each([
  ['', 'O arquivo está vazio.'],
  ['[]', 'O arquivo está vazio.'],
  ['{"a": ', 'O JSON do arquivo está incompleto.'],
  ['nome,telefone\nAna,11', 'O arquivo precisa das colunas short_code e content, ou shortcode e message.'],
  ['short_code,content\nola,"sem fim', 'Há aspas que não fecham no arquivo.'],
])('the file %j is refused with a reason', (text, message) => {
  expect(() => read(text)).toThrow(new Unreadable(message))
})

test('a text that is too long is left out, and said', () => {
  expect(read(JSON.stringify([{ shortcut: 'x', message: 'a'.repeat(4097) }])).refused).toEqual([
    { shortcut: 'x', reason: 'texto longo demais' },
  ])
})

test('what is there does not come again, and a shortcut that is taken gets a number', () => {
  const file = read('short_code,content\npix,Chave\nPIX,Outra\npix,Chave\nola,Oi\n,x')
  const planned = planImport(file, [{ shortcut: 'Pix', text: 'Da loja' }])
  expect(planned).toEqual([
    { shortcut: 'pix-2', text: 'Chave', state: 'renamed', notes: ['/pix já existe'] },
    { shortcut: 'PIX-3', text: 'Outra', state: 'renamed', notes: ['/PIX já existe'] },
    { shortcut: 'pix', text: '', state: 'there', notes: ['já existe'] },
    { shortcut: 'ola', text: 'Oi', state: 'new', notes: [] },
    { shortcut: '', text: '', state: 'refused', notes: ['sem atalho'] },
  ])
})

test('no more come than there is room for', () => {
  const there = Array.from({ length: 199 }, (_, n) => ({ shortcut: `a${n}`, text: 'x' }))
  const planned = planImport(read('short_code,content\num,x\ndois,y'), there)
  expect(planned.map(({ state, notes }) => [state, ...notes])).toEqual([['new'], ['refused', 'só cabem 200']])
})

test('none come where there are already more than there is room for', () => {
  const there = Array.from({ length: 201 }, (_, n) => ({ shortcut: `a${n}`, text: 'x' }))
  const planned = planImport(read('short_code,content\num,x'), there)
  expect(planned.map(({ state }) => state)).toEqual(['refused'])
})

test('a field with a filter of Liquid is read as the field', () => {
  const { replies } = read(
    "short_code;content\nola;Oi, {{ contact.name | default: 'cliente' }}! {{inbox.name|upcase | strip}}",
  )
  expect(replies.map(({ text }) => text)).toEqual(['Oi, {{contact}}! {{inbox_name}}'])
})
