import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import type { AssistantConfig } from '#shared/assistant/assistant-config.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { agentSentence, helpSentence, transcriptionSentence } from '#shared/text/assistant-texts.ts'
import { createLog } from '#server/platform/log.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { defaultSettings } from '#server/settings/default-texts.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { answering, assistantStage, fastTimes } from '#server/testing/servers/assistant-stage.ts'
import { confirm, makeBackup } from '#server/testing/past.ts'
import { chatSays, says, soundSays } from '#server/testing/servers/agent-server.ts'
import { voiceOf } from '#server/testing/files/voice.ts'
import { eventually, forAllTests, requestTo } from '#server/testing/test-app.ts'

const stage = forAllTests(() => assistantStage({ hasJobs: true }))

const off = () => ({ ...answering(stage.agent), isActive: false, autoResponse: false })
const help = () => ({ helpBaseUrl: `${stage.agent.url}/v1`, helpModel: 'llama', helpKey: stage.agent.token })
const transcription = () => ({
  transcriptionBaseUrl: `${stage.agent.url}/v1/`,
  transcriptionModel: 'whisper-1',
  transcriptionKey: stage.agent.token,
})
const put = (change: object) =>
  stage.admin.request<AssistantConfig & { code: string; fields: Record<string, string> }>(
    'PUT',
    '/api/gpt-maker-config',
    { ...off(), ...change },
  )
const tested = (body: object) =>
  stage.admin.request<{ success: boolean; message: string; answer: string; tookMs: number }>(
    'POST',
    '/api/gpt-maker-config/test',
    body,
  )
const stored = () => stage.admin.get<AssistantConfig>('/api/gpt-maker-config')
const lgpd = async () => (await stage.admin.get<SystemSettings>('/api/system-settings')).lgpdMessage

beforeEach(async () => {
  await stage.t.sql`delete from gpt_maker_config`
  await stage.t.sql`update system_settings set values = values - 'lgpdMessage'`
})

test('the assistant is off at first, with the documented defaults', async () => {
  expect(await stored()).toMatchObject({
    isActive: false,
    autoResponse: false,
    autoResponseDelay: 2000,
    fallbackToHuman: true,
    maxRetries: 3,
    apiTokenHint: null,
    canSummarize: false,
    canSuggest: false,
    canTranscribe: false,
    transcribesAll: false,
    transcriptionKeyHint: null,
    transcriptionMaxMinutes: 10,
    transcriptionDayMinutes: 120,
    transcribedMinutes: 0,
  })
})

test('the assistant keeps its keys to itself, and a blank one keeps the stored one', async () => {
  const { token } = stage.agent
  const saved = await put({ ...help(), ...transcription(), isActive: true })
  const hint = token.slice(-4)
  expect(saved.body).toMatchObject({ apiTokenHint: hint, helpKeyHint: hint, transcriptionKeyHint: hint })
  expect(JSON.stringify(saved.body)).not.toContain(token)
  const places = { helpBaseUrl: `${stage.agent.url}/v1`, transcriptionBaseUrl: `${stage.agent.url}/v2` }
  await put({ apiToken: '', helpKey: '', transcriptionKey: '', ...places, agentName: 'Nova' })
  expect(await stored()).toMatchObject({ apiTokenHint: hint, helpKeyHint: hint, transcriptionKeyHint: hint })
  await put({ isHelpKeyRemoved: true, isTranscriptionKeyRemoved: true })
  expect(await stored()).toMatchObject({ helpKeyHint: null, transcriptionKeyHint: null })
})

test('the assistant is not switched on without what it needs', async () => {
  const noAgent = await put({ isActive: true, agentId: '', apiToken: '' })
  expect(noAgent).toMatchObject({ status: 400, body: { code: 'assistant.incomplete' } })
  expect(Object.keys(noAgent.body.fields)).toEqual(['agentId', 'apiToken'])
  const noServer = await put({ canSuggest: true })
  expect(Object.keys(noServer.body.fields)).toEqual(['helpBaseUrl', 'helpModel'])
  const noTranscriber = await put({ canTranscribe: true })
  expect(Object.keys(noTranscriber.body.fields)).toEqual(['transcriptionBaseUrl', 'transcriptionModel'])
})

