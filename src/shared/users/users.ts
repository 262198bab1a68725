import * as z from 'zod/mini'
import { listing, reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { flagsSchema, roles } from '#shared/permissions.ts'
import { loginTexts } from '#shared/text/text.ts'
import { silentHours } from '#shared/settings/silent-hours.ts'
import { scopes } from './scope.ts'

export const instant = z.iso.datetime({ offset: true })
export const id = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
/** An id in a path or a query, where everything is a string. */
export const idParam = z.pipe(z.pipe(z.string().check(z.regex(/^[1-9]\d{0,9}$/)), z.transform(Number)), id)

/** 'YYYY-MM-DD', a day in the time zone of the settings. The database's calendar has no year 0. */
export const dayParam = z.iso
  .date('Data inválida')
  .check(z.refine((date) => date >= '1900-01-01', 'Data inválida'))

/** A page number or page size in a query. */
export const pageParam = z.pipe(
  z.pipe(z.string().check(z.regex(/^\d{1,6}$/)), z.transform(Number)),
  z.int().check(z.minimum(1)),
)

/**
 * 'idle' is without input for 15 minutes on all devices; 'away' and 'paused' are set and ended by the person.
 */
export const presenceStates = ['online', 'idle', 'away', 'paused', 'offline'] as const
export type PresenceState = (typeof presenceStates)[number]

/** The icons of pauses. */
export const pauseIcons = [
  'meal',
  'restroom',
  'snack',
  'meeting',
  'training',
  'call',
  'health',
  'break',
] as const
export type PauseIcon = (typeof pauseIcons)[number]

/** The pause that somebody is in. */
export const pauseNow = z.object({
  reasonId: id,
  name: z.string(),
  icon: z.enum(pauseIcons),
  color: z.string(),
  /** After how many minutes it is too long; null: never. */
  limitMinutes: z.nullable(z.int()),
  since: instant,
})
export type PauseNow = z.infer<typeof pauseNow>

/**
 * What a person must do before anything else: choose a password instead of the one that somebody else chose,
 * or that the program printed when there was nobody else; set up the second factor.
 */
export const pendings = ['password', 'printed_password', 'second_factor'] as const
export type Pending = (typeof pendings)[number]

/** The signed-in person with the current effective permissions. */
export const me = z.object({
  id,
  username: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(roles),
  /** 'Ausente', set by the person. */
  isAway: z.boolean(),
  pause: z.nullable(pauseNow),
  /** Somebody gave a wrong password three times: new logins are refused, sessions go on. */
  isLoginLocked: z.boolean(),
  pending: z.nullable(z.enum(pendings)),
  hasSecondFactor: z.boolean(),
  pictureUrl: z.nullable(z.string()),
  permissions: flagsSchema,
  /** The sectors that they are in, and lead. */
  sectors: z.array(z.object({ id, isLead: z.boolean() })),
  /** Of which conversations they know. */
  scope: z.enum(scopes),
  /** Whether the installation has, or had, any sector: without, nothing of sectors is loaded. */
  hasSectors: z.boolean(),
  /** Whether there are reasons for which conversations end. */
  hasReasons: z.boolean(),
  /** Whether there are tags of conversations. */
  hasTags: z.boolean(),
  /** Whether anybody has saved a view of the list. */
  hasViews: z.boolean(),
  /** Whether there are macros. */
  hasMacros: z.boolean(),
  /** When the console is quiet for them; null: as the settings say. */
  silentHours: z.nullable(silentHours),
  /** Clients' telephone numbers are masked for them; may they have one shown? Absent: they see them. */
  hidesPhones: z.optional(z.literal(true)),
  revealsPhones: z.optional(z.literal(true)),
})
export type Me = z.infer<typeof me>

export const loginForm = z.object({
  username: z.string().check(z.trim(), z.minLength(1, loginTexts['auth.blank']), z.maxLength(200)),
  password: z.string().check(
    z.maxLength(1024),
    z.refine((value) => value.trim() !== '', loginTexts['auth.blank']),
  ),
  /** Of the application, or a recovery code; only with a second factor. */
  code: z.optional(z.string().check(z.maxLength(100))),
  /** Whether this browser needs no code for 30 days. */
  trustDevice: z.optional(z.boolean()),
})
export type LoginForm = z.infer<typeof loginForm>

export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Entrar',
  isPublic: true,
  audit: 'auth.login',
  body: loginForm,
  reply: z.object({ token: z.string(), user: me, timezone: z.string() }),
})

/** The people of a demonstration and their password, offered at its sign-in. */
export const demoSignIn = z.object({
  password: z.string(),
  people: z.array(z.object({ username: z.string(), name: z.string(), role: z.enum(roles) })),
})
export type DemoSignIn = z.infer<typeof demoSignIn>

export const getMe = endpoint({
  method: 'GET',
  path: '/api/auth/me',
  isEntry: true,
  summary: 'Quem está conectado',
  needs: [],
  audit: reading,
  reply: z.object({
    user: me,
    /** The end of the event log before anything else is fetched; a socket resumes from here. */
    live: z.object({ epoch: z.string(), cursor: z.string() }),
    /** Of the installation, in which all times are shown. */
    timezone: z.string(),
  }),
})

export const logout = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'Sair',
  needs: [],
  audit: 'auth.logout',
  isEntry: true,
})

export const getServerTime = endpoint({
  method: 'GET',
  path: '/api/server-time',
  isEntry: true,
  summary: 'Hora do servidor',
  needs: [],
  audit: reading,
  reply: z.object({ serverTime: instant }),
})

const operator = z.object({
  id,
  name: z.string(),
  role: z.enum(roles),
  pictureUrl: z.nullable(z.string()),
  presence: z.enum(presenceStates),
  pause: z.optional(pauseNow),
  /** Since when they are as they are; null: they were never there. */
  since: z.nullable(instant),
  /** Whether any device is connected, whatever the presence says. */
  isOnline: z.boolean(),
  activeConversations: z.int(),
  /**
   * When so many clients wait for them they get no more from the queue: the most of their sectors, or the
   * general limit.
   */
  capacity: z.int(),
  /** The numbers whose conversations they may receive; null: of all. */
  numberIds: z.nullable(z.array(id)),
})

export type Operator = z.infer<typeof operator>

export const listOperators = endpoint({
  method: 'GET',
  path: '/api/users/operators',
  summary: 'Quem pode receber uma conversa',
  needs: [['canTransferConversations', 'canViewStatistics']],
  audit: listing,
  reply: z.array(operator),
})
