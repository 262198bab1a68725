import { eq, type InferSelectModel } from 'drizzle-orm'
import type { AssistantConfig } from '#shared/assistant/assistant-config.ts'
import { agentSentence, helpSentence, transcriptionSentence } from '#shared/text/assistant-texts.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { gptMakerConfig } from '#server/schema/assistant.ts'
import { appNow } from '#server/schema/columns.ts'

export type ConfigRow = InferSelectModel<typeof gptMakerConfig>
type Change = Partial<typeof gptMakerConfig.$inferInsert>

/** The configuration; undefined before the first was saved. */
export async function findConfig(db: Db): Promise<ConfigRow | undefined> {
  const [row] = await db.select().from(gptMakerConfig).where(eq(gptMakerConfig.id, 1))
  return row
}

/** The same, locked until the end of the transaction; made with its defaults when there is none. */
export async function lockConfig(db: Tx): Promise<ConfigRow> {
  await db.insert(gptMakerConfig).values({ id: 1 }).onConflictDoNothing()
  const [row] = await db.select().from(gptMakerConfig).where(eq(gptMakerConfig.id, 1)).for('update')
  if (!row) throw new Error('the configuration of the assistant vanished')
  return row
}

export async function changeConfig(
  db: Tx,
  change: Omit<Change, 'answersSince'>,
  answers: 'as before' | 'now' | 'no',
) {
  const [row] = await db
    .update(gptMakerConfig)
    .set({
      ...change,
      ...(answers === 'no' && { answersSince: null }),
      ...(answers === 'now' && { answersSince: appNow }),
      updatedAt: appNow,
    })
    .where(eq(gptMakerConfig.id, 1))
    .returning()
  if (!row) throw new Error('the configuration of the assistant vanished')
  return row
}

/** Whether the agent is there to answer clients. */
export const isAnswering = (row: Pick<ConfigRow, 'isActive' | 'autoResponse'>) =>
  row.isActive && row.autoResponse
/** Whether any help is offered to operators. */
export const isHelping = (row: Pick<ConfigRow, 'canSummarize' | 'canSuggest'>) =>
  row.canSummarize || row.canSuggest

/** @param more the text that clients get on their data, and how much sound was sent today */
export function toWire(
  row: ConfigRow | undefined,
  { lgpdMessage, transcribedMinutes }: { lgpdMessage: string; transcribedMinutes: number },
): AssistantConfig {
  const isAgentTold = lgpdMessage.includes(agentSentence)
  const isHelpTold = lgpdMessage.includes(helpSentence)
  const isTranscriptionTold = lgpdMessage.includes(transcriptionSentence)
  const told = { isAgentTold, isHelpTold, isTranscriptionTold, transcribedMinutes }
  if (!row) return { ...defaults, ...told }
  const {
    id: _id,
    apiTokenEncrypted,
    helpKeyEncrypted,
    transcriptionKeyEncrypted,
    answersSince: _since,
    transcribedOn: _on,
    transcribedSeconds: _seconds,
    updatedAt,
    ...shown
  } = row
  return {
    ...shown,
    apiTokenHint: apiTokenEncrypted === null ? null : row.apiTokenHint,
    helpKeyHint: helpKeyEncrypted === null ? null : row.helpKeyHint,
    transcriptionKeyHint: transcriptionKeyEncrypted === null ? null : row.transcriptionKeyHint,
    ...told,
    updatedAt: updatedAt.toISOString(),
  }
}

const defaults = {
  agentId: '',
  agentName: '',
  apiTokenHint: null,
  isActive: false,
  autoResponse: false,
  autoResponseDelay: 2000,
  fallbackToHuman: true,
  maxRetries: 3,
  helpBaseUrl: '',
  helpModel: '',
  helpKeyHint: null,
  canSummarize: false,
  canSuggest: false,
  transcriptionBaseUrl: '',
  transcriptionModel: '',
  transcriptionKeyHint: null,
  canTranscribe: false,
  transcribesAll: false,
  transcriptionMaxMinutes: 10,
  transcriptionDayMinutes: 120,
  updatedAt: null,
} satisfies Partial<AssistantConfig>
