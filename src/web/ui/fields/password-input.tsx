import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { Input } from './input.tsx'

/**
 * Its button has a browser title instead of a tooltip: the login page is loaded without the code for
 * tooltips.
 */
export function PasswordInput({
  showLabel = 'Mostrar senha',
  hideLabel = 'Ocultar senha',
  ...rest
}: Omit<ComponentProps<typeof Input>, 'type' | 'trailing'> & { showLabel?: string; hideLabel?: string }) {
  const [isShown, setIsShown] = useState(false)
  const label = isShown ? hideLabel : showLabel
  const Icon = isShown ? EyeOff : Eye
  return (
    <Input
      spellCheck={false}
      autoCapitalize="none"
      {...rest}
      type={isShown ? 'text' : 'password'}
      trailing={
        <button
          type="button"
          aria-label={label}
          title={label}
          onClick={() => setIsShown(!isShown)}
          className={[
            '-mr-1.5 inline-grid size-7 shrink-0 place-items-center',
            'rounded-control text-ink-2 hover:bg-hover hover:text-ink',
          ].join(' ')}
        >
          <Icon size={16} aria-hidden />
        </button>
      }
    />
  )
}
