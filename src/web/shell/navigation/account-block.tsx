import { Forward, LogOut, Moon, Sun, UserRoundPen } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { roleLabels } from '#shared/text/text.ts'
import { version } from '#shared/version.ts'
import { HandOver } from '#web/conversations/conversations.tsx'
import { useTheme } from '#web/platform/browser/theme.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { cn } from '#web/ui/cn.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { signOut, useMe } from '#web/users/users.tsx'
import { PresenceMenu } from './presence-menu.tsx'

/** The signed-in user with the presence, the theme, and sign-out. */
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
  const side = isFolded ? 'right' : 'top'
  const leave = () => {
    setIsLeaving(true)
    void signOut()
  }
  return (
    <div
      className={cn(
        'grid gap-2 border-t border-line py-2.5',
        isFolded ? 'justify-items-center' : 'pr-2 pl-3',
      )}
    >
      <div className="flex min-w-0 items-center gap-2">
        <Avatar name={name} src={pictureUrl} size={28} />
        <div className={isFolded ? 'sr-only' : 'min-w-0 flex-1'}>
          <p className="truncate text-sm font-medium" title={name}>
            {name}
          </p>
          <p className="text-xs text-ink-3">{roleLabels[role]}</p>
        </div>
      </div>
      <PresenceMenu isFolded={isFolded} />
      <div className={cn('flex gap-0.5', isFolded ? 'flex-col' : '-ml-1.5')}>
        <HandOver
          trigger={(open) => (
            <IconButton icon={Forward} label="Passar meu turno" tooltipSide={side} onClick={open} />
          )}
        />
        <IconButton
          icon={UserRoundPen}
          label="Editar perfil"
          tooltipSide={side}
          onClick={() => {
            navigate('/perfil')
            onNavigate?.()
          }}
        />
        <IconButton
          icon={theme === 'dark' ? Sun : Moon}
          label={theme === 'dark' ? 'Tema claro' : 'Tema escuro'}
          tooltipSide={side}
          onClick={toggleTheme}
        />
        <IconButton icon={LogOut} label="Sair" tooltipSide={side} isBusy={isLeaving} onClick={leave} />
        {foldButton}
        <span className={isFolded ? 'sr-only' : 'ml-auto self-center text-xs text-ink-3'}>
          Versão {version}
        </span>
      </div>
    </div>
  )
}
