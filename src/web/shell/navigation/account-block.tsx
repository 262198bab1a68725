import { ChevronsUpDown, Forward, LogOut, Moon, Sun, UserRound } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { roleLabels } from '#shared/text/text.ts'
import { version } from '#shared/version.ts'
import { HandOver } from '#web/conversations/conversations.tsx'
import { useTheme } from '#web/platform/browser/theme.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { cn } from '#web/ui/cn.ts'
import { Menu, MenuItem, MenuLine } from '#web/ui/overlays/menu.tsx'
import { tooltip } from '#web/ui/overlays/tooltip.ts'
import { signOut, useMe } from '#web/users/users.tsx'
import { PresenceMenu } from './presence-menu.tsx'

/** The signed-in user with the presence; what else they do for themselves is in the menu under their name. */
export function AccountBlock({
  isFolded,
  foldButton,
  onNavigate,
}: {
  isFolded: boolean
  foldButton: ReactNode
  onNavigate?: () => void
}) {
  const { name, role, pictureUrl } = useMe()
  const [, navigate] = useLocation()
  const { theme, toggleTheme } = useTheme()
  const [isLeaving, setIsLeaving] = useState(false)
  const leave = () => {
    setIsLeaving(true)
    void signOut()
  }
  const toProfile = () => {
    navigate('/perfil')
    onNavigate?.()
  }
  const isDark = theme === 'dark'
  const person = (
    <button
      type="button"
      {...(isFolded && tooltip(name, 'right'))}
      disabled={isLeaving}
      className={cn(
        'flex min-w-0 items-center gap-2 rounded-control text-left hover:bg-hover',
        isFolded ? 'p-1' : '-my-1 -ml-1.5 px-1.5 py-1',
      )}
    >
      <Avatar name={name} src={pictureUrl} size={28} />
      <span className={isFolded ? 'sr-only' : 'min-w-0 flex-1'}>
        <span className="block truncate text-sm font-medium" title={name}>
          {name}
        </span>{' '}
        <span className="block text-xs text-ink-3">{isLeaving ? 'Saindo...' : roleLabels[role]}</span>
      </span>
      {!isFolded && <ChevronsUpDown size={14} aria-hidden className="flex-none text-ink-3" />}
    </button>
  )
  return (
    <div
      className={cn(
        'grid gap-2 border-t border-line py-2.5 *:min-w-0',
        isFolded ? 'justify-items-center' : 'pr-2 pl-3',
      )}
    >
      <HandOver
        trigger={(handOver) => (
          <Menu align="start" trigger={person}>
            {handOver && (
              <MenuItem icon={Forward} leadsElsewhere onSelect={handOver}>
                Passar meu turno
              </MenuItem>
            )}
            <MenuItem icon={UserRound} leadsElsewhere onSelect={toProfile}>
              Editar perfil
            </MenuItem>
            <MenuItem icon={isDark ? Sun : Moon} onSelect={toggleTheme}>
              {isDark ? 'Tema claro' : 'Tema escuro'}
            </MenuItem>
            <MenuLine />
            <MenuItem icon={LogOut} leadsElsewhere onSelect={leave}>
              Sair
            </MenuItem>
          </Menu>
        )}
      />
      <div className={cn('flex items-center justify-between gap-2', isFolded && 'flex-col')}>
        <PresenceMenu isFolded={isFolded} />
        {foldButton}
        <span className={isFolded ? 'sr-only' : 'flex-none text-xs whitespace-nowrap text-ink-3'}>
          Versão {version}
        </span>
      </div>
    </div>
  )
}
