import type { AssistantConfig, AssistantForm } from '#shared/assistant/assistant-config.ts'
import type { Message } from '#shared/messages/messages.ts'
import { newTalk, type Talk } from '../new-talk.ts'
import { resetSettings } from '../quiet-settings.ts'
import { type AgentServer, startAgentServer } from './agent-server.ts'
import { type Client, eventually, testApp, type TestApp, type TestAppOptions } from '../test-app.ts'

/** The app with a fake agent, which answers clients after `delayMs`. */
export interface AssistantStage {
  t: TestApp
  agent: AgentServer
  admin: Client
  ana: Client
  /** Saves the configuration; what is not given is as in `answering`. */
  configure(change?: Partial<AssistantForm>): Promise<AssistantConfig>
  /** A new client, who writes 'oi'. */
  newClient(): Promise<Talk>
  writes(talk: Talk, text: string): void
  messagesOf(talk: Talk): Promise<Message[]>
  /** The texts that the agent wrote in a conversation. */
  answersIn(talk: Talk): Promise<string[]>
  /** Waits for so many answers in a conversation. */
  answered(talk: Talk, count: number): Promise<string[]>
  /** What the agent was asked about a conversation, in order. */
  askedIn(talk: Talk): string[]
  /** Waits until everything that is due would have been asked, and was answered. */
  quiet(): Promise<void>
  close(): Promise<void>
}

export const delayMs = 300

/** The part of the form about transcription, as it is at first. */
export const noTranscription = {
  transcriptionBaseUrl: '',
  transcriptionModel: '',
  transcriptionKey: '',
  canTranscribe: false,
  transcribesAll: false,
  transcriptionMaxMinutes: 10,
  transcriptionDayMinutes: 120,
}

/** The form of an agent that answers. */
export const answering = (agent: Pick<AgentServer, 'agentId' | 'token'>): AssistantForm => ({
  agentId: agent.agentId,
  agentName: 'Aurora',
  apiToken: agent.token,
  isActive: true,
  autoResponse: true,
  autoResponseDelay: delayMs,
  fallbackToHuman: true,
  maxRetries: 3,
  helpBaseUrl: '',
  helpModel: '',
  helpKey: '',
  canSummarize: false,
  canSuggest: false,
  ...noTranscription,
})

export const fastTimes = { pollMs: 40, backoffMs: 80, leaseMs: 60_000 }

export async function assistantStage(options: TestAppOptions = {}): Promise<AssistantStage> {
  const agent = await startAgentServer()
  const t = await testApp({ GPT_MAKER_URL: agent.url }, { assistantTimes: fastTimes, ...options })
  await resetSettings(t.database)
  const admin = await t.signIn('admin', 'chefe')
  const ana = await t.signIn('operator', 'ana')
  const messagesOf = ({ conversation }: Talk) =>
    ana.get<Message[]>(`/api/conversations/${conversation.id}/messages`)
  const answersIn = async (talk: Talk) =>
    (await messagesOf(talk))
      .filter(({ metadata }) => metadata.origin === 'assistant')
      .map(({ content }) => content)
  return {
    t,
    agent,
    admin,
    ana,
    messagesOf,
    answersIn,
    async configure(change = {}) {
      const body = { ...answering(agent), ...change }
      const saved = await admin.request<AssistantConfig>('PUT', '/api/gpt-maker-config', body)
      if (saved.status !== 200) throw new Error(`not saved: ${JSON.stringify(saved.body)}`)
      return saved.body
    },
    newClient: () => newTalk(t, ana),
    writes({ phoneId }, text) {
      t.simulator.control.sendText(phoneId, text)
    },
    answered: (talk, count) =>
      eventually(
        () => answersIn(talk),
        (found) => found.length >= count,
      ),
    askedIn: ({ conversation }) =>
      agent.asked.filter(({ contextId }) => contextId === conversation.protocol).map(({ prompt }) => prompt),
    async quiet() {
      await t.settled()
      await new Promise((resolve) => setTimeout(resolve, delayMs * 2 + fastTimes.pollMs * 3))
      await t.settled()
    },
    async close() {
      await t.close()
      await agent.close()
    },
  }
}
