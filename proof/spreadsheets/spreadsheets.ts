import { setTimeout as sleep } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import type { ContactImport } from '#shared/contacts/contact-imports.ts'
import { formulaVectors } from '#server/testing/inputs/formula-vectors.ts'
import { startOwnServer } from '#server/testing/servers/own-server.ts'
import { read } from '../support/http.ts'
import { Program } from '../support/program.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import { makeTemporaryFolder } from '../support/throwaway-database.ts'
import { cellsIn, csvFilter, formulasIn, type Office, openOffice } from './office.ts'

const admin = { username: 'chefe', password: 'senha-do-chefe-1' }

interface Environment {
  office: Office
  url: string
  token: string
}

const bom = Buffer.from([0xef, 0xbb, 0xbf])
const head = ['Nome', 'Telefone', 'Categoria', 'Notas']
const telephone = (ddd: number, n: number) =>
  `(${ddd}) 9${Math.floor(1000 + n / 10_000)}-${String(n % 10_000).padStart(4, '0')}`

/** What nobody would write, and what everybody does; only the latter has signs of every encoding alone. */
const hostile = formulaVectors.map((vector, n) => [vector, telephone(11, n), 'Lead', vector])
const notes = [
  'paga em 28 dias; à tarde, "sem falta"',
  'duas\nlinhas',
  'ação, coração, € 5',
  '+5511987654321',
  '',
]
const ordinary = Array.from({ length: 200 }, (_, n) => [
  `${['Conceição', 'José', 'Zoë', 'Ñuño'][n % 4]} Araújo ${n}`,
  telephone(21, n),
  'Fornecedor',
  notes[n % notes.length] ?? '',
])

async function download({ url, token }: Environment, query: Record<string, string>): Promise<Buffer> {
  const answer = await fetch(`${url}/api/contacts/export?${new URLSearchParams(query).toString()}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (answer.status !== 200) throw new Error(`the export was answered ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

/** Imports a file to its end. */
async function importFile(
  { url, token }: Environment,
  { name, bytes }: { name: string; bytes: Buffer },
): Promise<ContactImport> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  const answer = await fetch(`${url}/api/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (answer.status !== 201) throw new Error(`${name} was answered ${answer.status}: ${await answer.text()}`)
  const { id, mapping } = (await answer.json()) as ContactImport
  const path = `${url}/api/contacts/imports/${id}`
  await read(`${path}/start`, { method: 'POST', token, body: { mapping, known: 'update' } })
  for (;;) {
    const job = await read<ContactImport>(path, { method: 'GET', token })
    if (job.state !== 'running') return job
    await sleep(50)
  }
}

interface Opened {
  name: string
  cells: number
  formulas: string[]
}

const open = (office: Office, name: string, bytes: Buffer): Opened => {
  const sheet = office.convert(
    { name, bytes },
    'fods',
    name.endsWith('.csv') ? csvFilter(';', 'utf-8') : undefined,
  )
  return { name, cells: cellsIn(sheet), formulas: formulasIn(sheet) }
}

/**
 * Opens what is exported in LibreOffice, where no cell may be a formula, and imports what LibreOffice saves,
 * which must be the contacts that are there.
 */
export const spreadsheets = defineScenario({
  options: {},
  nightly: {},

  async arrange({ defer }) {
    const { dataDir, remove } = makeTemporaryFolder('spreadsheets')
    defer(remove)
    const office = openOffice(dataDir)
    const server = await startOwnServer()
    defer(() => server.close())
    await server.query('create role balcao login')
    await server.query('create database balcao owner balcao')
    const program = await Program.start({
      args: [],
      env: {
        DATA_DIR: dataDir,
        DATABASE_URL: server.url('balcao', 'balcao'),
        ADMIN_USERNAME: admin.username,
        ADMIN_EMAIL: 'chefe@exemplo.com.br',
        ADMIN_PASSWORD: admin.password,
      },
    })
    defer(() => program.stop())
    const { token } = await read<{ token: string }>(`${program.url}/api/auth/login`, {
      method: 'POST',
      body: admin,
    })
    return { office, url: program.url, token } satisfies Environment
  },

  async act(at, { print }) {
    const people = stringify([head, ...hostile, ...ordinary], { delimiter: ';' })
    const filled = await importFile(at, { name: 'todos.csv', bytes: Buffer.from(people) })
    const exported = {
      csv: await download(at, { format: 'csv' }),
      xlsx: await download(at, { format: 'xlsx' }),
      ordinary: await download(at, { format: 'xlsx', category: 'Fornecedor' }),
    }
    const opened = [
      open(at.office, 'contatos.csv', exported.csv),
      open(at.office, 'planilha.xlsx', exported.xlsx),
    ]
    // What a file without protection would do, so that the search for formulas is known to find them.
    const bare = stringify([head, ...hostile], { delimiter: ';' })
    const control = open(at.office, 'sem-protecao.csv', Buffer.from(bare))
    print(`  ${control.formulas.length} of ${hostile.length * 2} cells are formulas without protection`)

    const saved: { form: string; job: ContactImport }[] = []
    for (const encoding of ['utf-8', 'windows-1252'] as const)
      for (const separator of [';', ','] as const) {
        const bytes = at.office.convert(
          { name: 'salva.xlsx', bytes: exported.ordinary },
          `csv:${csvFilter(separator, encoding)}`,
        )
        for (const hasBom of [false, true]) {
          const form = `${encoding}${hasBom ? ' with a mark' : ''}, separated by ${separator}`
          const file = { name: 'salva.csv', bytes: hasBom ? Buffer.concat([bom, bytes]) : bytes }
          saved.push({ form, job: await importFile(at, file) })
        }
      }
    const bytes = at.office.convert({ name: 'salva.xlsx', bytes: exported.ordinary }, 'xlsx')
    saved.push({ form: 'xlsx', job: await importFile(at, { name: 'salva.xlsx', bytes }) })
    return { filled, opened, control, saved }
  },

  check({ filled, opened, control, saved }) {
    const people = hostile.length + ordinary.length
    const counts = ({ created, updated, kept, errors }: ContactImport) =>
      `${created} created, ${updated} updated, ${kept} kept, ${errors} errors`
    return [
      {
        property: 'LibreOffice computes what is not protected',
        checked: hostile.length,
        faults: control.formulas.length > 0 ? [] : ['no formula was found in a file without protection'],
      },
      {
        property: 'every vector is a contact',
        checked: people,
        faults: filled.created === people ? [] : [counts(filled)],
      },
      ...opened.map(({ name, cells, formulas }): Result => ({
        property: `no cell of ${name} is a formula`,
        checked: cells >= people * 3 ? cells : 0,
        faults: formulas.map((formula) => `formula ${formula}`),
      })),
      {
        property: 'what LibreOffice saves is read as the contacts that are there',
        checked: saved.length * ordinary.length,
        faults: saved.flatMap(({ form, job }) =>
          job.kept === ordinary.length && job.updated === 0 ? [] : [`${form}: ${counts(job)}`],
        ),
      },
    ]
  },
})
