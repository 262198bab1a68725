import * as z from 'zod/mini'
import { listing, ownState, reading, tuning } from '#shared/audit/unaudited.ts'
import { accountFields } from './accounts.ts'
import { endpoint } from '#shared/endpoint.ts'
import { roles } from '#shared/permissions.ts'
import { silentHours } from '#shared/settings/silent-hours.ts'
import { id, idParam, instant, me } from './users.ts'

const typedPassword = z.string().check(z.maxLength(1024))
const code = z.string().check(z.maxLength(100))

export const updateProfile = endpoint({
  method: 'PUT',
  path: '/api/profile',
  summary: 'Mudar o próprio nome, email ou senha; outra senha encerra as outras sessões',
  needs: [],
  audit: 'user.profile',
  isEntry: true,
  body: z.object({
    name: z.optional(accountFields.name),
    email: z.optional(accountFields.email),
    password: z.optional(accountFields.password),
    /** Without it, another password or address needs a session that was confirmed within ten minutes. */
    currentPassword: z.optional(typedPassword),
  }),
  reply: z.object({ user: me }),
})

export const setSilentHours = endpoint({
  method: 'PUT',
  path: '/api/profile/silent-hours',
  summary: 'Escolher o próprio horário silencioso, ou seguir o da equipe',
  needs: [],
  audit: 'user.silent_hours',
  body: z.object({
    /** null: as the settings say. */
    silentHours: z.nullable(silentHours),
  }),
  reply: z.object({ user: me }),
})

export const ratePassword = endpoint({
  method: 'POST',
  path: '/api/profile/password-strength',
  summary: 'Quanto uma senha resiste a quem tenta adivinhá-la',
  needs: [],
  audit: { not: 'rates a password and stores nothing' },
  isEntry: true,
  body: z.object({
    password: typedPassword,
    /** What is known of the person; by default of the caller. */
    known: z.optional(z.array(z.string().check(z.maxLength(254))).check(z.maxLength(3))),
  }),
  reply: z.object({
    score: z.int().check(z.minimum(0), z.maximum(4)),
    advice: z.nullable(z.string()),
    /** Whether it would be refused. */
    isRefused: z.boolean(),
  }),
})
export type PasswordRating = z.infer<NonNullable<typeof ratePassword.reply>>

/** A living session. */
export const session = z.object({
  id,
  /** Such as 'Chrome · Windows'. */
  device: z.string(),
  isMobile: z.boolean(),
  address: z.nullable(z.string()),
  createdAt: instant,
  lastSeenAt: instant,
  /** The session of this call. */
  isCurrent: z.boolean(),
})
export type Session = z.infer<typeof session>

export const listOwnSessions = endpoint({
  method: 'GET',
  path: '/api/profile/sessions',
  summary: 'As próprias sessões abertas, a última usada primeiro',
  needs: [],
  audit: ownState,
  reply: z.array(session),
})

export const endOwnSession = endpoint({
  method: 'DELETE',
  path: '/api/profile/sessions/:id',
  summary: 'Encerrar uma das próprias sessões',
  needs: [],
  audit: 'user.end_sessions',
  ids: { id: 'session' },
  params: z.object({ id: idParam }),
  isSensitive: true,
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/profile/sessions',
  summary: 'Encerrar todas as próprias sessões, menos esta',
  needs: [],
  audit: 'user.end_sessions',
  isSensitive: true,
  reply: z.object({ ended: z.int() }),
})

export const listSessionsOf = endpoint({
  method: 'GET',
  path: '/api/users/:id/sessions',
  summary: 'As sessões abertas de uma pessoa',
  act: 'editUser',
  audit: listing,
  ids: { id: 'user' },
  params: z.object({ id: idParam }),
  reply: z.array(session),
})

export const endSessionsOf = endpoint({
  method: 'DELETE',
  path: '/api/users/:id/sessions',
  summary: 'Encerrar todas as sessões de uma pessoa',
  act: 'editUser',
  audit: 'user.end_sessions',
  isSensitive: true,
  ids: { id: 'user' },
  params: z.object({ id: idParam }),
  reply: z.object({ ended: z.int() }),
})

export const maxPictureBytes = 2 * 1024 * 1024

export const setPicture = endpoint({
  method: 'PUT',
  path: '/api/profile/picture',
  summary: 'Trocar a própria foto: JPG ou PNG, até 2 MB',
  needs: [],
  audit: 'user.picture',
  takesFile: true,
  reply: z.object({ pictureUrl: z.string() }),
})

export const removePicture = endpoint({
  method: 'DELETE',
  path: '/api/profile/picture',
  summary: 'Remover a própria foto',
  needs: [],
  audit: 'user.picture',
})

