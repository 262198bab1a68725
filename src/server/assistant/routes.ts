import { randomUUID } from 'node:crypto'
import type * as z from 'zod/mini'
import {
  type AssistantForm,
  getAssistantConfig,
  saveAssistantConfig,
  testAssistant,
} from '#shared/assistant/assistant-config.ts'
import { maxAnswerLength } from '#shared/assistant/conversation-assistant.ts'
import type { Changes } from '#shared/text/audit/telling.ts'
import { AppError } from '#shared/errors.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { assistantTexts } from '#shared/text/assistant-texts.ts'
import { errorTexts } from '#shared/text/error-texts.ts'
import { record } from '#server/audit/audit.ts'
import { auditedUrl } from '#server/gateway/gateway.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/db.ts'
import { confirmRights, type Who } from '#server/platform/http/access.ts'
import type { Http } from '#server/platform/http/http.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { getSettings } from '#server/settings/settings.ts'
import {
  changeConfig,
  type ConfigRow,
  findConfig,
  isAnswering,
  isHelping,
  lockConfig,
  toWire,
} from './config.ts'
import { AssistantFailure, openKey } from './failure.ts'
import type { Agent, AssistantServers, ModelServer } from './servers.ts'
import { updatePrivacyNotice } from './privacy-notice.ts'
import { testSound } from './test-sound.ts'
import { transcribedMinutes } from './transcription-config.ts'

/** The calls of the tab 'IA'. */
export function routes(
  { route }: Http,
  {
    database,
    secrets,
    servers,
    changeSettings,
  }: {
    database: Database
    secrets: Secrets
    servers: AssistantServers
    /** Changes settings on behalf of the person, in the open transaction. @returns all of them */
    changeSettings: (
      db: Tx,
      who: Who,
      changesOf: (now: SystemSettings) => Partial<SystemSettings>,
    ) => Promise<SystemSettings>
  },
): void {
  route(getAssistantConfig, async () => {
    const { lgpdMessage, timezone } = await getSettings(database)
    const minutes = await transcribedMinutes(database, timezone)
    return toWire(await findConfig(database), { lgpdMessage, transcribedMinutes: minutes })
  })

  route(saveAssistantConfig, ({ body, who }) =>
    inTransaction(database, async (db) => {
      const before = await lockConfig(db)
      await confirmRights(who, db)
      const after = await changeConfig(db, valuesOf(body, before, secrets), answersOf(before, body))
      // Clients are told what is done with what they write.
      const { lgpdMessage, timezone } = await changeSettings(db, who, (now) => ({
        lgpdMessage: updatePrivacyNotice(now.lgpdMessage, usesOf(before), usesOf(after)),
      }))
      const changes = changesOf(before, after)
      await record(db, who, {
        action: 'assistant.update',
        resourceId: 1,
        details: {
          changes,
          isTokenChanged: before.apiTokenEncrypted !== after.apiTokenEncrypted,
          isKeyChanged: before.helpKeyEncrypted !== after.helpKeyEncrypted,
          ...(before.transcriptionKeyEncrypted !== after.transcriptionKeyEncrypted && {
            isTranscriptionKeyChanged: true,
          }),
        },
      })
      db.emit({ type: 'settings_changed' })
      db.signal('assistant')
      db.signal('transcriptions')
      return toWire(after, { lgpdMessage, transcribedMinutes: await transcribedMinutes(db, timezone) })
    }),
  )

  route(testAssistant, async ({ body, who }) => {
    const stored = await findConfig(database)
    const began = performance.now()
    const result = await tried(async () => {
      if (body.what === 'agent') return testAgent(servers, agentIn(body, stored, secrets), body.question)
      if (body.what === 'transcription') {
        const words = await servers.transcribe(transcriptionIn(body, stored, secrets), testSound())
        return {
          message: assistantTexts.soundAnswered,
          answer: words.slice(0, maxAnswerLength).toWellFormed(),
        }
      }
      await servers.complete(helpIn(body, stored, secrets), {
        instruction: assistantTexts.testInstruction,
        material: assistantTexts.testQuestion,
      })
      return { message: assistantTexts.helpAnswered, answer: '' }
    })
    await record(database, who, {
      action: 'assistant.test',
      details: {
        what: body.what,
        server: serverIn(body),
        success: result.success,
      },
    })
    return { ...result, tookMs: Math.round(performance.now() - began) }
  })
}

