import { expect, test } from 'vitest'
import { sendEveryKind } from '#server/testing/inputs/every-kind.ts'
import { unzip } from '#server/testing/files/unzip.ts'
import { pathOf } from './export.ts'
import { given } from '#server/testing/given.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { above, eventually, forAllTests, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

async function download(id: number, who = chefe) {
  const answer = await fetch(`${t.app.url}/api/contacts/${id}/personal-data`, {
    headers: { authorization: `Bearer ${who.token}` },
  })
  return { answer, files: await unzip(Buffer.from(await answer.arrayBuffer())) }
}

test('what the team noted about a person is given to them, and marked as a note', async () => {
  const { id, contactId } = await given.conversation(t, chefe)
  await chefe.request('POST', `/api/conversations/${id}/notes`, { content: 'mora na rua Verde-Musgo' })
  const { files } = await download(contactId)
  const data = JSON.parse(files.get('dados.json')?.toString('utf8') ?? '') as {
    conversas: { mensagens: { tipo: string; texto: string }[] }[]
  }
  expect(data.conversas[0]?.mensagens.at(-1)).toMatchObject({
    tipo: 'note',
    texto: 'mora na rua Verde-Musgo',
  })
  const page = [...files].find(([path]) => path.endsWith('.html'))?.[1].toString('utf8') ?? ''
  expect(page).toMatch(/Nota interna[^]*mora na rua Verde-Musgo/)
})

const hostile = `<script>alert(1)</script>"'&<img src=x onerror=alert(2)>`

test('gives all that there is of a person, to read and as JSON, with the files', async () => {
  const talk = await newTalk(t, chefe, '5511955551234')
  const { id, contactId, protocol } = talk.conversation
  sendEveryKind(t.simulator, talk.phoneId, 'meu-dado')
  await t.settled()
  await eventually(() => t.sql`select 1 from files where message_id is not null`, { length: above(1) })
  const company = await chefe.request<{ id: number }>('POST', '/api/companies', { name: 'Padaria Sol' })
  await chefe.request('PUT', `/api/contacts/${contactId}`, {
    name: hostile,
    notes: hostile,
    email: 'rita@a.example',
    companyId: company.body.id,
  })
  await chefe.request('POST', `/api/conversations/${id}/finalize`, { notes: 'tudo certo' })
  await t.sql`insert into conversation_ratings
                (conversation_id, contact_id, service_rating, operator_rating, feedback)
              values (${id}, ${contactId}, 5, 4, 'muito bom')`

  const { answer, files } = await download(contactId)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="dados-do-contato-\d+\.zip"$/,
  )
  expect(answer.headers.get('cache-control')).toBe('no-store')

  const data = JSON.parse(files.get('dados.json')?.toString('utf8') ?? '') as {
    contato: { nome: string; telefone: string; empresa: string; identidades: unknown[] }
    conversas: { protocolo: string; mensagens: { texto: string; arquivo: string | null; tipo: string }[] }[]
    avaliacoes: unknown[]
    arquivos: { arquivo: string; bytes: number }[]
    acessos: { acao: string; quem: string }[]
  }
  expect(data.contato).toMatchObject({ nome: hostile, telefone: '5511955551234', empresa: 'Padaria Sol' })
  expect(data.contato.identidades.length).toBeGreaterThan(0)
  expect(data.conversas.map(({ protocolo }) => protocolo)).toEqual([protocol])
  const messages = data.conversas[0]?.mensagens ?? []
  const [stored] = await t.sql<{ n: number }>`
    select count(*)::int as n from messages where conversation_id = ${id}`
  expect(messages.length).toBe(stored?.n)
  expect(messages.filter(({ texto }) => texto.includes('meu-dado')).length).toBeGreaterThan(8)
  expect(messages.find(({ texto }) => texto === 'depois meu-dado')).toMatchObject({
    textosAnteriores: [{ texto: 'antes meu-dado' }],
  })
  expect(data.avaliacoes).toMatchObject([{ atendimento: 5, operador: 4, comentario: 'muito bom' }])
  expect(data.acessos).toContainEqual(expect.objectContaining({ acao: 'contact.change', quem: 'Chefe' }))

  // Every file that is listed is there, with its bytes, and every one that is there is listed.
  const inFolder = [...files.keys()].filter((name) => name.startsWith('arquivos/'))
  expect(inFolder.toSorted()).toEqual(data.arquivos.map(({ arquivo }) => arquivo).toSorted())
  for (const { arquivo, bytes } of data.arquivos) expect(files.get(arquivo)?.length).toBe(bytes)
  expect(messages.filter(({ arquivo }) => arquivo !== null).length).toBe(inFolder.length)

  const page = files.get('index.html')?.toString('utf8') ?? ''
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;&lt;img')
  expect(page).not.toMatch(/<script|<img|onerror=(?!alert\(2\)&gt;)/)
  expect(page).toContain("default-src 'none'")
  expect(page).toContain(`Protocolo ${protocol}`)
  expect(page).toContain('muito bom')
})

test.each([
  ['pagina.html', 'pagina.html.txt'],
  ['imagem.SVG', 'imagem.SVG.txt'],
  ['conta.pdf.html.', 'conta.pdf.html.txt'],
  ['roteiro.js ', 'roteiro.js.txt'],
  ['estranho.ｈｔｍｌ', 'estranho.ｈｔｍｌ.txt'],
  [`${'x'.repeat(120)}.xhtml`, `${'x'.repeat(94)}.xhtml.txt`],
  ['conta.pdf', 'conta.pdf'],
  ['Foto da loja.JPG', 'Foto da loja.JPG'],
  ['sem-extensao', 'sem-extensao'],
  [null, 'arquivo.html.txt'],
])('a file of a client named %s is in the archive as %s, which opens no script', (fileName, expected) => {
  const file = { name: 'abc', messageId: 7, mimeType: 'text/html', sizeBytes: 1, fileName }
  expect(pathOf(file, 0)).toBe(`arquivos/0001-${expected}`)
})

test('is written down, and is a request in the register', async () => {
  const conversation = await given.conversation(t, chefe)
  await download(conversation.contactId)
  const audited = await t.sql`
    select user_id as "userId" from audit_logs
     where action = 'contact.personal_data' and resource_id = ${String(conversation.contactId)}`
  expect(audited).toEqual([{ userId: chefe.userId }])
  const body = await chefe.get<{ requests: unknown[]; pagination: { total: number } }>(
    '/api/privacy-requests?limit=1',
  )
  expect(body.requests).toMatchObject([
    { kind: 'export', contactId: conversation.contactId, proof: { conversations: 1, messages: 1 } },
  ])
  expect(body.pagination.total).toBeGreaterThan(0)
})

test('the data of a contact that does not exist are not found', async () => {
  expect((await chefe.request('GET', '/api/contacts/2000000000/personal-data')).status).toBe(404)
})

test('a client that breaks it off leaves the server as it was', async () => {
  const conversation = await given.conversation(t, chefe)
  for (let round = 0; round < 5; round++) {
    const leaving = new AbortController()
    const answer = await fetch(`${t.app.url}/api/contacts/${conversation.contactId}/personal-data`, {
      headers: { authorization: `Bearer ${chefe.token}` },
      signal: leaving.signal,
    })
    leaving.abort()
    expect(answer.status).toBe(200)
  }
  expect((await download(conversation.contactId)).files.has('dados.json')).toBe(true)
})