test('the assistant sends the stored key of the help to no other server', async () => {
  await put(help())
  const moved = { helpBaseUrl: 'https://outro.example/v1', helpModel: 'llama', helpKey: '' }
  expect(await put(moved)).toMatchObject({ status: 400, body: { code: 'gateway.key_needed' } })
  expect(await tested({ what: 'help', ...moved })).toMatchObject({ status: 400 })
  expect((await put({ ...moved, helpKey: 'outra-chave-de-outro' })).status).toBe(200)
})

test('the assistant sends the stored key of transcription to no other server', async () => {
  await put(transcription())
  const moved = {
    transcriptionBaseUrl: 'https://outro.example/v1',
    transcriptionModel: 'whisper-1',
    transcriptionKey: '',
  }
  const needed = { status: 400, body: { code: 'gateway.key_needed' } }
  const refused = await put(moved)
  expect(refused).toMatchObject(needed)
  expect(Object.keys(refused.body.fields)).toEqual(['transcriptionKey'])
  expect(await tested({ what: 'transcription', ...moved })).toMatchObject(needed)
  expect((await put({ ...moved, transcriptionKey: 'outra-chave-de-outro' })).status).toBe(200)
})

test('a test of transcription sends a short sound, and says what was heard or why nothing was', async () => {
  const { agent } = stage
  agent.hear = ({ bytes, fileName }) => soundSays(`${fileName} de ${bytes.length} bytes`)
  expect((await tested({ what: 'transcription', ...transcription() })).body).toMatchObject({
    success: true,
    message: 'O servidor aceitou o áudio de teste.',
    answer: 'audio.wav de 32044 bytes',
  })
  // A sound without words is heard, too.
  agent.hear = () => soundSays('')
  expect((await tested({ what: 'transcription', ...transcription() })).body).toMatchObject({ success: true })
  agent.hear = () => ({ json: {}, status: 413 })
  expect((await tested({ what: 'transcription', ...transcription() })).body).toMatchObject({
    success: false,
    message: 'O servidor recusou o pedido (código 413).',
  })
  expect(agent.faults).toEqual([])
})

test('what changes about transcription is in the audit log, and its key is not', async () => {
  await put({ ...transcription(), canTranscribe: true, transcriptionDayMinutes: 30 })
  const [row] = await stage.t.sql<{ details: object }>`
    select details from audit_logs where action = 'assistant.update' order by id desc limit 1`
  expect(row?.details).toMatchObject({
    isTranscriptionKeyChanged: true,
    changes: { canTranscribe: [false, true], transcriptionDayMinutes: [120, 30] },
  })
  expect(JSON.stringify(row)).not.toContain(stage.agent.token)
})

test('the text on personal data names what is on, and nothing that is off', async () => {
  expect(await lgpd()).toBe(defaultSettings.lgpdMessage)
  const both = { ...help(), isActive: true, autoResponse: true, canSummarize: true }
  const all = await put({ ...both, ...transcription(), canTranscribe: true })
  expect(all.body).toMatchObject({ isAgentTold: true, isHelpTold: true, isTranscriptionTold: true })
  expect(await lgpd()).toBe(
    `${defaultSettings.lgpdMessage} ${agentSentence} ${helpSentence} ${transcriptionSentence}`,
  )
  const on = await put({ ...both, ...transcription() })
  expect(on.body).toMatchObject({ isAgentTold: true, isHelpTold: true, isTranscriptionTold: false })
  expect(await lgpd()).toBe(`${defaultSettings.lgpdMessage} ${agentSentence} ${helpSentence}`)
  const agentAlone = { ...transcription(), helpBaseUrl: `${stage.agent.url}/v1`, helpModel: 'llama' }
  await put({ ...agentAlone, isActive: true, autoResponse: true })
  expect(await lgpd()).toBe(`${defaultSettings.lgpdMessage} ${agentSentence}`)
  await put(agentAlone)
  expect(await lgpd()).toBe(defaultSettings.lgpdMessage)
})