/** A failed test is an answer, not an error. */
async function tried(test: () => Promise<{ message: string; answer: string }>) {
  try {
    return { success: true, ...(await test()) }
  } catch (error) {
    // What the form lacks is told at its fields.
    if (error instanceof AppError && error.code === 'gateway.address_refused')
      return { success: false, message: error.message, answer: '' }
    if (error instanceof AssistantFailure) return { success: false, message: error.message, answer: '' }
    throw error
  }
}

async function testAgent(servers: AssistantServers, agent: Agent, question: string) {
  const name = await servers.look(agent)
  if (question === '') {
    const { agentThere, agentNamed } = assistantTexts
    return { message: name === '' ? agentThere : agentNamed.replace('{name}', () => name), answer: '' }
  }
  const { message } = await servers.ask(agent, {
    // A context of its own: the test is no part of a client's conversation.
    contextId: `teste-${randomUUID()}`,
    prompt: question,
    chatName: 'Teste',
    phone: '',
  })
  return { message: assistantTexts.answered, answer: message }
}

const lacking = (fields: Record<string, string>) => new AppError('assistant.incomplete', { fields })

function agentIn(
  { agentId, apiToken }: { agentId: string; apiToken: string },
  stored: ConfigRow | undefined,
  secrets: Secrets,
): Agent {
  if (apiToken !== '') return { agentId, apiToken }
  if (!stored?.apiTokenEncrypted) throw lacking({ apiToken: assistantTexts.apiTokenMissing })
  return { agentId, apiToken: openKey(secrets, stored.apiTokenEncrypted) }
}

function helpIn(
  { helpBaseUrl, helpModel, helpKey }: { helpBaseUrl: string; helpModel: string; helpKey: string },
  stored: ConfigRow | undefined,
  secrets: Secrets,
): ModelServer {
  const server = { baseUrl: helpBaseUrl, model: helpModel, key: helpKey }
  if (helpKey !== '' || !stored?.helpKeyEncrypted) return server
  refuseMovedKey('helpKey', stored.helpBaseUrl, helpBaseUrl)
  return { ...server, key: openKey(secrets, stored.helpKeyEncrypted) }
}

function transcriptionIn(
  body: Extract<TestBody, { what: 'transcription' }>,
  stored: ConfigRow | undefined,
  secrets: Secrets,
): ModelServer {
  const { transcriptionBaseUrl: baseUrl, transcriptionModel: model, transcriptionKey: key } = body
  if (key !== '' || !stored?.transcriptionKeyEncrypted) return { baseUrl, model, key }
  refuseMovedKey('transcriptionKey', stored.transcriptionBaseUrl, baseUrl)
  return { baseUrl, model, key: openKey(secrets, stored.transcriptionKeyEncrypted) }
}

type TestBody = z.output<NonNullable<typeof testAssistant.body>>

/** What the audit says of where a test went. */
function serverIn(body: TestBody): string {
  if (body.what === 'agent') return body.agentId
  return auditedUrl(body.what === 'help' ? body.helpBaseUrl : body.transcriptionBaseUrl)
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : '')

/** A stored key is only ever sent to the server for which it was given. @throws AppError 400 */
function refuseMovedKey(field: 'helpKey' | 'transcriptionKey', before: string, url: string): void {
  if (originOf(before) === originOf(url)) return
  const text = errorTexts['gateway.key_needed']
  throw new AppError('gateway.key_needed', { text, fields: { [field]: text } })
}

