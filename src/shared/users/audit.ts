import type { Flag, Role } from '#shared/permissions.ts'
import { scopeLabels } from '#shared/users/scope.ts'
import type { ErrorCode } from '#shared/refusals.ts'
import {
  type Changes,
  type Nothing,
  fieldsIn,
  freedText,
  labelIn,
  listed,
  pairIn,
  plural,
  roleOf,
  textsIn,
  type Sentences,
} from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  auth: { name: 'Entradas e saídas', place: 10, about: 'user' },
  user: { name: 'Usuários', place: 30, about: 'user' },
  permissions: { name: 'Permissões', place: 40, about: 'user' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  user: { name: 'Usuário', gone: 'uma conta que não existe' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  'auth.login': Nothing
  /** `attempt`: of those in a row. `isLoginLocked`: this one has locked the account. */
  'auth.login_failed': {
    reason: ErrorCode
    attempt?: number
    isLoginLocked?: boolean
    /** The password was right, the code was not. */
    isWrongCode?: true
  }
  'auth.logout': Nothing
  'auth.other_user': Nothing
  'auth.confirm': { by: 'password' | 'code' }
  'auth.confirm_failed': { by: 'password' | 'code' }
  'user.first_admin': Nothing
  'user.create': { role: Role; isActive: boolean }
  /** `isCustom`: with permissions of their own, not those of the role. */
  'user.invite': { invitationId: number; role: Role; numberIds?: readonly number[]; isCustom?: true }
  'user.invite_send': { invitationId: number; instanceId: number }
  'user.invite_withdraw': { invitationId: number; role: Role }
  'user.join': {
    invitationId: number
    role: Role
    invitedBy: number
    numberIds?: readonly number[]
    isCustom?: true
  }
  /** `freed`: conversations that went back to the FILA. */
  'user.update': { changes: Changes<'role' | 'isActive'>; isPasswordChanged?: true; freed?: number }
  'user.block': { freed: number }
  'user.unblock': { wasBlocked: boolean; wasLocked: boolean }
  'user.delete': { role: Role; freed: number }
  'user.reset_password': { endedSessions: number; unlocked: boolean }
  'user.profile': { isPasswordChanged?: true }
  'user.picture': { isRemoved: boolean }
  'user.silent_hours': { changes: Changes<'silentHours'> }
  /** `sessionId`: of one of them; absent: all, or all others. */
  'user.end_sessions': { sessionId?: number; ended: number }
  'user.second_factor_on': Nothing
  'user.second_factor_off': Nothing
  'user.second_factor_reset': Nothing
  'user.recovery_codes': Nothing
  'permissions.update': { changes: Changes<Flag> }
  'permissions.scope': { changes: Changes<'scope'> }
  'permissions.phones': { changes: Changes<'hidesPhones' | 'revealsPhones'> }
  'permissions.second_factor': { changes: Changes<'roles'> }
}

/** The values that concern a person: they stand apart, and can be erased. */
export interface Personal {
  /** The name as it was typed; absent when it was the password. */
  'auth.login_failed': { typed?: string }
  'user.first_admin': { username: string }
  'user.create': { username: string; name: string }
  'user.invite': { name: string }
  'user.invite_send': { name: string; phone: string }
  'user.invite_withdraw': { name: string }
  'user.join': { username: string; name: string }
  'user.update': { changes: Changes<'username' | 'name' | 'email'> }
  'user.delete': { username: string }
  'user.profile': { changes: Changes<'name' | 'email'> }
}

const userUpdate: Sentences<Details, Personal>['user.update'] = ({ details, personal, about }) => {
  const { role, isActive, ...others } = details.changes ?? {}
  if (role)
    return ['mudou o perfil de ', about, ` de ${roleOf(pairIn(role)[0])} para ${roleOf(pairIn(role)[1])}`]
  if (isActive)
    return [
      `${pairIn(isActive)[1] === true ? 'ativou' : 'desativou'} a conta de `,
      about,
      freedText(details.freed),
    ]
  const fields = fieldsIn(others, personal.changes)
  if (fields === '' && details.isPasswordChanged) return ['deu outra senha a ', about]
  const password = details.isPasswordChanged ? ', e deu outra senha' : ''
  return ['mudou a conta de ', about, fields === '' ? '' : `: ${fields}`, password, freedText(details.freed)]
}

const permissionsUpdate: Sentences<Details, Personal>['permissions.update'] = ({ details, about }) => {
  const changes = Object.values(details.changes ?? {})
  const on = changes.filter((change) => pairIn(change)[1] === true).length
  const counts = [
    ...(on > 0 ? [plural(on, 'ligada', 'ligadas')] : []),
    ...(changes.length > on ? [plural(changes.length - on, 'desligada', 'desligadas')] : []),
  ]
  return ['mudou as permissões de ', about, counts.length > 0 ? `: ${listed(counts)}` : '']
}

const loginFailed: Sentences<Details, Personal>['auth.login_failed'] = ({ details, personal, row }) => {
  const typed = row.isErased
    ? 'nome apagado'
    : personal.typed === undefined
      ? 'um nome que não se guarda'
      : `"${personal.typed}"`
  const { reason, attempt, isLoginLocked } = details
  const third = details.isWrongCode ? 'terceira tentativa, com código errado' : 'terceira senha errada'
  const why = isLoginLocked
    ? `: ${third}, a conta recusa novas entradas`
    : details.isWrongCode
      ? ': senha certa, código errado'
      : reason === 'auth.too_many_attempts'
        ? ': tentativas demais deste endereço'
        : attempt === undefined && reason !== undefined
          ? ': a conta recusa novas entradas'
          : ''
  return ['tentativa de login recusada para ', { name: typed }, why]
}

/** Whom an invitation is for, if that was written. */
const invited = (name: string | undefined) => ({ name: name || 'alguém' })

const byWhat = { password: 'a senha', code: 'um código' } as const

const profile: Sentences<Details, Personal>['user.profile'] = ({ details, personal }) => {
  const fields = fieldsIn({}, personal.changes)
  const password = details.isPasswordChanged ? 'trocou a própria senha' : ''
  if (fields === '') return [password === '' ? 'salvou o próprio perfil' : password]
  return ['mudou o próprio perfil: ', fields, password === '' ? '' : `, e ${password}`]
}

const endSessions: Sentences<Details, Personal>['user.end_sessions'] = ({ row, details, about }) => {
  const sessions = plural(details.ended, 'sessão', 'sessões')
  return row.actor.id !== null && String(row.actor.id) === row.resource.id
    ? [`encerrou ${sessions} da própria conta`]
    : [`encerrou ${sessions} de `, about]
}

const duties: Sentences<Details, Personal>['permissions.second_factor'] = ({ details }) => {
  const [, after] = pairIn(details.changes?.roles)
  const names = textsIn(after).map(roleOf)
  return names.length === 0
    ? ['deixou de exigir a verificação em duas etapas']
    : ['passou a exigir a verificação em duas etapas de ', { name: listed(names) }]
}

const phones: Sentences<Details, Personal>['permissions.phones'] = ({ details, about }) => {
  const { hidesPhones, revealsPhones } = details.changes ?? {}
  const mayReveal = pairIn(revealsPhones)[1] === true
  if (hidesPhones === undefined)
    return [mayReveal ? 'permitiu a ' : 'deixou de permitir a ', about, ' mostrar um telefone']
  if (pairIn(hidesPhones)[1] !== true) return ['deixou de ocultar os telefones de clientes para ', about]
  const shown = mayReveal ? ', que pode mostrar um de cada vez' : ''
  return ['passou a ocultar os telefones de clientes para ', about, shown]
}

/** What each act says, without its subject. */
export const sentences: Sentences<Details, Personal> = {
  'auth.login': () => ['entrou'],
  'auth.login_failed': loginFailed,
  'auth.logout': () => ['saiu'],
  'auth.other_user': ({ about }) => ['disse ser ', about, ' ao abrir a conexão em tempo real'],
  'auth.confirm': ({ details }) => [`confirmou a identidade com ${byWhat[details.by ?? 'password']}`],
  'auth.confirm_failed': ({ details }) => [
    `errou ${byWhat[details.by ?? 'password']} ao confirmar a identidade`,
  ],
  'user.first_admin': ({ about }) => ['criou a conta do primeiro administrador, ', about],
  'user.create': ({ details, about }) => ['criou a conta de ', about, `, ${roleOf(details.role)}`],
  'user.invite': ({ details, personal }) => [
    'convidou ',
    invited(personal.name),
    ` para ser ${roleOf(details.role)}`,
    details.isCustom ? ', com permissões escolhidas' : '',
  ],
  'user.invite_send': ({ personal }) => ['mandou por WhatsApp o convite para ', invited(personal.name)],
  'user.invite_withdraw': ({ personal }) => ['retirou o convite para ', invited(personal.name)],
  'user.join': ({ details }) => [`criou a própria conta por um convite, para ser ${roleOf(details.role)}`],
  'user.update': userUpdate,
  'user.block': ({ details, about }) => ['bloqueou ', about, freedText(details.freed)],
  'user.unblock': ({ about }) => ['desbloqueou ', about],
  'user.delete': ({ details, about }) => ['excluiu a conta de ', about, freedText(details.freed)],
  'user.reset_password': ({ about }) => ['deu outra senha a ', about],
  'user.profile': profile,
  'user.picture': ({ details }) => [details.isRemoved ? 'removeu a própria foto' : 'trocou a própria foto'],
  'user.silent_hours': ({ details }) => [
    pairIn(details.changes?.silentHours)[1] === null
      ? 'voltou a seguir o horário silencioso da equipe'
      : 'mudou o próprio horário silencioso',
  ],
  'user.end_sessions': endSessions,
  'user.second_factor_on': () => ['ativou a própria verificação em duas etapas'],
  'user.second_factor_off': () => ['desativou a própria verificação em duas etapas'],
  'user.second_factor_reset': ({ about }) => ['desativou a verificação em duas etapas de ', about],
  'user.recovery_codes': () => ['trocou os próprios códigos de recuperação'],
  'permissions.update': permissionsUpdate,
  'permissions.scope': ({ details, about }) => {
    const words = labelIn(scopeLabels, pairIn(details.changes?.scope)[1])
    return ['mudou as conversas que ', about, ` vê: ${words}`]
  },
  'permissions.phones': phones,
  'permissions.second_factor': duties,
}
