import { randomBytes } from 'node:crypto'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Backup, MaintenanceRun, MaintenanceStats } from '#shared/maintenance/maintenance.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { call, read } from '../support/http.ts'
import { until } from '../support/waiting.ts'
import type { Service } from './machine.ts'

/** A picture of one pixel. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E' + 'rkJggg=='

/** The administrator of an installation. */
export interface Session {
  username: string
  password: string
  token: string
}

/** Signs the first administrator in, with the password of the journal, and gives them one of their own. */
export async function signInFirst({ url, journal }: Service): Promise<Session> {
  const [, username = '', printed = ''] =
    /Primeiro administrador: (\S+)\s+Senha \(mostrada só desta vez\): (\S+)/.exec(journal()) ?? []
  if (printed === '') throw new Error(`the journal has no first administrator: ${journal().slice(-2000)}`)
  const signIn = (password: string) =>
    read<{ token: string }>(`${url}/api/auth/login`, { method: 'POST', body: { username, password } })
  const { token } = await signIn(printed)
  const password = `senha-${randomBytes(9).toString('hex')}`
  await read(`${url}/api/profile`, { method: 'PUT', token, body: { password, currentPassword: printed } })
  return { username, password, token: (await signIn(password)).token }
}

/**
 * A client writes and sends a picture; the operator answers through the other instance, and finalizes.
 * @returns the picture, and where it is
 */
export async function answerClient(
  { control }: Simulator,
  { url }: Service,
  other: Service,
  { token }: Session,
): Promise<{ fileUrl: string; bytes: Buffer }> {
  const { id: phone } = control.createPhone({ name: 'Rita', number: '5541988880001' })
  control.sendText(phone, 'Bom dia')
  const bytes = Buffer.from(dot, 'base64')
  control.send(phone, { kind: 'image', base64: bytes.toString('base64'), fileName: 'foto.png' })
  const [conversation] = await until(
    'the client is in the queue',
    () => read<Conversation[]>(`${other.url}/api/conversations`, { method: 'GET', token }),
    ([first]) => first !== undefined,
  )
  const path = `/api/conversations/${conversation?.id}`
  const body = { content: 'Bom dia, Rita', clientMessageId: 'operations-answer' }
  await read(`${other.url}${path}/messages`, { method: 'POST', token, body })
  const said = await until(
    'the answer is sent, and the picture is here',
    () => read<Message[]>(`${url}${path}/messages`, { method: 'GET', token }),
    (messages) =>
      messages.some(({ fileUrl }) => fileUrl !== null) &&
      messages.some(
        ({ content, whatsappMessageId }) => content === body.content && whatsappMessageId !== null,
      ),
  )
  await read(`${url}${path}/finalize`, { method: 'POST', token, body: {} })
  return { fileUrl: said.find(({ fileUrl }) => fileUrl !== null)?.fileUrl ?? '', bytes }
}

/** @returns the id of the completed backup */
export async function makeBackup({ url }: Service, { token, password }: Session): Promise<number> {
  await read(`${url}/api/auth/reauthenticate`, { method: 'POST', token, body: { password } })
  const body = { name: 'De sexta', type: 'complete' }
  const { id } = await read<Backup>(`${url}/api/maintenance/backup`, { method: 'POST', token, body })
  const made = await until(
    'the backup ends',
    async () =>
      (await read<Backup[]>(`${url}/api/maintenance/backups`, { method: 'GET', token })).find(
        (one) => one.id === id,
      ),
    (one) => one?.status !== 'processing',
    120_000,
  )
  if (made?.status !== 'completed') throw new Error(`the backup is ${made?.status}: ${made?.error}`)
  return id
}

/** Restores the one backup that there is, conversations as well as settings. */
export async function restoreWhole({ url }: Service, { token, password }: Session): Promise<void> {
  await read(`${url}/api/auth/reauthenticate`, { method: 'POST', token, body: { password } })
  const [backup] = await read<Backup[]>(`${url}/api/maintenance/backups`, { method: 'GET', token })
  const whole = { restoreComplete: true, restoreSettings: true }
  for (const path of [`restore/${backup?.id}/preview`, `restore/${backup?.id}`]) {
    const begin = () => call(`${url}/api/maintenance/${path}`, { method: 'POST', token, body: whole })
    const begun = await until('the run begins', begin, ({ status }) => status !== 409)
    if (begun.status !== 201) throw new Error(`${path}: ${begun.status} ${begun.text}`)
    const { id } = JSON.parse(begun.text) as MaintenanceRun
    const run = await until(
      'the run ends',
      async () =>
        (await read<MaintenanceStats>(`${url}/api/maintenance/stats`, { method: 'GET', token })).runs.find(
          (one) => one.id === id,
        ),
      (one) => one?.state === 'done' || one?.state === 'failed',
      120_000,
    )
    if (run?.state !== 'done') throw new Error(`${path}: ${run?.error}`)
  }
}
