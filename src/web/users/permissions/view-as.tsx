import { Check, Minus, TriangleAlert } from 'lucide-react'
import type { Account } from '#shared/users/accounts.ts'
import { isInMenu, may, obstacleOf, screenRuleOf, type ScreenPath, type Who } from '#shared/acts.ts'
import { actGroups, type ActText } from '#shared/text/rights/act-texts.ts'
import { scopeLabels } from '#shared/users/scope.ts'
import type { UserPermission } from '#shared/users/user-permissions.ts'
import { cn } from '#web/ui/cn.ts'
import { obstacleText } from './obstacle-text.ts'

/**
 * 'Ver como': the screens that a person gets, and what they show and offer, by the rules that they ask
 * themselves. Nothing of the person is opened.
 */
export function ViewAs({ account, permission }: { account: Account; permission: UserPermission }) {
  const { flags, scope, hidesPhones, isLead } = permission
  const who: Who = { role: account.role, permissions: flags, sectors: [{ isLead }] }
  const screens = actGroups.filter(({ path }) => path !== undefined)
  const open = screens.filter(({ path }) => path !== undefined && opens(who, path))
  const trouble = signInTrouble(account)
  return (
    <>
      <p aria-live="polite" className="text-sm text-ink-2 tabular-nums">
        Abre <b className="font-semibold text-ink">{open.length}</b> de {screens.length} telas
        {scope !== 'all' && (
          <>
            {' · '}conversas que vê: <b className="font-semibold text-ink">{scopeLabels[scope]}</b>
          </>
        )}
        {hidesPhones && (
          <>
            {' · '}
            <b className="font-semibold text-ink">telefones ocultos</b>
          </>
        )}
      </p>
      {trouble && (
        <p
          className={[
            'flex items-center gap-2 rounded-control border border-amber-line bg-amber-soft px-3 py-1.5',
            'text-sm font-medium text-amber-text',
          ].join(' ')}
        >
          <TriangleAlert size={16} aria-hidden className="shrink-0" />
          {trouble}
        </p>
      )}
      <div className="gap-6 md:columns-2 lg:columns-3">
        {actGroups.map(({ path, acts }) => (
          <Group key={path ?? ''} who={who} path={path} acts={acts} />
        ))}
      </div>
    </>
  )
}

const opens = (who: Who, path: ScreenPath) => {
  const { opensWith } = screenRuleOf(path)
  return opensWith === undefined || may(who, opensWith)
}

function signInTrouble({ isActive, isBlocked }: Account): string | undefined {
  if (!isActive) return 'Agora não entra no sistema: o usuário está inativo.'
  if (isBlocked) return 'Agora não entra no sistema: o usuário está bloqueado.'
  return undefined
}

function Group({ who, path, acts }: { who: Who; path: ScreenPath | undefined; acts: readonly ActText[] }) {
  const title = path === undefined ? 'Em todas as telas' : screenRuleOf(path).title
  const isOpen = path === undefined || opens(who, path)
  return (
    <section aria-label={title} className="mb-4 break-inside-avoid">
      <h3 className="mb-1 flex items-baseline gap-2 text-sm font-semibold">
        {title}
        {path !== undefined && (
          <span
            className={cn('ml-auto text-xs font-normal', isOpen ? 'text-ink-3' : 'font-medium text-red-text')}
          >
            {entryText(who, path)}
          </span>
        )}
      </h3>
      {isOpen ? (
        <ul>
          {acts.map((text) => (
            <Line key={text.label} who={who} text={text} />
          ))}
        </ul>
      ) : (
        <p className="text-xs text-ink-3">{whyClosed(who, path)}</p>
      )}
    </section>
  )
}

/** How one gets there. */
function entryText(who: Who, path: ScreenPath): string {
  const { inMenuOf } = screenRuleOf(path)
  const isListed = isInMenu(who, path)
  if (!opens(who, path)) return isListed ? 'No menu, acesso negado' : 'Acesso negado'
  if (isListed) return 'No menu'
  return inMenuOf.length > 0 ? 'Só pelo endereço' : 'Abre'
}

function whyClosed(who: Who, path: ScreenPath): string | undefined {
  const { opensWith } = screenRuleOf(path)
  const obstacle = opensWith && obstacleOf(who, opensWith)
  return obstacle && obstacleText(obstacle)
}

function Line({ who, text: { act, label, within, isAlwaysShown } }: { who: Who; text: ActText }) {
  const obstacle = obstacleOf(who, act)
  const Icon = obstacle ? Minus : Check
  return (
    <li className="flex items-start gap-2 py-1 text-sm">
      <Icon
        size={16}
        aria-hidden
        className={cn('mt-px flex-none', obstacle ? 'text-ink-3' : 'text-green-text')}
      />
      <span className={cn('min-w-0 flex-1', obstacle && 'text-ink-2')}>
        {label}
        {within && <span className="text-xs text-ink-3"> em “{within}”</span>}
        {obstacle && <span className="block text-xs text-ink-3">{obstacleText(obstacle)}</span>}
      </span>
      <span className={cn('flex-none text-xs leading-[18px]', obstacle ? 'text-ink-2' : 'text-green-text')}>
        {!obstacle ? 'Pode' : isAlwaysShown ? 'Aparece, mas é recusado' : 'Não aparece'}
      </span>
    </li>
  )
}