test('the text on personal data is left to whoever has reworded or emptied it', async () => {
  await stage.admin.request('PATCH', '/api/system-settings', { lgpdMessage: '' })
  const on = await put({ isActive: true, autoResponse: true })
  expect(on.body).toMatchObject({ isAgentTold: false })
  expect(await lgpd()).toBe('')
  await stage.admin.request('PATCH', '/api/system-settings', { lgpdMessage: 'Usamos IA.' })
  await put({ isActive: true, autoResponse: true, agentName: 'Outra' })
  expect(await lgpd()).toBe('Usamos IA.')
})

test('a text on personal data that somebody changes meanwhile is not lost', async () => {
  const saving = await inTransaction(stage.t.database, async (db) => {
    await lockName(db, 'system_settings')
    const saved = put({ isActive: true, autoResponse: true })
    // It waits for the settings' lock by then, and has read what it needs before it, if anything.
    await new Promise((resolve) => setTimeout(resolve, 500))
    await saveSettings(db, { lgpdMessage: 'Nosso texto novo.' })
    return { saved }
  })
  expect((await saving.saved).status).toBe(200)
  expect(await lgpd()).toBe(`Nosso texto novo. ${agentSentence}`)
})

test('a test of the assistant says whether the agent is there, and what it answers', async () => {
  const { agentId, token } = stage.agent
  stage.agent.answer = ({ prompt }) => says(`re: ${prompt}`)
  const there = await tested({ what: 'agent', agentId, apiToken: token, question: '' })
  expect(there.body).toMatchObject({ success: true, message: 'O serviço conhece o agente: Aurora.' })
  const asked = await tested({ what: 'agent', agentId, apiToken: token, question: 'E para Sumaré?' })
  expect(asked.body).toMatchObject({ success: true, answer: 're: E para Sumaré?' })
  expect(stage.agent.asked.at(-1)).toMatchObject({ chatName: 'Teste', phone: '' })
  await stage.t.settled()
  expect(await stage.t.sql`select 1 from outbox`).toEqual([])
})

test.each([
  ['a wrong token', { apiToken: 'um-token-errado' }, 'O servidor recusou a chave.'],
  ['an unknown agent', { agentId: 'agt_outro' }, /404/],
])('a test with %s reports the reason', async (_what, change, message) => {
  const { agentId, token } = stage.agent
  const { status, body } = await tested({ what: 'agent', agentId, apiToken: token, question: '', ...change })
  expect(status).toBe(200)
  expect(body).toMatchObject({ success: false, message: expect.stringMatching(message) as string })
})

test.each([401, 403])('a test answered with %i says that the key was refused', async (status) => {
  const { agentId, token } = stage.agent
  stage.agent.answer = () => ({ json: {}, status })
  expect(await tested({ what: 'agent', agentId, apiToken: token, question: 'E aí?' })).toMatchObject({
    status: 200,
    body: { success: false, message: 'O servidor recusou a chave.' },
  })
})

test('a test of the assistant with a stored key that can no longer be read says so', async () => {
  const { agentId } = stage.agent
  await put({ ...help(), agentId })
  await stage.t
    .sql`update gpt_maker_config set api_token_encrypted = 'v1.a.b.c', help_key_encrypted = 'v1.a.b.c'`
  const message = 'A chave guardada não pode mais ser lida. Informe-a de novo.'
  for (const body of [
    { what: 'agent', agentId, apiToken: '', question: '' },
    { what: 'help', ...help(), helpKey: '' },
  ])
    expect(await tested(body)).toMatchObject({ status: 200, body: { success: false, message } })
})

test('a test of the assistant says whether the server of the help answers', async () => {
  stage.agent.help = () => chatSays('ok')
  expect((await tested({ what: 'help', ...help() })).body).toMatchObject({ success: true })
  expect((await tested({ what: 'help', ...help(), helpBaseUrl: 'http://127.0.0.1:1' })).body).toMatchObject({
    success: false,
    message: 'O servidor não respondeu. Confira o endereço.',
  })
})