/** The end of a key by which people recognize it; '' for a short one. */
const hintOf = (key: string) => (key.length >= 12 ? key.slice(-4) : '')

/** @throws AppError 400 when what is switched on is not complete */
function valuesOf(form: Required<AssistantForm>, before: ConfigRow, secrets: Secrets) {
  const {
    apiToken,
    helpKey,
    isHelpKeyRemoved,
    transcriptionKey,
    isTranscriptionKeyRemoved: isRemoved,
    ...values
  } = form
  if (!isHelpKeyRemoved && helpKey === '' && before.helpKeyEncrypted !== null)
    refuseMovedKey('helpKey', before.helpBaseUrl, form.helpBaseUrl)
  if (!isRemoved && transcriptionKey === '' && before.transcriptionKeyEncrypted !== null)
    refuseMovedKey('transcriptionKey', before.transcriptionBaseUrl, form.transcriptionBaseUrl)
  const hasToken = apiToken !== '' || before.apiTokenEncrypted !== null
  if (form.isActive && (form.agentId === '' || !hasToken))
    throw lacking({
      ...(form.agentId === '' && { agentId: assistantTexts.agentIdMissing }),
      ...(!hasToken && { apiToken: assistantTexts.apiTokenMissing }),
    })
  if (isHelping(form) && (form.helpBaseUrl === '' || form.helpModel === ''))
    throw lacking({
      ...(form.helpBaseUrl === '' && { helpBaseUrl: assistantTexts.addressMissing }),
      ...(form.helpModel === '' && { helpModel: assistantTexts.modelMissing }),
    })
  const { transcriptionBaseUrl: url, transcriptionModel: model } = form
  if (form.canTranscribe && (url === '' || model === ''))
    throw lacking({
      ...(url === '' && { transcriptionBaseUrl: assistantTexts.addressMissing }),
      ...(model === '' && { transcriptionModel: assistantTexts.modelMissing }),
    })
  return {
    ...values,
    ...(apiToken !== '' && { apiTokenEncrypted: secrets.encrypt(apiToken), apiTokenHint: hintOf(apiToken) }),
    ...(isHelpKeyRemoved && { helpKeyEncrypted: null, helpKeyHint: '' }),
    ...(helpKey !== '' && { helpKeyEncrypted: secrets.encrypt(helpKey), helpKeyHint: hintOf(helpKey) }),
    ...(isRemoved && { transcriptionKeyEncrypted: null, transcriptionKeyHint: '' }),
    ...(transcriptionKey !== '' && {
      transcriptionKeyEncrypted: secrets.encrypt(transcriptionKey),
      transcriptionKeyHint: hintOf(transcriptionKey),
    }),
  }
}

const answersOf = (before: ConfigRow, after: Pick<ConfigRow, 'isActive' | 'autoResponse'>) =>
  !isAnswering(after) ? 'no' : before.answersSince === null ? 'now' : 'as before'

const usesOf = (row: ConfigRow) => ({
  agent: isAnswering(row),
  help: isHelping(row),
  transcription: row.canTranscribe,
})

const audited = [
  'agentId',
  'agentName',
  'isActive',
  'autoResponse',
  'autoResponseDelay',
  'fallbackToHuman',
  'maxRetries',
  'helpModel',
  'canSummarize',
  'canSuggest',
  'transcriptionModel',
  'canTranscribe',
  'transcribesAll',
  'transcriptionMaxMinutes',
  'transcriptionDayMinutes',
] as const

function changesOf(before: ConfigRow, after: ConfigRow): Changes {
  const changes: Changes = {}
  for (const name of audited) if (before[name] !== after[name]) changes[name] = [before[name], after[name]]
  for (const name of ['helpBaseUrl', 'transcriptionBaseUrl'] as const)
    if (before[name] !== after[name]) changes[name] = [auditedUrl(before[name]), auditedUrl(after[name])]
  return changes
}
