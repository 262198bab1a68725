import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { openConfiguredDatabase } from '#server/open-database.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import type { ChatMessage, PhoneView } from '#simulator/control-views.ts'
import { type Answer, call, read } from '../../support/http.ts'
import { Program } from '../../support/program.ts'
import { type Case, type CaseEnvironment, eventually } from '../case.ts'
import { makeDemoDir } from './demo.ts'

/** Longer than the outbox takes to send what may be sent, and a confirmation to come. */
const pauseMs = 3000

/** The running demonstration, as an administrator calls it. */
async function signedIn(url: string, inside: string) {
  const password = (await readFile(join(inside, 'demo-password'), 'utf8')).trim()
  const body = { username: 'admin', password }
  const { token } = await read<{ token: string }>(`${url}/api/auth/login`, { method: 'POST', body })
  return {
    read: <Reply>(method: string, path: string, sent?: unknown) =>
      read<Reply>(url + path, { method, token, body: sent }),
    call: (method: string, path: string, sent?: unknown): Promise<Answer> =>
      call(url + path, { method, token, body: sent }),
  }
}

/** Works on the database of the running demonstration. */
async function inDatabase(dataDir: string, work: (database: Database) => Promise<unknown>): Promise<void> {
  const config = readConfig({ DATA_DIR: dataDir }, true)
  const { database, close } = await openConfiguredDatabase(config, createLog('silent'), { attachOnly: true })
  await work(database)
  await close()
}

/**
 * Three sends that can be undone: one is undone before the program is killed, one after, and one never. Only
 * the last one leaves, once, and no browser can repeat the others.
 */
async function keepsWhatWaits(at: CaseEnvironment): Promise<string> {
  const { dataDir, inside } = await makeDemoDir(at)
  const program = await Program.start(dataDir)
  at.onClear(() => program.stop())
  const simulator = `${program.url}/simulador/api`
  const { read: ask, call: tell } = await signedIn(program.url, inside)
  await ask('PATCH', '/api/system-settings', { undoSendSeconds: 10 })
  const phone = await read<PhoneView>(`${simulator}/phones`, {
    method: 'POST',
    body: { name: 'Envio Desfeito', number: '5511987650099', autoRead: false },
  })
  const written = { kind: 'text', text: 'oi' }
  await read(`${simulator}/phones/${phone.id}/messages`, { method: 'POST', body: written })
  const { id } = await eventually('the conversation', async () =>
    (await ask<Conversation[]>('GET', '/api/conversations')).find(
      ({ contact }) => contact.phone === phone.number,
    ),
  )
  const path = `/api/conversations/${id}/messages`
  const send = (content: string) => tell('POST', path, { content, clientMessageId: content })
  const idOf = ({ status, text }: Answer) => {
    assert.equal(status, 201, text)
    return (JSON.parse(text) as Message).id
  }
  const undo = async (messageId: number) => (await tell('POST', `${path}/${messageId}/undo`)).status

  const before = idOf(await send('desfeita-antes'))
  assert.equal(await undo(before), 204)
  idOf(await send('a-que-fica'))
  const after = idOf(await send('desfeita-depois'))
  // However long the start takes, it is not over before the second one is undone.
  await inDatabase(dataDir, (database) =>
    database.execute(
      sql`update outbox set not_before = now() + interval '10 minutes' where state = 'pending'`,
    ),
  )
  const ms = await program.killAndRestart()

  for (const undone of ['desfeita-antes', 'desfeita-depois']) {
    if (undone === 'desfeita-depois') assert.equal(await undo(after), 204)
    assert.equal((await send(undone)).status, 409, undone)
  }
  await inDatabase(dataDir, (database) => database.execute(sql`update outbox set not_before = now()`))
  const own = async () => {
    const chat = await read<ChatMessage[]>(`${simulator}/phones/${phone.id}/chat`, { method: 'GET' })
    return chat.map(({ text }) => text).filter((text) => /desfeita|fica/.test(text))
  }
  await eventually('what was not undone', async () => ((await own()).length > 0 ? true : undefined))
  await sleep(pauseMs)
  assert.deepEqual(await own(), ['a-que-fica'])
  const stored = await ask<Message[]>('GET', path)
  assert.deepEqual(
    stored.filter(({ content }) => /desfeita|fica/.test(content)).map(({ content }) => content),
    ['a-que-fica'],
  )
  return `up again after ${ms} ms`
}

export const waitingSendCases: Case[] = [
  { name: 'program: kill -9 while sends wait to be undone', isProgram: true, run: keepsWhatWaits },
]
