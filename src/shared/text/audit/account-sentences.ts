import type { AuditAction } from '#shared/audit/audit-actions.ts'
import { fieldsIn, freedText, listed, pairIn, plural, roleOf, type SentenceOf, textsIn } from './telling.ts'

const userUpdate: SentenceOf<'user.update'> = ({ details, personal, about }) => {
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

const permissionsUpdate: SentenceOf<'permissions.update'> = ({ details, about }) => {
  const changes = Object.values(details.changes ?? {})
  const on = changes.filter((change) => pairIn(change)[1] === true).length
  const counts = [
    ...(on > 0 ? [plural(on, 'ligada', 'ligadas')] : []),
    ...(changes.length > on ? [plural(changes.length - on, 'desligada', 'desligadas')] : []),
  ]
  return ['mudou as permissões de ', about, counts.length > 0 ? `: ${listed(counts)}` : '']
}

const loginFailed: SentenceOf<'auth.login_failed'> = ({ details, personal, row }) => {
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

const byWhat = { password: 'a senha', code: 'um código' } as const

const profile: SentenceOf<'user.profile'> = ({ details, personal }) => {
  const fields = fieldsIn({}, personal.changes)
  const password = details.isPasswordChanged ? 'trocou a própria senha' : ''
  if (fields === '') return [password === '' ? 'salvou o próprio perfil' : password]
  return ['mudou o próprio perfil: ', fields, password === '' ? '' : `, e ${password}`]
}

const endSessions: SentenceOf<'user.end_sessions'> = ({ row, details, about }) => {
  const sessions = plural(details.ended, 'sessão', 'sessões')
  return row.actor.id !== null && String(row.actor.id) === row.resource.id
    ? [`encerrou ${sessions} da própria conta`]
    : [`encerrou ${sessions} de `, about]
}

const duties: SentenceOf<'permissions.second_factor'> = ({ details }) => {
  const [, after] = pairIn(details.changes?.roles)
  const names = textsIn(after).map(roleOf)
  return names.length === 0
    ? ['deixou de exigir a verificação em duas etapas']
    : ['passou a exigir a verificação em duas etapas de ', { name: listed(names) }]
}

type AccountAction = Extract<AuditAction, `auth.${string}` | `user.${string}` | `permissions.${string}`>

/** What acts on accounts and their permissions say. */
export const accountSentences: { [Action in AccountAction]: SentenceOf<Action> } = {
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
  'user.update': userUpdate,
  'user.block': ({ details, about }) => ['bloqueou ', about, freedText(details.freed)],
  'user.unblock': ({ about }) => ['desbloqueou ', about],
  'user.delete': ({ details, about }) => ['excluiu a conta de ', about, freedText(details.freed)],
  'user.reset_password': ({ about }) => ['deu outra senha a ', about],
  'user.profile': profile,
  'user.picture': ({ details }) => [details.isRemoved ? 'removeu a própria foto' : 'trocou a própria foto'],
  'user.end_sessions': endSessions,
  'user.second_factor_on': () => ['ativou a própria verificação em duas etapas'],
  'user.second_factor_off': () => ['desativou a própria verificação em duas etapas'],
  'user.second_factor_reset': ({ about }) => ['desativou a verificação em duas etapas de ', about],
  'user.recovery_codes': () => ['trocou os próprios códigos de recuperação'],
  'permissions.update': permissionsUpdate,
  'permissions.second_factor': duties,
}
