import { Coffee, Forward, LogOut, Moon, Sun } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { roleLabels } from '#shared/text/text.ts'
import { HandOver } from '#web/conversations/conversations.tsx'
import { useTheme } from '#web/platform/browser/theme.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { cn } from '#web/ui/cn.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Switch } from '#web/ui/fields/switch.tsx'
import { signOut, useAway, useMe } from '#web/users/users.tsx'

/** The signed-in user, the theme, and sign-out. */
export function AccountBlock({ isFolded, foldButton }: { isFolded: boolean; foldButton: ReactNode }) {
  const { name, role } = useMe()
  const { theme, toggleTheme } = useTheme()
  const { isAway, setIsAway } = useAway()
  const awayId = useId()
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
        <Avatar name={name} size={28} />
        <div className={isFolded ? 'sr-only' : 'min-w-0 flex-1'}>
          <p className="truncate text-sm font-medium" title={name}>
            {name}
          </p>
          {isAway ? (
            <p className="text-xs font-medium text-amber-text">Você está ausente</p>
          ) : (
            <p className="text-xs text-ink-3">{roleLabels[role]}</p>
          )}
        </div>
      </div>
      {!isFolded && (
        <label htmlFor={awayId} className="flex h-6 items-center gap-2 pr-1 text-sm text-ink-2">
          <span className="flex-1">Ausente</span>
          <Switch id={awayId} checked={isAway} onCheckedChange={setIsAway} />
        </label>
      )}
      <div className={cn('flex gap-0.5', isFolded ? 'flex-col' : '-ml-1.5')}>
        {isFolded && (
          <IconButton
            icon={Coffee}
            label="Ausente"
            isOn={isAway}
            tooltipSide={side}
            className={cn(isAway && 'text-amber-text')}
            onClick={() => setIsAway(!isAway)}
          />
        )}
        <HandOver
          trigger={(open) => (
            <IconButton icon={Forward} label="Passar meu turno" tooltipSide={side} onClick={open} />
          )}
        />
        <IconButton
          icon={theme === 'dark' ? Sun : Moon}
          label={theme === 'dark' ? 'Tema claro' : 'Tema escuro'}
          tooltipSide={side}
          onClick={toggleTheme}
        />
        <IconButton icon={LogOut} label="Sair" tooltipSide={side} isBusy={isLeaving} onClick={leave} />
        {foldButton}
      </div>
    </div>
  )
}
