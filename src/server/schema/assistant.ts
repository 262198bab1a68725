import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, text } from 'drizzle-orm/pg-core'
import { assistantEnds } from '#shared/assistant/assistant-config.ts'
import { transcriptionFailures } from '#shared/assistant/transcription.ts'
import { appNow, at, oneOf, rowId } from './columns.ts'
import { momentary } from './declare/backup.ts'
import { month, singleRow, withConversation } from './declare/ends.ts'
import { gone, ofMessage } from './declare/person.ts'
import { table } from './declare/table.ts'
import { minutes } from './declare/waits.ts'
import { conversations, messages } from './conversations/conversations.ts'
import { sinceOver } from './conversations/over.ts'

/**
 * A single row: the agent that answers clients who wait, and the server that helps operators. Both keys are
 * encrypted with SECRET_KEY, AES-256-GCM.
 */
export const gptMakerConfig = table(
  'gpt_maker_config',
  {
    id: integer('id').primaryKey().default(1),
    agentId: text('agent_id').notNull().default(''),
    agentName: text('agent_name').notNull().default(''),
    apiTokenEncrypted: text('api_token_encrypted'),
    apiTokenHint: text('api_token_hint').notNull().default(''),
    isActive: boolean('is_active').notNull().default(false),
    autoResponse: boolean('auto_response').notNull().default(false),
    /** Milliseconds of silence before clients are answered. */
    autoResponseDelay: integer('auto_response_delay').notNull().default(2000),
    fallbackToHuman: boolean('fallback_to_human').notNull().default(true),
    maxRetries: integer('max_retries').notNull().default(3),
    /** Since when the agent answers; what was written before is left to people. null: it does not. */
    answersSince: at('answers_since'),
    /** Of a server that speaks the OpenAI chat contract, up to '/v1'. */
    helpBaseUrl: text('help_base_url').notNull().default(''),
    helpModel: text('help_model').notNull().default(''),
    helpKeyEncrypted: text('help_key_encrypted'),
    helpKeyHint: text('help_key_hint').notNull().default(''),
    canSummarize: boolean('can_summarize').notNull().default(false),
    canSuggest: boolean('can_suggest').notNull().default(false),
    /** Of a server that speaks the OpenAI transcription contract, up to '/v1'. */
    transcriptionBaseUrl: text('transcription_base_url').notNull().default(''),
    transcriptionModel: text('transcription_model').notNull().default(''),
    transcriptionKeyEncrypted: text('transcription_key_encrypted'),
    transcriptionKeyHint: text('transcription_key_hint').notNull().default(''),
    canTranscribe: boolean('can_transcribe').notNull().default(false),
    /** Every voice message of a client; else only those that somebody asks for. */
    transcribesAll: boolean('transcribes_all').notNull().default(false),
    /** Of one sound, and of all that are sent on one day. */
    transcriptionMaxMinutes: integer('transcription_max_minutes').notNull().default(10),
    transcriptionDayMinutes: integer('transcription_day_minutes').notNull().default(120),
    /** The day of `transcribed_seconds` in the installation's time zone: '2026-10-22'. */
    transcribedOn: text('transcribed_on'),
    /** How much sound was sent on that day. */
    transcribedSeconds: integer('transcribed_seconds').notNull().default(0),
    updatedAt: at('updated_at').notNull().default(appNow),
  },
  {
    backup: { left: 'where texts of clients go, and with which keys, is decided here' },
    ends: singleRow,
    other: `
      id agentId agentName apiTokenEncrypted apiTokenHint isActive autoResponse autoResponseDelay
      fallbackToHuman maxRetries answersSince helpBaseUrl helpModel helpKeyEncrypted helpKeyHint
      canSummarize canSuggest transcriptionBaseUrl transcriptionModel transcriptionKeyEncrypted
      transcriptionKeyHint canTranscribe transcribesAll transcriptionMaxMinutes transcriptionDayMinutes
      transcribedOn transcribedSeconds updatedAt
    `,
  },
  (t) => [
    check('gpt_maker_config_single', sql`${t.id} = 1`),
    check('gpt_maker_config_delay', sql`${t.autoResponseDelay} >= 0`),
    check('gpt_maker_config_retries', sql`${t.maxRetries} >= 1`),
    check(
      'gpt_maker_config_minutes',
      sql`${t.transcriptionMaxMinutes} >= 1 and ${t.transcriptionDayMinutes} >= 1`,
    ),
  ],
)

/** How far the agent has come in a conversation. */
export const assistantTurns = table(
  'assistant_turns',
  {
    conversationId: integer('conversation_id')
      .primaryKey()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** The newest message of the client that was answered, or given up. */
    answeredMessageId: integer('answered_message_id').notNull().default(0),
    /** Failures in a row. */
    failures: integer('failures').notNull().default(0),
    /** By now(), as is the lease. */
    notBefore: at('not_before')
      .notNull()
      .default(sql`now()`),
    leaseUntil: at('lease_until'),
    /** Incremented with each claim: the answer to an older one no longer counts. */
    claim: integer('claim').notNull().default(0),
    /** Somebody switched the agent off in this conversation. */
    isOff: boolean('is_off').notNull().default(false),
    /** Why it answers here no more; a person's message ends it without this. */
    ended: text('ended', { enum: assistantEnds }),
  },
  {
    backup: momentary,
    ends: { trimmed: { by: 'trim-over', after: month, since: sinceOver } },
    waits: { due: { notBefore: minutes(1.5) }, leases: { leaseUntil: minutes(4) } },
    other: 'conversationId answeredMessageId failures notBefore leaseUntil claim isOff ended',
  },
  (t) => [check('assistant_turns_ended', oneOf(t.ended, assistantEnds))],
)

export const transcriptionStates = ['waiting', 'running', 'done', 'failed'] as const

/**
 * The sounds that are, or were, put into words: one row each. The words themselves are in the metadata of the
 * message, and so they are searched, exported, backed up and erased with it.
 */
export const transcriptions = table(
  'transcriptions',
  {
    id: rowId(),
    messageId: integer('message_id')
      .notNull()
      .unique()
      .references(() => messages.id, { onDelete: 'cascade' }),
    /** One that waits is not claimed before the message has its file. */
    state: text('state', { enum: transcriptionStates }).notNull().default('waiting'),
    /** A person has asked for it: it comes before those that nobody asked for. */
    isAsked: boolean('is_asked').notNull().default(false),
    attempts: integer('attempts').notNull().default(0),
    /** By now(), as is the lease. */
    notBefore: at('not_before')
      .notNull()
      .default(sql`now()`),
    leaseUntil: at('lease_until'),
    /** Incremented with each claim: the answer to an older one no longer counts. */
    claim: integer('claim').notNull().default(0),
    /** Why it has failed. */
    reason: text('reason', { enum: transcriptionFailures }),
    createdAt: at('created_at').notNull().default(appNow),
  },
  {
    backup: momentary,
    ends: withConversation,
    personal: { of: ofMessage('message_id'), isDeleted: true, columns: { reason: gone } },
    waits: { due: { notBefore: minutes(2) }, leases: { leaseUntil: minutes(5) } },
    other: 'id messageId state isAsked attempts notBefore leaseUntil claim createdAt',
  },
  (t) => [
    index('transcriptions_todo')
      .on(t.notBefore, t.id)
      .where(sql`${t.state} in ('waiting', 'running')`),
    check('transcriptions_state', oneOf(t.state, transcriptionStates)),
    check('transcriptions_reason', oneOf(t.reason, transcriptionFailures)),
    check('transcriptions_failed', sql`(${t.state} = 'failed') = (${t.reason} is not null)`),
  ],
)