test('the keys are in no log, no answer of the API, no backup, and encrypted in the database', async () => {
  const { agent, admin, ana, t } = stage
  const secrets = [agent.token, 'chave-da-ajuda-1234567890', 'chave-de-voz-0987654321']
  const lines: string[] = []
  const log = createLog('trace', { write: (line) => void lines.push(line) })
  const other = await t.startAnother({ log, assistantTimes: fastTimes })
  try {
    await put({
      isActive: true,
      autoResponse: true,
      autoResponseDelay: 0,
      maxRetries: 1,
      helpBaseUrl: `${agent.url}/v1`,
      helpModel: 'llama',
      helpKey: secrets[1],
      canSummarize: true,
      canSuggest: true,
      ...transcription(),
      transcriptionKey: secrets[2],
      canTranscribe: true,
      transcribesAll: true,
    })
    agent.answer = () => ({ json: { message: `Bearer ${agent.token}` }, status: 500 })
    const failed = await stage.newClient()
    await eventually(
      () => stage.messagesOf(failed),
      (all) => all.some(({ metadata }) => metadata.event?.act === 'assistant_failed'),
    )
    // The server refuses the key that it does not know.
    stage.t.simulator.control.send(failed.phoneId, {
      kind: 'audio',
      base64: voiceOf(2, 'chave').toString('base64'),
      seconds: 2,
      voice: true,
    })
    await eventually(
      () => stage.messagesOf(failed),
      (sent) => sent.some(({ transcription: words }) => words?.reason === 'refused'),
    )
    // The other instance speaks HTTP as well: its refusals are logged there.
    const answers: string[] = []
    for (const [method, path, body] of [
      ['GET', '/api/gpt-maker-config', undefined],
      ['POST', '/api/gpt-maker-config/test', { what: 'agent', agentId: 'x', apiToken: '', question: '' }],
      ['POST', '/api/gpt-maker-config/test', { what: 'help', ...help(), helpKey: '' }],
      [
        'POST',
        '/api/gpt-maker-config/test',
        { what: 'transcription', ...transcription(), transcriptionKey: '' },
      ],
      ['GET', '/api/audit-logs', undefined],
      ['GET', '/api/system-settings', undefined],
    ] as const) {
      const headers = { authorization: `Bearer ${admin.token}` }
      answers.push(JSON.stringify(await requestTo(other.url, method, path, body, headers)))
    }
    const talk = `/api/conversations/${failed.conversation.id}/assistant`
    for (const what of ['/summary', '/suggestion'])
      answers.push(JSON.stringify(await ana.request('POST', `${talk}${what}`)))
    answers.push(JSON.stringify(await ana.request('GET', talk)))
    await confirm(admin)
    await makeBackup(admin)
    const holds = (text: string) => (path: string) => contentsOf(path).some((bytes) => bytes.includes(text))
    const backup = filesIn(join(t.config.dataDir, 'backups'))
    expect(backup.filter(holds(failed.conversation.contact.phone ?? 'no phone'))).not.toEqual([])
    for (const secret of secrets) {
      expect(answers.filter((text) => text.includes(secret))).toEqual([])
      expect(lines.filter((line) => line.includes(secret))).toEqual([])
      expect(backup.filter(holds(secret))).toEqual([])
      const [row] = await t.sql<{ text: string }>`
        select (select string_agg(g::text, '') from gpt_maker_config g)
                || coalesce((select string_agg(l::text, '') from audit_logs l), '')
                || coalesce((select string_agg(e::text, '') from events e), '') as text`
      expect(row?.text).not.toContain(secret)
    }
    expect(lines.length).toBeGreaterThan(0)
  } finally {
    await other.stop()
  }
}, 60_000)

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}

/** As it is, and unpacked. */
function contentsOf(path: string): Buffer[] {
  const bytes = readFileSync(path)
  try {
    return [bytes, zstdDecompressSync(bytes)]
  } catch {
    return [bytes]
  }
}
