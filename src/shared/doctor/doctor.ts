import * as z from 'zod/mini'
import { endpoint } from '#shared/endpoint.ts'
import { instant } from '#shared/users/users.ts'

// An examination of the installation: of its machine, and of each number from here to WhatsApp and back.

/** What is looked at, in this order; of a number nothing is looked at behind what is at fault. */
export const checks = [
  'clock',
  'database',
  'disk',
  'files',
  'permissions',
  'tls',
  'gateway',
  'instance',
  'number',
  'webhook',
  'echo',
  'media',
] as const
export type Check = (typeof checks)[number]

/**
 * 'mended': it was at fault, and the examination has set it right; 'skipped': it could not be looked at, or
 * need not.
 */
export const findingStates = ['ok', 'mended', 'skipped', 'warning', 'fault'] as const
export type FindingState = (typeof findingStates)[number]

const finding = z.object({
  check: z.enum(checks),
  state: z.enum(findingStates),
  /** What exactly was found, for programs. */
  cause: z.string(),
  /** What exactly was found, and what to do about it, in one sentence. */
  text: z.string(),
  /** The instance of the number that it is about; null: of the machine. */
  instanceName: z.nullable(z.string()),
})
export type Finding = z.infer<typeof finding>

const examination = z.object({
  /** When it ended. */
  at: instant,
  findings: z.array(finding),
})
export type Examination = z.infer<typeof examination>

export const examineInstallation = endpoint({
  method: 'POST',
  path: '/api/doctor',
  summary: 'Conferir a instalação, e cada número até o WhatsApp e de volta',
  act: 'manageGateway',
  audit: 'gateway.examine',
  reply: examination,
})