export const getPicture = endpoint({
  method: 'GET',
  path: '/api/profile-pictures/:name',
  isUncounted: true,
  summary: 'A foto de um colega',
  needs: [],
  audit: reading,
  ids: { name: 'profile picture' },
  params: z.object({ name: z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/)) }),
  sendsFile: true,
})

/** Where the picture of a person is. */
export const pictureUrlOf = (name: string | null) => (name === null ? null : `/api/profile-pictures/${name}`)

export const confirmIdentity = endpoint({
  method: 'POST',
  path: '/api/auth/reauthenticate',
  summary: 'Confirmar a própria senha, ou um código; vale por dez minutos nesta sessão',
  needs: [],
  audit: 'auth.confirm',
  isEntry: true,
  body: z
    .object({ password: z.optional(typedPassword), code: z.optional(code) })
    .check(
      z.refine(
        (given) => (given.password === undefined) !== (given.code === undefined),
        'Informe a senha ou um código',
      ),
    ),
})

/** Before a download, which the browser makes itself: whether it would be refused for want of a password. */
export const expectConfirmation = endpoint({
  method: 'GET',
  path: '/api/auth/confirmation',
  summary: 'Conferir se a senha foi confirmada há menos de dez minutos',
  needs: [],
  audit: ownState,
  isSensitive: true,
})

export const getSecondFactor = endpoint({
  method: 'GET',
  path: '/api/profile/second-factor',
  summary: 'A própria verificação em duas etapas',
  needs: [],
  audit: ownState,
  isEntry: true,
  reply: z.object({
    isOn: z.boolean(),
    since: z.nullable(instant),
    recoveryCodesLeft: z.int(),
    /** Whether the person's role must have it. */
    isDuty: z.boolean(),
  }),
})
export type SecondFactor = z.infer<NonNullable<typeof getSecondFactor.reply>>

export const beginSecondFactor = endpoint({
  method: 'POST',
  path: '/api/profile/second-factor',
  summary: 'Receber o segredo para o aplicativo; vale depois de confirmado por um código',
  needs: [],
  audit: { not: 'takes effect with the code that confirms it, which is recorded' },
  isEntry: true,
  isSensitive: true,
  reply: z.object({
    /** In base32, to be typed where no camera is. */
    secret: z.string(),
    /** For the QR code. */
    address: z.string(),
  }),
})

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
/** A code of the application, or a recovery code: the password alone is not enough. */
const anyCode = z.object({ code: code.check(z.minLength(1, 'Digite um código')) })

export const confirmSecondFactor = endpoint({
  method: 'PUT',
  path: '/api/profile/second-factor',
  summary:
    'Ativar a verificação em duas etapas com um código; os códigos de recuperação vêm só nesta resposta',
  needs: [],
  audit: 'user.second_factor_on',
  isEntry: true,
  body: z.object({ code, trustDevice: z.optional(z.boolean()) }),
  reply: recoveryCodes,
})

export const removeSecondFactor = endpoint({
  method: 'DELETE',
  path: '/api/profile/second-factor',
  summary: 'Desativar a própria verificação em duas etapas, com um código',
  needs: [],
  audit: 'user.second_factor_off',
  isSensitive: true,
  body: anyCode,
})

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/profile/recovery-codes',
  summary: 'Trocar os códigos de recuperação, com um código; os antigos deixam de valer',
  needs: [],
  audit: 'user.recovery_codes',
  isSensitive: true,
  body: anyCode,
  reply: recoveryCodes,
})

export const resetSecondFactor = endpoint({
  method: 'DELETE',
  path: '/api/users/:id/second-factor',
  summary: 'Desativar a verificação em duas etapas de uma pessoa e encerrar as sessões dela',
  act: 'editUser',
  audit: 'user.second_factor_reset',
  ids: { id: 'user' },
  params: z.object({ id: idParam }),
  isSensitive: true,
})

const duties = z.object({ roles: z.array(z.enum(roles)).check(z.maxLength(roles.length)) })

export const getSecondFactorDuties = endpoint({
  method: 'GET',
  path: '/api/second-factor-duties',
  summary: 'Os perfis que devem usar a verificação em duas etapas',
  act: 'managePermissions',
  audit: tuning,
  reply: duties,
})

export const setSecondFactorDuties = endpoint({
  method: 'PUT',
  path: '/api/second-factor-duties',
  summary: 'Exigir a verificação em duas etapas de certos perfis, a partir do próximo login',
  act: 'managePermissions',
  audit: 'permissions.second_factor',
  body: duties,
  isSensitive: true,
  reply: duties,
})
