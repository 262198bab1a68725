/** The door of the room: the servers of the AI, and how they are configured. `conversations` acts on it. */
export { type ConfigRow as AssistantConfigRow, findConfig as findAssistantConfig } from './config.ts'
export { AssistantFailure, openKey } from './failure.ts'
export type { AgentAnswer } from './answer.ts'
export { isTranscribing, reserveSeconds } from './transcription-config.ts'
export {
  type AssistantServers,
  type AssistantServerTimes,
  createAssistantServers,
  type Question,
} from './servers.ts'
