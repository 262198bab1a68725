import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startOwnServer, type OwnServer } from '#server/testing/servers/own-server.ts'
import { sendEveryKind } from '#server/testing/inputs/every-kind.ts'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'
import { projectFolder } from '../../scripts/start-line.ts'
import { read } from '../support/http.ts'
import { adminEnv, connectNumber, signIn } from '../support/installation.ts'
import { defineScenario } from '../support/scenario.ts'
import { makeTemporaryFolder } from '../support/throwaway-database.ts'
import { until } from '../support/waiting.ts'
import { startWatched, type WatchedProgram } from '../support/watched-program.ts'

const gatewayKey = 'key-of-the-simulator'
const secretKey = 'k'.repeat(48)

interface Environment {
  server: OwnServer
  dataDir: string
  env: Record<string, string>
  simulator: Simulator
  program: WatchedProgram
  token: string
}

interface Person {
  phoneId: string
  number: string
  name: string
  contactId: number
  textId: string
}

/** Where everybody is found who was not anonymized. */
const places = [
  'contacts.phone',
  'messages.content',
  'messages.file_name',
  'webhook_inbox.payload',
  'uploads/',
]

interface Scan {
  code: number | null
  output: string
}

/** Runs `npm run lgpd:scan` over the database, the files, and the logs of both programs. */
function scan({ dataDir, env, server, program }: Environment, number: string, ...also: string[]): Scan {
  const log = join(dataDir, 'program-output.log')
  writeFileSync(log, program.output())
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(projectFolder, 'src/server/cli.ts'),
      'lgpd-scan',
      number,
      ...also.flatMap((text) => ['--also', text]),
      '--logs',
      join(server.folder, 'log'),
    ],
    { cwd: projectFolder, env: { ...process.env, ...env }, encoding: 'utf8' },
  )
  return { code: status, output: `${stdout}${stderr}` }
}

/** Somebody writes everything there is to write, and is answered. */
async function meet({ simulator, program, token }: Environment, n: number): Promise<Person> {
  const name = `Canario Prova ${n}x`
  const number = `551197654${String(1000 + n)}`
  const { control } = simulator
  const phone = control.createPhone({ name, number })
  const { text } = sendEveryKind(simulator, phone.id, name)
  await control.idle()
  const ask = <Body>(method: string, path: string, body?: unknown) =>
    read<Body>(`${program.url}${path}`, { method, body, token })
  const found = await until(
    'the contact and the files',
    () => ask<{ contacts: { id: number }[] }>('GET', `/api/contacts?search=${encodeURIComponent(name)}`),
    ({ contacts }) => contacts.length === 1,
  )
  const contactId = found.contacts[0]?.id ?? 0
  const [talk] = await ask<{ id: number }[]>('GET', `/api/contacts/${contactId}/conversations`)
  await ask('POST', `/api/conversations/${talk?.id}/messages`, { content: `Oi, ${name}` })
  await ask('PUT', `/api/contacts/${contactId}`, { notes: `liga para ${number}`, tags: [name] })
  await ask('PUT', `/api/conversations/${talk?.id}/draft`, { content: `para ${name}`, quotedMessageId: null })
  await until(
    'the contact and the files',
    () => ask<{ fileUrl: string | null }[]>('GET', `/api/contacts/${contactId}/media`),
    (files) => files.filter(({ fileUrl }) => fileUrl !== null).length >= 2,
  )
  return { phoneId: phone.id, number, name, contactId, textId: text }
}

/** What the gateway may still report of somebody. */
async function tellAgain({ simulator }: Environment, { phoneId, textId, name }: Person): Promise<void> {
  const { control } = simulator
  control.edit(phoneId, textId, `de novo ${name}`)
  control.syncHistory(phoneId)
  control.syncContacts({ phones: [phoneId] })
  control.open(phoneId)
  await control.idle()
}

/**
 * People send messages of every kind to the running program, with the most verbose log, and are anonymized
 * one after the other while the others write on. Then `npm run lgpd:scan` looks for each in the database, the
 * files and the logs, also after the gateway has reported everything again, and finds those who were not
 * anonymized.
 * @see security §5.2
 */
export const lgpd = defineScenario({
  options: { people: 12 },
  nightly: { people: 6 },

  async arrange({ defer }): Promise<Environment> {
    const { dataDir, remove } = makeTemporaryFolder('lgpd')
    defer(remove)
    const server = await startOwnServer()
    defer(() => server.close())
    await server.query('create database balcao')
    const simulator = await startSimulator({ apiKey: gatewayKey, instanceName: 'loja1' })
    defer(() => simulator.close())
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: server.url('postgres', 'balcao'),
      SECRET_KEY: secretKey,
      GATEWAY_ALLOWED_HOSTS: '127.0.0.1',
    }
    const program = await startWatched({
      keepOutput: true,
      env: { ...adminEnv, ...env, LOG_LEVEL: 'trace' },
    })
    defer(() => program.stop())
    const { token } = await signIn(program.url)
    await connectNumber(program.url, token, simulator)
    return { server, dataDir, env, simulator, program, token }
  },

  async act(at, { options: { people: wanted }, print, seconds }) {
    const people: Person[] = []
    for (let n = 1; n <= wanted; n++) people.push(await meet(at, n))
    const [kept, ...others] = people
    if (!kept) throw new Error('nobody')
    const before = others.map((one) => scan(at, one.number, one.name))
    print(`  ${wanted} people have written, in ${seconds()} s`)
    const answers: string[] = []
    for (const one of others) {
      at.simulator.control.sendText(kept.phoneId, 'continuo aqui')
      const { proof } = await read<{ proof: Record<string, number> }>(
        `${at.program.url}/api/contacts/${one.contactId}/anonymize`,
        { method: 'POST', token: at.token },
      )
      if ((proof['messages'] ?? 0) < 15) answers.push(`${one.name}: ${JSON.stringify(proof)}`)
    }
    const after = others.map((one) => scan(at, one.number, one.name))
    for (const one of others) await tellAgain(at, one)
    const later = others.map((one) => scan(at, one.number, one.name))
    const ofKept = scan(at, kept.number, kept.name)
    return { before, answers, after, later, ofKept, errors: [...at.program.seen.examples.values()] }
  },

  check({ before, answers, after, later, ofKept, errors }) {
    const missed = (scans: Scan[]) =>
      scans
        .filter(({ code, output }) => code !== 1 || places.some((place) => !output.includes(place)))
        .map(({ output }) => `not found everywhere: ${output}`)
    const found = (scans: Scan[]) =>
      scans
        .filter(({ code, output }) => code !== 0 || !output.includes('nada encontrado'))
        .map(({ output }) => output)
    return [
      { property: 'everybody is found before', checked: before.length, faults: missed(before) },
      { property: 'messages of every kind were erased', checked: before.length, faults: answers },
      { property: 'nothing is found after', checked: after.length, faults: found(after) },
      { property: 'nor once the gateway has reported it again', checked: later.length, faults: found(later) },
      { property: 'who was not anonymized is still found', checked: 1, faults: missed([ofKept]) },
      { property: 'the program logs no error', checked: 1, faults: errors },
    ]
  },
})
