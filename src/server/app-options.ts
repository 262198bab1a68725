import type { FastifyInstance } from 'fastify'
import type { DemoSignIn } from '#shared/users/users.ts'
import type { AssistantServerTimes } from './assistant/assistant.ts'
import type {
  AssistantTimes,
  AvatarTimes,
  JobTimes,
  OutboxTimes,
  TranscriptionTimes,
} from './conversations/conversations.ts'
import type { Gateway, GatewayTimes } from './gateway/gateway.ts'
import type { NoticeOptions } from './notices/notices.ts'
import type { Config } from './platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { ViewingTimes } from '#server/platform/live/viewing.ts'
import type { Log } from './platform/log.ts'
import type { Secrets } from './platform/secrets.ts'

/** What `startApp` is given; tests shorten its times. */
export interface AppOptions {
  config: Config
  database: Database
  log: Log
  /** Folder of the built web; without it only the API is served. */
  webDir?: string
  /**
   * Runs before the first request is accepted: creates the first administrator, or the people of the demo.
   */
  prepare?: (parts: { gateway: Gateway; secrets: Secrets }) => Promise<void>
  /** The people that a demo offers at its sign-in. */
  demoSignIn?: () => DemoSignIn | undefined
  /** Whether the start is to end: asked while a database is copied before its upgrade. */
  stopRequested?: () => boolean
  /** Registers further routes, such as the simulator's in the demo. */
  extend?: (app: FastifyInstance) => Promise<void>
  /** Overrides the default timeouts of the gateway client. */
  gatewayTimes?: Partial<GatewayTimes>
  /** Overrides the pauses before each retry of a failed file download. */
  fetchWaitsMs?: readonly number[]
  /** Overrides how often contacts' pictures are fetched; 'never' disables them. */
  avatarTimes?: AvatarTimes | 'never'
  /** Overrides the intervals of the automatic tasks. */
  jobTimes?: JobTimes
  /** Overrides how often the agent looks for clients to answer, and how long it waits after a failure. */
  assistantTimes?: Partial<AssistantTimes>
  /** Overrides how often sounds are looked for that are to be put into words, and the pauses of retries. */
  transcriptionTimes?: Partial<TranscriptionTimes>
  /** Overrides the timeouts of the servers of the AI. */
  assistantServerTimes?: Partial<AssistantServerTimes>
  /** How often the plan of maintenance is looked at, in milliseconds. */
  planMs?: number
  /** How often times that are ahead of the clock are looked for, in milliseconds; 'never' disables it. */
  clockCorrectionMs?: number | 'never'
  /** 'never' leaves the clocks of the targets as they are. */
  slaClocks?: 'never'
  /** Overrides how the notices for administrators are found; 'never' disables them. */
  notices?: Partial<NoticeOptions> | 'never'
  /** Measures the disk of a folder for an examination. */
  measureDisk?: NoticeOptions['measureDisk']
  /** 'never' disables long and scheduled jobs. */
  backgroundJobs?: 'never'
  /**
   * Gives a thread of its own to each run of the jobs that are to have one. It knows the configuration and
   * the database, and nothing else of what is given here.
   */
  jobThreads?: { /** Of each; 1024 by default. */ mostHeapMiB?: number }
  /** Whether no other program can use this database, so that unfinished work belongs to a dead one. */
  isAlone?: boolean
  /** Overrides how long information about open chats is valid. */
  viewingTimes?: ViewingTimes
  /** Overrides the times of the outbox. */
  outboxTimes?: OutboxTimes
  /** Overrides the time between two sweeps of the gateway's record; 'never' leaves them to others. */
  sweepEveryMs?: number | 'never'
}
